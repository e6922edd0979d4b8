package secret

import "bytes"

// Passwords beside a user: in URLs, in logins, in calls that take both.

// scanURL finds the password in scheme://user:password@host, in any scheme, at its "://". The span is the password alone: user
// and host may stay readable.
func scanURL(text []byte, _, hi int) (int, int, bool) {
	stop := min(len(text), hi+512)
	colon, end := userInfo(text[:stop], hi)
	if colon < 0 {
		return scanURLToken(text, hi, stop)
	}
	if end-colon <= minValue || !hostFollows(text, end+1) {
		return 0, 0, false
	}
	return colon + 1, end, isURLPassword(text[hi:colon], text[colon+1:end])
}

// userInfo is where the user ends that begins at lo, and where the password does, each -1 if there is none.
func userInfo(text []byte, lo int) (colon, end int) {
	colon, end = -1, -1
	for i := lo; i < len(text); i++ {
		switch c := text[i]; {
		case c == ':' && colon < 0:
			colon = i
		case c == '@' && colon >= 0:
			end = i // the last @ before the host's end: passwords hold unescaped ones
		case is(c, spaceChar|urlEndChar):
			return colon, end
		case oneOf(c, "/?"):
			// A slash ends the host, unless nothing before it looked like one (base64 passwords).
			if end >= 0 || colon < 0 || allIn(text[colon+1:i], digitChar) {
				return colon, end
			}
		}
	}
	return colon, end
}

// scanURLToken finds a token in the place of user and password: https://token@host.
func scanURLToken(text []byte, lo, stop int) (int, int, bool) {
	end := runEnd(text, lo, stop-lo, tokenChar|urlMarkChar)
	if end-lo < 20 || at(text, end) != '@' || !hostFollows(text, end+1) {
		return 0, 0, false
	}
	v := newValue(text[lo:end], false)
	return lo, end, v.has(looksRandomLong)
}

func hostFollows(text []byte, i int) bool {
	return isAt(text, i, alnumChar) || oneOf(at(text, i), "[${%_.")
}

// databases are the schemes whose URLs have a rule of their own.
var databases = [...]string{
	"postgres", "postgresql", "mysql", "mariadb", "mongodb", "srv", "redis", "rediss", "amqp", "amqps", "sqlserver", "mssql", "oracle",
	"cockroachdb", "clickhouse", "couchdb", "neo4j", "bolt", "cassandra", "elasticsearch", "kafka", "nats", "psycopg2", "asyncpg",
	"pymysql", "mysql2", "snowflake", "redshift", "vertica", "db2", "ldap", "ldaps",
}

// scanDatabaseURL is scanURL for those schemes.
func scanDatabaseURL(text []byte, lo, hi int) (int, int, bool) {
	if !isListed(text[runStart(text, lo, 16, alnumChar):lo], databases[:]) {
		return 0, 0, false
	}
	return scanURL(text, lo, hi)
}

// isURLPassword reports a password in a URL, or in a login written as in one. User and password alike are a default.
func isURLPassword(user, password []byte) bool {
	v := newValue(password, false)
	if v.counts[digits] == 0 && bytes.EqualFold(user, password) {
		return false
	}
	return v.has(looksURLPassword)
}

// isPairPassword reports a password beside a user that no name announces: more is asked of it.
func isPairPassword(user, password []byte) bool {
	v := newValue(password, true)
	return !bytes.EqualFold(user, password) && v.has(looksUserPassword)
}

// cutLogin divides user:password. The user must be a name or an address, the password one word.
func cutLogin(login []byte, without string) (user, password []byte, ok bool) {
	user, password, _ = bytes.Cut(login, []byte(":"))
	if len(user) == 0 || len(password) < minValue || bytes.ContainsAny(password, without) {
		return nil, nil, false
	}
	return user, password, allIn(user, nameChar|userChar)
}

// scanAuth is scanKey for what holds a login or a ticket. One that says user:password in base64 must have a password worth the name.
func scanAuth(text []byte, lo, hi int) (int, int, bool) {
	start, end, ok := scanKey(text, lo, hi)
	if !ok {
		return scanLogin(text, lo, hi)
	}
	if user, password, ok := encodedLogin(text[start:end]); ok {
		return start, end, isLoginPassword(user, password)
	}
	return start, end, true
}

