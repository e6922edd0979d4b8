package secret

import (
	"bytes"
	"encoding/base64"

	"ken/internal/engine/source/secret/look"
)

// Passwords beside a user: in URLs, in logins, in calls that take both.

// scanURL finds the password in scheme://user:password@host, in any scheme, at its "://". The span is the password alone: user
// and host may stay readable.
func scanURL(text []byte, _, hi int) (int, int, bool) {
	stop := min(len(text), hi+512)
	colon, end := userInfo(text[:stop], hi)
	if colon < 0 {
		return scanURLToken(text, hi, stop)
	}
	if end-colon <= look.MinLength || !hostFollows(text, end+1) {
		return 0, 0, false
	}
	return colon + 1, end, isURLPassword(text[hi:colon], text[colon+1:end])
}

// userInfo returns the end of the user name that begins at lo, and the end of the password after it; each is -1 if there is none.
func userInfo(text []byte, lo int) (colon, end int) {
	colon, end = -1, -1
	for i := lo; i < len(text); i++ {
		switch c := text[i]; {
		case c == ':' && colon < 0:
			colon = i
		case c == '@' && colon >= 0:
			end = i // the last @ before the host's end: passwords contain unescaped ones
		case look.Is(c, look.Space|look.URLEnd):
			return colon, end
		case look.IsIn(c, "/?"):
			// A slash ends the host, unless nothing before it looked like one (base64 passwords).
			if end >= 0 || colon < 0 || look.All(text[colon+1:i], look.Digit) {
				return colon, end
			}
		}
	}
	return colon, end
}

// scanURLToken finds a token in the place of user and password: https://token@host.
func scanURLToken(text []byte, lo, stop int) (int, int, bool) {
	end := look.RunEnd(text, lo, stop-lo, look.Token|look.URLMark)
	if end-lo < 20 || !look.HasAt(text, end, "@") {
		return 0, 0, false
	}
	if !hostFollows(text, end+1) {
		return 0, 0, false
	}
	v := look.New(text[lo:end], false)
	return lo, end, v.Has(look.RandomLong)
}

func hostFollows(text []byte, i int) bool {
	return look.IsAt(text, i, look.Alnum) || look.IsIn(look.At(text, i), "[${%_.")
}

// databases are the schemes whose URLs have a rule of their own.
var databases = [...]string{
	"postgres", "postgresql", "mysql", "mariadb", "mongodb", "srv", "redis", "rediss", "amqp", "amqps", "sqlserver", "mssql", "oracle",
	"cockroachdb", "clickhouse", "couchdb", "neo4j", "bolt", "cassandra", "elasticsearch", "kafka", "nats", "psycopg2", "asyncpg",
	"pymysql", "mysql2", "snowflake", "redshift", "vertica", "db2", "ldap", "ldaps",
}

// scanDatabaseURL does the same as scanURL for the schemes of databases.
func scanDatabaseURL(text []byte, lo, hi int) (int, int, bool) {
	if !look.EqualsAnyFold(text[look.RunStart(text, lo, 16, look.Alnum):lo], databases[:]) {
		return 0, 0, false
	}
	return scanURL(text, lo, hi)
}

// isURLPassword reports whether the password of a URL, or of a login in the same form, is a secret. If user and
// password are equal and have no digit, it is a default and no secret.
func isURLPassword(user, password []byte) bool {
	v := look.New(password, false)
	digits, beforeLast := v.Counts[look.Digits], v.Counts[look.Length]-1
	isPort := digits == beforeLast && digits < 6
	if isPort && !look.Is(look.Last(password), look.Alnum) {
		return false // a mark ends the address: https://host:8000;@b
	}
	if digits == 0 && bytes.EqualFold(user, password) {
		return false
	}
	return v.Has(look.URLPassword)
}

// isPairPassword reports whether a password next to a user is a secret, where no name announces a password.
func isPairPassword(user, password []byte) bool {
	v := look.New(password, true)
	return !bytes.EqualFold(user, password) && v.Has(look.UserPassword)
}

