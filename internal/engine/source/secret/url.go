package secret

import "bytes"

// scanURL finds the password in scheme://user:password@host, in any scheme, at its "://". The span is the password alone: user
// and host may stay readable.
func scanURL(text []byte, _, hi int) (int, int, bool) {
	colon, end := -1, -1
	stop := min(len(text), hi+512)
	for i := hi; i < stop; i++ {
		c := text[i]
		if c == ':' && colon < 0 {
			colon = i
		}
		if c == '@' && colon >= 0 {
			end = i // the last @ before the host's end: passwords hold unescaped ones
		}
		if c <= ' ' || c == '"' || c == '\'' || c == '`' || c == '<' || c == '>' || c == '\\' || c == '(' || c == ')' || c == ',' {
			break
		}
		// A slash ends the authority, unless nothing before it looked like one (base64 passwords).
		if (c == '/' || c == '?') && (end >= 0 || colon < 0 || portLike(text[colon+1:i])) {
			break
		}
	}
	if colon < 0 {
		return scanURLToken(text, hi, stop)
	}
	if end < 0 || end-colon-1 < minValue {
		return 0, 0, false
	}
	v := text[colon+1 : end]
	if !hostFollows(text, end+1) || !urlPassword(text[hi:colon], v) {
		return 0, 0, false
	}
	return colon + 1, end, true
}

// scanURLToken finds a token that stands for user and password: https://token@host.
func scanURLToken(text []byte, lo, stop int) (int, int, bool) {
	i := lo
	for i < stop && (isTokenByte(text[i]) || text[i] == '%' || text[i] == '+' || text[i] == '=') {
		i++
	}
	v := text[lo:i]
	if at(text, i) != '@' || len(v) < 20 || !randomValue(v) || isPathLike(v) || !hostFollows(text, i+1) {
		return 0, 0, false
	}
	return lo, i, true
}

// portLike reports digits, as after host:.
func portLike(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

func hostFollows(text []byte, i int) bool {
	c := at(text, i)
	return isAlnum(c) || c == '[' || c == '$' || c == '{' || c == '%' || c == '_' || c == '.'
}

// urlStops are the passwords of manuals; in a URL they are compared as a whole.
var urlStops = [...]string{"password", "passwd", "pass", "secret", "test", "user", "username", "pwd", "token", "admin", "root", "guest", "postgres", "mysql", "mongo", "redis", "example", "pass1", "pass2", "p@ss", "p@ssword", "p@ssw0rd", "passw0rd", "pass@", "bar", "hunter2", "1234", "12345", "123456", "mypassword", "somepassword", "thepassword", "your-password", "yourpassword", "userpass", "dbpass", "bitnami", "minioadmin"}

func urlPassword(user, v []byte) bool {
	if isPlaceholder(v) || hasMaskRun(v) || bytes.IndexAny(v, "${}<>[]*|^") >= 0 && placeholderMarks(v) || v[0] == '%' && isUpper(v[len(v)-1]) {
		return false
	}
	for _, w := range urlStops {
		if bytes.EqualFold(v, []byte(w)) {
			return false
		}
	}
	if bytes.EqualFold(user, v) && digits(v) == 0 {
		return false
	}
	return !allUpperName(v)
}

func hasBytes(b []byte, s string) bool { return bytes.Contains(b, []byte(s)) }

func digits(v []byte) int {
	_, _, n, _ := classes(v)
	return n
}

// placeholderMarks reports $VAR, {name}, <name>, [name].
func placeholderMarks(v []byte) bool {
	return v[0] == '$' && len(v) > 1 && (isLetter(v[1]) || v[1] == '{') && allUpperName(v[1:]) || bytes.IndexByte(v, '{') >= 0 && bytes.IndexByte(v, '}') >= 0 ||
		bytes.IndexByte(v, '<') >= 0 || v[0] == '[' || bytes.Count(v, []byte("*")) > 2
}

// allUpperName reports PASSWORD, DB_PASS: the name of a variable.
func allUpperName(v []byte) bool {
	for _, c := range v {
		if !isUpper(c) && c != '_' && c != '-' {
			return false
		}
	}
	return true
}
