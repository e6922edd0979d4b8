package secret

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Values nobody generated are told by where they stand: the whole of a literal, or the whole of a setting, assigned to a name that
// says "password" and nothing else. What is left to tell apart are words that describe a password instead of being one.

// setting reports that a bare value is one of a configuration, not an expression of code: NAME=value, name: value on a line of
// its own in YAML, name=value in properties, ?name=value in a query, -name value of a command.
func (a *assignment) setting(text []byte, lo int) bool {
	nameLo := nameStart(text, lo)
	before := byte('\n')
	switch {
	case nameLo > 2 && text[nameLo-3] == '%' && isHex(text[nameLo-1]):
		before = '&'
	case nameLo > 0 && !escaped(text, nameLo):
		before = text[nameLo-1]
	}
	tight := a.start > 0 && (text[a.start-1] == '=' || text[a.start-1] == ':')
	after := at(text, a.end)
	if escaped(text, a.end+2) || after == '\\' && propertyEscape(at(text, a.end+1)) {
		after = '\n'
	}
	switch {
	case text[nameLo] == '-' && (a.op == ' ' || a.op == '='):
		return true
	case (before == '?' || before == '&') && a.op == '=' && tight:
		return true
	case a.op == ' ' && isSet(text, lo) && lastOfLine(text, a.end):
		return true
	case a.op == ':' && tight && afterFlag(text[:nameLo]):
		return true
	case a.op == '=' && tight && pairEnd(before) && pairEnd(after) && !allUpperName(bytes.Trim(text[nameLo:a.suffix[1]], "0123456789.")):
		v := text[a.start:a.end]
		return ownLine(text, nameLo, a.end) || made(v) || randomValue(v) || len(v) > 5 && digits(v) == len(v) || keyed(text, nameLo, a)
	case (a.op == ':' || a.op == '=') && inFlow(text, nameLo, a.end):
		return made(text[a.start:a.end]) || a.end-a.start == 4 && !pronounceable(text[a.start:a.end])
	case a.op == ':' && tight:
		return ownLine(text, nameLo, a.end) && made(text[a.start:a.end])
	case (a.op == ':' || a.op == '=' && before == ' ' && bytes.HasSuffix(text[:a.start], []byte(" => "))) && lastOfLine(text, a.end) && made(text[a.start:a.end]):
		return true
	case a.op == '=' && tight && before == ';' && (after == ';' || isQuote(after)):
		return true
	case after != 0 && after > ' ' && after != '"' && after != '\'' && after != '`':
		return false
	case a.op == ':' && isQuote(before) && after == before && a.start-nameLo < maxName:
		return made(text[a.start:a.end]) // "NAME: value" as a literal
	case allUpperName(bytes.Trim(text[nameLo:a.suffix[1]], "0123456789.")):
		return a.op == '=' && tight || (a.op == ':' || made(text[a.start:a.end])) && ownLine(text, nameLo, a.end)
	}
	return ownLine(text, nameLo, a.end) && (a.op == ':' || a.op == ' ' || a.op == '=' && (tight || made(text[a.start:a.end]) && bytes.IndexAny(text[a.start:a.end], "_.") < 0 || underSection(text, nameLo)))
}

// lastOfLine reports that nothing follows on the line.
func lastOfLine(text []byte, hi int) bool {
	i := skipBlank(text, hi)
	return i >= len(text) || text[i] == '\n' || text[i] == '\r'
}

// pairEnd reports what stands before and after one of several settings on a line: host=h password=v, "k=v", a=b&c=d.
func pairEnd(c byte) bool {
	return c == 0 || c <= ' ' || c == '"' || c == '\'' || c == '`' || c == '&' || c == ';' || c == '\\'
}

// keyed reports that the line has other settings that go with a password.
func keyed(text []byte, lo int, a *assignment) bool {
	hi := a.end
	from, to := lineAt(text, max(0, lo-120), lo), min(len(text), hi+120)
	if i := bytes.IndexByte(text[hi:to], '\n'); i >= 0 {
		to = hi + i
	}
	line := text[from:to]
	for _, k := range [...]string{"user=", "host=", "username=", "dbname=", "login=", "uid=", "server="} {
		if i := bytes.Index(line, []byte(k)); i >= 0 {
			return !bytes.HasPrefix(line[i+len(k):], text[a.start:a.end]) // user and password alike are a default
		}
	}
	return false
}