// cutLogin splits user:password. The user must be a name or an address, and the password must contain no character of without.
func cutLogin(login []byte, without string) (user, password []byte, ok bool) {
	user, password, _ = bytes.Cut(login, []byte(":"))
	switch {
	case len(user) == 0, len(password) < look.MinLength, bytes.ContainsAny(password, without):
		return nil, nil, false
	}
	return user, password, look.All(user, look.Name|look.User)
}

// scanAuth does the same as scanKey for names of logins and tickets. If the value is user:password in base64, the password must look like
// a real one.
func scanAuth(text []byte, lo, hi int) (int, int, bool) {
	start, end, ok := scanKey(text, lo, hi)
	if !ok {
		return scanLogin(text, lo, hi)
	}
	if user, password, ok := decodeLogin(text[start:end]); ok {
		return start, end, isLoginPassword(user, password)
	}
	return start, end, true
}

// scanLogin finds the password in the forms auth: "user:password" and auth=user:password.
func scanLogin(text []byte, lo, hi int) (int, int, bool) {
	p := readPlace(text, lo, hi)
	defer p.free()
	if p == nil || !p.hasProperty(named) {
		return 0, 0, false
	}
	end := p.start + p.size
	if p.hasProperty(unset) {
		return p.start, end, false
	}
	user, password, ok := cutLogin(text[p.start:end], " :/{}<>")
	isPort := look.All(password, look.Digit)
	if !ok || len(user) > 64 || isPort {
		return p.start, end, false
	}
	return end - len(password), end, isPairPassword(user, password) && isURLPassword(user, password)
}

// scanEncoded finds user:password in a call that encodes it for HTTP: b64encode(b"user:password"), btoa('user:password'),
// EncodeToString([]byte("user:password")), Buffer.from("user:password"). Other pairs are encoded as well, so that a password that
// is a word needs a name beside it.
func scanEncoded(text []byte, lo, hi int) (int, int, bool) {
	i := look.RunEnd(text, look.SkipBlank(text, hi), 24, look.Name|look.Bracket) // b"…", []byte("…"), utf8("…")
	var a assignment
	if !a.readQuoted(text, i) || a.end-a.start > 160 {
		return 0, 0, false
	}
	user, password, ok := cutLogin(text[a.start:a.end], " :/{}")
	if !ok || !isURLPassword(user, password) {
		return 0, 0, false
	}
	if len(password) < 6 && look.All(password, look.Digit) {
		return 0, 0, false
	}
	v := look.New(password, true)
	if v.HasAny(look.Describing, look.NamesSecret) {
		return 0, 0, false
	}
	var folded [512]byte
	near := look.Fold(folded[:], look.Clip(text, lo-160, a.end+100))
	return a.end - len(password), a.end, v.Has(look.MadeUp) || look.ContainsAny(near, []string{"auth", "basic"})
}

// maxArguments is the maximal number of arguments of a call that are read.
const maxArguments = 4

// scanPair finds the password in calls and pairs that take a user and a password without naming either: BasicAuth("user", "v"),
// new NetworkCredential("user", "v"), auth=("user", "v"), PlainAuth("", "user", "v", host), getConnection(url, "user", "v").
func scanPair(text []byte, lo, hi int) (int, int, bool) {
	i, user := hi, []byte(nil)
	for range maxArguments {
		i = look.RunEnd(text, look.SkipSpace(text, i), 8, look.Letter|look.Equal) // u"…", user="…"
		var a assignment
		q := look.At(text, i)
		switch {
		case !look.Is(q, look.Quote):
			i = look.RunEnd(text, i, 64, look.Name|look.Blank|look.Colon|look.Dollar)
		case !a.readLiteral(text, i):
			i += 2 // an empty one
		case user != nil:
			return a.start, a.end, isPairPassword(user, text[a.start:a.end])
		case look.At(text, a.end) != q, bytes.IndexByte(text[a.start:a.end], ' ') >= 0:
			return 0, 0, false
		default:
			if v := text[a.start:a.end]; bytes.IndexByte(v, '/') < 0 {
				user = v
			}
			i = look.SkipSpace(text, a.end+1)
		}
		if look.At(text, i) != ',' {
			return 0, 0, false
		}
		i++
	}
	return 0, 0, false
}