// scanLogin finds the password in auth: "user:password", auth=user:password.
func scanLogin(text []byte, lo, hi int) (int, int, bool) {
	p, ok := newPlace(text, lo, hi)
	if !ok || !p.has(named) || p.has(unset) {
		return 0, 0, false
	}
	end := p.start + p.size
	user, v, ok := cutLogin(text[p.start:end], " :/{}<>")
	if !ok || len(user) > 64 || allIn(v, digitChar) {
		return 0, 0, false
	}
	return end - len(v), end, isPairPassword(user, v) && isURLPassword(user, v)
}

// scanEncoded finds user:password in a call that encodes it for HTTP: b64encode(b"user:password"), btoa('user:password'),
// EncodeToString([]byte("user:password")), Buffer.from("user:password"). Other pairs are encoded as well, so that a password that
// is a word needs a name beside it.
func scanEncoded(text []byte, lo, hi int) (int, int, bool) {
	i := runEnd(text, skipBlank(text, hi), 24, nameChar|bracketChar) // b"…", []byte("…"), utf8("…")
	var a assignment
	if !isAt(text, i, quoteChar) || !a.literal(text, i) || a.end-a.start > 160 {
		return 0, 0, false
	}
	user, password, ok := cutLogin(text[a.start:a.end], " :/{}")
	if !ok || len(password) < 6 && allIn(password, digitChar) || !isURLPassword(user, password) {
		return 0, 0, false
	}
	v := newValue(password, true)
	if v.has(describing) || v.has(namesSecret) {
		return 0, 0, false
	}
	var folded [512]byte
	near := foldTo(folded[:], clip(text, lo-160, a.end+100))
	return a.end - len(password), a.end, v.has(looksMadeUp) || holds(near, []string{"auth", "basic"})
}

// maxArguments is how many arguments of a call are looked at.
const maxArguments = 4

// scanPair finds the password in calls and pairs that take a user and a password without naming either: BasicAuth("user", "v"),
// new NetworkCredential("user", "v"), auth=("user", "v"), PlainAuth("", "user", "v", host), getConnection(url, "user", "v").
func scanPair(text []byte, lo, hi int) (int, int, bool) {
	i, user := hi, []byte(nil)
	for range maxArguments {
		i = runEnd(text, skipSpace(text, i), 8, letterChar|equalChar) // u"…", user="…"
		var a assignment
		literal := isAt(text, i, quoteChar)
		q := at(text, i)
		switch {
		case !literal:
			i = runEnd(text, i, 64, nameChar|blankChar|colonChar|dollarChar)
		case !a.literal(text, i):
			i += 2 // an empty one
		case user != nil:
			return a.start, a.end, isPairPassword(user, text[a.start:a.end])
		case at(text, a.end) != q || bytes.IndexByte(text[a.start:a.end], ' ') >= 0:
			return 0, 0, false
		default:
			if v := text[a.start:a.end]; bytes.IndexByte(v, '/') < 0 {
				user = v
			}
			i = skipSpace(text, a.end+1)
		}
		if at(text, i) != ',' {
			return 0, 0, false
		}
		i++
	}
	return 0, 0, false
}

// scanDefault finds the password that a manual or a help text says is the default: password of the database (default: 'v').
func scanDefault(text []byte, lo, hi int) (int, int, bool) {
	var folded [128]byte
	line := foldTo(folded[:], text[lineStart(text, lo, 120):hi])
	if !holds(line, []string{"password", "passphrase"}) {
		return 0, 0, false
	}
	var a assignment
	if !a.value(text, skipBlank(text, hi)) {
		return 0, 0, false
	}
	v := newValue(text[a.start:a.end], a.quote != 0)
	return a.start, a.end, v.has(looksDefault)
}

// scanAuthorization finds what an Authorization header carries, under any scheme or none: Authorization: Token v,
// "authorization": "v", .header("Authorization", "Key v"). Bearer and Basic have rules of their own.
func scanAuthorization(text []byte, _, hi int) (int, int, bool) {
	start := runEnd(text, hi, 12, blankChar|quoteChar|escapeChar|headerChar)
	if !bytes.ContainsAny(text[hi:start], ":,=") {
		return 0, 0, false
	}
	end := runEnd(text, start, maxValue, tokenChar|base64Char)
	if isScheme(text, start, end) {
		start = end + 1
		end = runEnd(text, start, maxValue, tokenChar|base64Char)
	}
	if oneOf(at(text, end), "([{$") {
		return 0, 0, false
	}
	v := newValue(text[start:end], true)
	return start, end, v.has(looksHeader)
}

// isScheme reports that the word text[start:end] is a scheme and not the value: a blank follows.
func isScheme(text []byte, start, end int) bool {
	size := end - start
	return size > 1 && size < 20 && at(text, end) == ' ' && !bytes.ContainsAny(text[start:end], "0123456789")
}