// lineAt is where the line of hi begins, lo at least.
func lineAt(text []byte, lo, hi int) int {
	if i := bytes.LastIndexByte(text[lo:hi], '\n'); i >= 0 {
		return lo + i + 1
	}
	return lo
}

// inFlow reports a pair of a YAML flow mapping whose value is bare: {user: a, password: b}.
func inFlow(text []byte, lo, hi int) bool {
	before := bytes.TrimRight(text[max(0, lo-16):lo], " \t")
	after := bytes.TrimLeft(text[hi:min(len(text), hi+16)], " \t")
	return len(before) > 0 && (before[len(before)-1] == '{' || before[len(before)-1] == ',') && len(after) > 0 && (after[0] == '}' || after[0] == ',')
}

// underSection reports that a line of the form [section] stands above, as in INI files.
func underSection(text []byte, lo int) bool {
	above := text[max(0, lo-1200):lo]
	for {
		i := bytes.LastIndexByte(above, '\n')
		if i < 0 {
			return false
		}
		if len(above) > i+1 && above[i+1] == '[' {
			line := above[i+1:]
			if j := bytes.IndexByte(line, '\n'); j > 0 {
				line = bytes.TrimRight(line[:j], " \t\r")
			}
			return len(line) > 2 && line[len(line)-1] == ']' && bytes.IndexAny(line, "(){}\"',") < 0
		}
		above = above[:i]
	}
}

// afterFlag reports that a name follows an option: openssl's "-passin pass:value".
func afterFlag(head []byte) bool {
	head = bytes.TrimRight(head, " \t\"'")
	word := head[bytes.LastIndexAny(head, " \t\n\"'")+1:]
	return len(word) > 4 && word[0] == '-' && (bytes.HasPrefix(word, []byte("-pass")) || bytes.HasPrefix(word, []byte("--pass")))
}

// ownLine reports that nothing but an indentation stands before a name and nothing but a comment after its value, and that the
// lines around do not look like those of an argument list or an object literal.
func ownLine(text []byte, lo, hi int) bool {
	start := bytes.LastIndexByte(text[:lo], '\n') + 1
	if len(bytes.Trim(text[start:lo], " \t-#/*")) > 0 {
		return false
	}
	rest := text[hi:min(len(text), hi+200)]
	line := rest
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		line = rest[:i]
	}
	if tail := bytes.TrimSpace(line); len(tail) > 0 && tail[0] != '#' && tail[0] != '\\' {
		return false
	}
	above := bytes.TrimRight(text[max(0, start-200):start], " \t\r\n")
	if n := len(above); n > 0 && bytes.IndexByte([]byte(",({["), above[n-1]) >= 0 {
		return false
	}
	below := bytes.TrimLeft(rest[len(line):], " \t\r\n")
	return len(below) == 0 || below[0] != '}' && below[0] != ')' && below[0] != ']'
}