// scanDefault finds the default password in a manual or a help text: password of the database (default: 'v').
func scanDefault(text []byte, lo, hi int) (int, int, bool) {
	var folded [128]byte
	line := look.Fold(folded[:], text[look.LineStart(text, lo, 120):hi])
	if !look.ContainsAny(line, []string{"password", "passphrase"}) {
		return 0, 0, false
	}
	var a assignment
	if !a.readValue(text, look.SkipBlank(text, hi)) {
		return 0, 0, false
	}
	v := look.New(text[a.start:a.end], a.quote != 0)
	return a.start, a.end, v.Has(look.Default)
}

// scanAuthorization finds the credential in an Authorization header, under any scheme or none: Authorization: Token v,
// "authorization": "v", .header("Authorization", "Key v"). Bearer and Basic have rules of their own.
func scanAuthorization(text []byte, _, hi int) (int, int, bool) {
	start := look.RunEnd(text, hi, 12, look.Blank|look.Quote|look.Escape|look.Header)
	if !bytes.ContainsAny(text[hi:start], ":,=") {
		return 0, 0, false
	}
	end := look.RunEnd(text, start, look.MaxLength, look.Token|look.Base64)
	if isScheme(text, start, end) {
		start = end + 1
		end = look.RunEnd(text, start, look.MaxLength, look.Token|look.Base64)
	}
	if look.IsIn(look.At(text, end), "([{$") {
		return 0, 0, false
	}
	v := look.New(text[start:end], true)
	return start, end, v.HasAny(look.HeaderValue, look.RandomUUID)
}

// isScheme reports whether the word text[start:end] is a scheme and not the value: a word of letters and marks that a blank follows.
func isScheme(text []byte, start, end int) bool {
	size := end - start
	if size < 2 || size > 19 {
		return false
	}
	if look.At(text, end) != ' ' {
		return false
	}
	return look.Count(text[start:end], look.Digit) == 0
}

// isRegistryAuth reports whether v is the login of a package registry: base64 of user:password, or a value that may be one.
func isRegistryAuth(v []byte) bool {
	if user, password, ok := decodeLogin(v); ok {
		return isLoginPassword(user, password)
	}
	x := look.New(v, false)
	return x.Has(look.Unworded)
}

// decodeLogin returns the user and the password that v has in base64.
func decodeLogin(v []byte) (user, password []byte, ok bool) {
	plain, ok := decodeBase64(v)
	if !ok || !look.All(plain, look.Print) {
		return nil, nil, false
	}
	return bytes.Cut(plain, []byte(":"))
}

// isLoginPassword reports whether a password next to a user looks like a real one.
func isLoginPassword(user, password []byte) bool {
	return len(password) >= look.MinLength && isURLPassword(user, password)
}

// isBasicAuth reports whether the value after "Basic" in a header is a secret: base64 of user:password.
func isBasicAuth(v []byte) bool {
	if plain, _ := decodeBase64(v); look.Last(v) == '=' && !look.All(plain, look.Print) {
		n := look.New(v, false).Counts
		return min(n[look.Lowers], n[look.Uppers], n[look.Digits]) > 0 // a password in another character set
	}
	_, password, ok := decodeLogin(v)
	return ok && len(password) > 2 && !look.IsPlaceholder(password)
}

// decodeBase64 decodes the first characters of v from base64, of either alphabet.
func decodeBase64(v []byte) ([]byte, bool) {
	var buf [192]byte
	v = bytes.TrimRight(v, "=")
	v = v[:min(len(v), 256)]
	if len(v)%4 == 1 {
		v = v[:len(v)-1]
	}
	n, err := base64.RawStdEncoding.Decode(buf[:], v)
	if err != nil {
		n, err = base64.RawURLEncoding.Decode(buf[:], v)
	}
	return buf[:n], err == nil
}
