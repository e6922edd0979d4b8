package secret

import "bytes"

// Values nobody generated are told by where they stand: the whole of a literal, or the whole of a setting, assigned to a name that
// says "password" and nothing else. What is left to tell apart are words that describe a password instead of being one.

// setting reports that a bare value is one of a configuration, not an expression of code: NAME=value, name: value on a line of
// its own in YAML, name=value in properties, ?name=value in a query, -name value of a command.
func (a *assignment) setting(text []byte, lo int) bool {
	nameLo := lo
	for nameLo > 0 && lo-nameLo < maxName && isNameByte(text[nameLo-1]) {
		nameLo--
	}
	before := byte('\n')
	if nameLo > 0 {
		before = text[nameLo-1]
	}
	tight := a.start > 0 && (text[a.start-1] == '=' || text[a.start-1] == ':')
	after := at(text, a.end)
	switch {
	case text[nameLo] == '-' && (a.op == ' ' || a.op == '='):
		return true
	case (before == '?' || before == '&') && a.op == '=' && tight:
		return true
	case a.op == ':' && tight:
		return afterFlag(text[:nameLo])
	case after != 0 && after > ' ' && after != '"' && after != '\'' && after != '`':
		return false
	case allUpperName(bytes.Trim(text[nameLo:a.suffix[1]], "0123456789.")):
		return a.op == '=' && tight || a.op == ':' && ownLine(text, nameLo, a.end)
	}
	return ownLine(text, nameLo, a.end) && (a.op == ':' || a.op == '=' && tight)
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
	"secretstr", "option", "result", "request", "response", "callback", "register", "signup", "signin", "account", "settings", "profile", "security",
}

// weakPassword accepts what people type: four characters or more without blanks, but for words that describe, names, and text that
// is filled in later.
func weakPassword(v []byte, quoted bool) bool {
	if len(v) < minValue || len(v) > 64 || isUUID(v) || isPlaceholder(v) || hasMaskRun(v) {
		return false
	}
	v = bytes.TrimRight(v, "=")
	lower, upper, digit, other := classes(v)
	if len(v) < minValue || allSame(v) || lower+upper == 0 && (digit < 6 || !quoted || other > 0) {
		return false
	}
	if bytes.IndexAny(v, " \t<>[]{}\\\"'`,;|=$") >= 0 || bytes.IndexByte(v, '/') >= 0 || !isASCII(v) || bytes.Contains(v, []byte("()")) {
		return false
	}
	if digit == 0 && (bytes.IndexAny(v, ".:()%") >= 0 || upper == len(v)-other || isTitle(v)) {
		return false
	}
	if n := lower + upper; other > 0 && n > 4 && (hasCamel(v) || bytes.IndexAny(v, "_-.") >= 0) && isWordy(v) && digit == 0 {
		return false // a name of several words
	}
	if hasCamel(v) && isWordy(v) && digit == 0 {
		return false
	}
	return !describes(v) && !hasNameStop(v)
}

// nameStops stand in what names or describes a secret, and in what stands for one.
var nameStops = [...]string{"passw", "passwd", "passphrase", "secret", "token", "credential", "pwd", "mypass", "userpass", "dbpass", "yourpass"}

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
	case digit == 0 && (len(v) < 9 || upper == len(v)-other && len(v) < 16):
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
		j := i
		for j < len(v) && isLetter(v[j]) && (j == i || !isUpper(v[j]) || isUpper(v[j-1])) {
			j++
		}
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
	s := bytes.Trim(foldTo(folded[:], text[a.suffix[0]:a.suffix[1]]), "_-.0123456789")
	for _, rest := range [...]string{"", "s", "confirmation", "confirm", "repeat", "again", "verify", "auth", "key", "value", "val", "string", "str", "text", "base64", "b64", "hex", "old", "new", "test", "prod", "dev", "live", "admin", "default", "plain", "token", "secret", "word", "a", "b", "one", "two"} {
		if string(s) == rest {
			return true
		}
	}
	return false
}

// assigned reports that the operator gives the name its value; in a call, the literal might be a key to look it up by.
func (a *assignment) assigned() bool {
	return a.op == '=' || a.op == ':' || a.op == ' ' || a.op == '|' || a.op == '?'
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