// describing are the words that stand where a password would, and are none; compared as a whole.
var describing = [...]string{
	"string", "str", "text", "hidden", "none", "null", "nil", "true", "false", "required", "optional", "value", "name", "user", "username", "email",
	"login", "input", "field", "confirm", "confirmation", "change", "changed", "reset", "forgot", "invalid", "wrong", "incorrect", "missing", "empty",
	"unknown", "default", "basic", "plain", "plaintext", "cleartext", "encrypted", "encrypt", "hash", "hashed", "bcrypt", "argon2", "pbkdf2", "scrypt",
	"integer", "number", "bytes", "boolean", "object", "array", "any", "undefined", "function", "auth", "authentication", "authorization", "local",
	"self", "this", "const", "var", "type", "kind", "label", "title", "description", "placeholder", "update", "updated", "create", "created", "delete",
	"remove", "removed", "insert", "select", "where", "grant", "generate", "generated", "random", "prompt", "stdin", "file", "env", "environment",
	"config", "cookie", "header", "body", "query", "param", "params", "args", "data", "json", "form", "http", "https", "data-password", "off", "on",
	"yes", "no", "new", "old", "current", "example", "sample", "varchar", "char", "secure", "protected", "private", "public", "static", "error", "errors",
	"success", "failed", "failure", "message", "code", "expired", "expires", "valid", "weak", "strong", "short", "long", "client", "server", "database",
	"ldap", "sasl", "oauth", "oauth2", "saml", "legacy", "always", "never", "enabled", "disabled", "redacted", "masked", "filtered", "foo", "bar", "baz",
	"test", "testing", "tests", "tester", "admin", "root", "guest", "demo", "admin123", "abc123", "test123", "123456", "123456789", "qwerty", "letmein", "newpass", "oldpass", "pass1", "pass2",
	"passwort", "kennwort", "wachtwoord", "contrasena", "senha", "haslo", "heslo", "parola", "salasana", "losenord", "adgangskode", "passord", "jelszo", "lozinka", "sifre", "geslo", "sandi",
	"asdf", "asdf1234", "asdfasdf", "asdfgh", "hello", "ignored", "ignore", "nope", "secretstr", "passcode", "option", "result", "request", "response", "callback", "register", "signup", "signin", "account", "settings", "profile", "security",
}

// weakPassword accepts what people type: four characters or more without blanks, but for words that describe, names, and text that
// is filled in later.
func weakPassword(v []byte, quoted bool) bool {
	if len(v) < minValue || len(v) > 64 || isUUID(v) || isPlaceholder(v) || hasMaskRun(v) {
		return false
	}
	v = bytes.TrimRight(v, "=")
	lower, upper, digit, other := classes(v)
	if len(v) < minValue || allSame(v) || lower+upper == 0 && !symbolic(v) && (digit < 5 || isFiller(v) || !quoted || other > 0) {
		return false
	}
	if bytes.IndexAny(v, " \t<>[]{}\\\"'`,;|=$") >= 0 || bytes.IndexByte(v, '/') >= 0 || !isASCII(v) && !symbolic(v) || bytes.Contains(v, []byte("()")) {
		return false
	}
	if digit == 0 && (bytes.IndexAny(v, ".:()%") >= 0 || (upper > 0 && upper == len(v)-other || isTitle(v)) && !(len(v) > 5 && hasOddPart(v)) && !(len(v) == 4 && other == 0 && likeness(v) < -9)) {
		return false
	}
	if n := lower + upper; other > 0 && n > 4 && (hasCamel(v) || bytes.IndexAny(v, "_-.") >= 0) && isWordy(v) && digit == 0 && !hasOddPart(v) && severalWords(v) {
		return false // a name of several words
	}
	if hasCamel(v) && isWordy(v) && digit == 0 && !hasOddPart(v) && !oddMix(v) {
		return false
	}
	return !describes(v) && !hasNameStop(v)
}

// symbolic reports text with characters outside ASCII that no language writes in a label: currency, emoji, numerals, and letters
// with digits or marks among them. The same sign over and over is a mask.
func symbolic(v []byte) bool {
	if isASCII(v) {
		return false
	}
	signs, letters := 0, 0
	kinds := map[rune]bool{}
	for _, r := range string(v) {
		switch {
		case r == utf8.RuneError || unicode.IsSpace(r) || unicode.IsControl(r):
			return false
		case r > unicode.MaxASCII && unicode.In(r, unicode.S, unicode.Nl, unicode.No):
			signs++
		case unicode.IsLetter(r):
			letters++
		}
		kinds[r] = true
	}
	return signs > 0 && len(kinds) > 2 && (letters > 0 || signs > 2)
}

// nameStops stand in what names or describes a secret, and in what stands for one.
var nameStops = [...]string{"passw", "passwd", "passphrase", "secret", "token", "credential", "pwd", "mypass", "userpass", "dbpass", "yourpass", "s3cr3t", "t0k3n", "p4ss", "passw0rd", "pa55", "my_", "my-", "api_key", "api-key", "apikey", "access_key"}

func hasNameStop(v []byte) bool {
	var folded [40]byte
	low := foldTo(folded[:], v)
	for _, word := range nameStops {
		if bytes.Contains(low, []byte(word)) {
			return true
		}
	}
	return string(low) == "pass"
}

