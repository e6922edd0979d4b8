package secret

import "bytes"

// maxArguments is how many arguments of a call are looked at.
const maxArguments = 4

// scanPair finds the password in calls and pairs that take a user and a password without naming either: BasicAuth("user", "v"),
// new NetworkCredential("user", "v"), auth=("user", "v"), PlainAuth("", "user", "v", host), getConnection(url, "user", "v").
func scanPair(text []byte, lo, hi int) (int, int, bool) {
	i, user := hi, []byte(nil)
	for range maxArguments {
		i = skipSpace(text, i)
		for n := 0; n < 8 && i < len(text) && (isLetter(text[i]) || text[i] == '='); n++ {
			i++ // u"…", user="…"
		}
		if !isQuote(at(text, i)) {
			if i = argumentEnd(text, i); at(text, i) != ',' {
				return 0, 0, false
			}
			i++
			continue
		}
		var a assignment
		q := at(text, i)
		if !a.literal(text, i) {
			if i += 2; at(text, i) != ',' {
				return 0, 0, false
			}
			i++
			continue // an empty one
		}
		v := text[a.start:a.end]
		if user != nil {
			return a.start, a.end, pairPassword(user, v)
		}
		if at(text, a.end) != q || bytes.IndexByte(v, ' ') >= 0 {
			return 0, 0, false
		}
		if i = skipSpace(text, a.end+1); at(text, i) != ',' {
			return 0, 0, false
		}
		if i++; !bytes.Contains(v, []byte("://")) && bytes.IndexByte(v, '/') < 0 {
			user = v
		}
	}
	return 0, 0, false
}

// pairPassword asks more of a value than of one that a name tells.
func pairPassword(user, v []byte) bool {
	return !bytes.EqualFold(user, v) && !hasNameStop(v) && !hasPasswordStop(v) && !describes(v) && (passwordValue(v, true) || made(v) && bytes.IndexAny(v, "/.") < 0 || markedPassword(v))
}

// argumentEnd is where a plain argument, a name or a number, ends.
func argumentEnd(text []byte, i int) int {
	for n := 0; n < 64 && i < len(text) && (isNameByte(text[i]) || isBlank(text[i]) || text[i] == '$' || text[i] == ':'); n++ {
		i++
	}
	return i
}

// skipSpace skips blanks and line ends.
func skipSpace(text []byte, i int) int {
	for n := 0; i < len(text) && n < 64 && text[i] <= ' '; n++ {
		i++
	}
	return i
}