func describes(v []byte) bool {
	v = bytes.TrimRight(v, "!?:")
	for _, word := range describing {
		if equalFold(v, word) {
			return true
		}
	}
	return false
}

// foldTo writes the beginning of v in lower case to buf.
func foldTo(buf, v []byte) []byte {
	buf = buf[:copy(buf, v)]
	for i, c := range buf {
		if isUpper(c) {
			buf[i] = c + 'a' - 'A'
		}
	}
	return buf
}

// shortToken accepts values of eight characters or more that are no words: what a test, a log or a cassette holds of a real one.
func shortToken(v []byte, quoted bool) bool {
	if len(v) < 8 || len(v) > 512 || !isSecretWord(v) || isUUID(v) || isFiller(v) || isPlaceholder(v) || isPathLike(v) || hasNameStop(v) || describes(v) {
		return false
	}
	lower, upper, digit, other := classes(v)
	switch {
	case lower+upper == 0, other*3 > len(v):
		return false
	case digit == 0 && (len(v) < 9 || upper == len(v)-other && len(v) < 16 || !hasOddPart(v) && (!oddMix(v) || bytes.IndexAny(v, "_-.") >= 0)):
		return false
	case digit == 1 && !quoted && len(v) < 12:
		return false
	case bytes.IndexByte(v, '.') >= 0 && len(v) < 24, bytes.IndexByte(v, ':') >= 0 && len(v) < 16:
		return false
	case digit == 0 && bytes.IndexAny(v, "_-") > 0 && allUpperName(v):
		return false
	case v[0] == '@' || v[0] == '#' || v[0] == '.' || v[0] == '/' || v[0] == '?':
		return false
	}
	return entropy(v) >= 2.3 && !isWordy(v) && !hasWords(v)
}

// hasWords reports two parts or more, divided by marks or camel humps, of which most are words or short.
func hasWords(v []byte) bool {
	parts, words := 0, 0
	for i := 0; i < len(v); {
		j := hump(v, i)
		if j == i {
			i++
			continue
		}
		parts++
		if pronounceable(v[i:j]) {
			words++
		}
		i = j
	}
	return parts > 1 && words*2 > parts
}

// names reports that a name ends with the keyword, or goes on to what still says "the value": secret_key, token1, API_KEY_TEST.
func (a *assignment) names(text []byte) bool {
	var folded [maxName]byte
	if bytes.Equal(text[a.suffix[0]:a.suffix[1]], []byte(".new")) {
		return false // a constructor
	}
	rest := foldTo(folded[:], text[a.suffix[0]:a.suffix[1]])
	s := bytes.Trim(rest, "_-.0123456789")
	if len(s) == 1 && digits(rest) > 0 {
		return true // numbered: KEY_A1
	}
	for _, rest := range [...]string{"", "s", "confirmation", "confirm", "repeat", "again", "verify", "auth", "key", "value", "val", "string", "str", "text", "base64", "b64", "hex", "bytes", "old", "new", "test", "prod", "dev", "live", "admin", "default", "plain", "token", "secret", "word", "a", "b", "one", "two", "expect", "expected", "actual", "code"} {
		if string(s) == rest {
			return true
		}
	}
	return false
}

// assigned reports that the operator gives the name its value; in a call, the literal might be a key to look it up by.
func (a *assignment) assigned() bool {
	return a.op == '=' || a.op == ':' || a.op == ' ' || a.op == '|' || a.op == '?' || a.op == '!'
}

func isASCII(v []byte) bool {
	for _, c := range v {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

func allSame(v []byte) bool {
	for _, c := range v {
		if c != v[0] {
			return false
		}
	}
	return true
}

// isTitle reports one capitalised word, as translations of "password" are.
func isTitle(v []byte) bool {
	if !isUpper(v[0]) {
		return false
	}
	for _, c := range v[1:] {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

func hasCamel(v []byte) bool {
	for i := 1; i < len(v); i++ {
		if isUpper(v[i]) && v[i-1] >= 'a' && v[i-1] <= 'z' {
			return true
		}
	}
	return false
}
