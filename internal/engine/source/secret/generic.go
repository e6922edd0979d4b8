package secret

import "bytes"

// otherThings are the name parts that make "secret…" or "token…" the name of something that is not the value itself.
var otherThings = [...]string{
	"name", "ref", "path", "file", "url", "uri", "type", "len", "size", "count", "regex", "pattern", "header", "field", "label",
	"prefix", "suffix", "id", "arn", "expir", "ttl", "policy", "index", "kind", "class", "error", "err", "msg", "message", "hint", "status",
	"endpoint", "audience", "issuer", "limit", "format", "algo", "version", "provider", "source", "mount", "dir", "list", "map", "lifetime",
	"template", "placeholder", "description", "desc", "title", "store", "manager", "review", "request", "namespace", "host", "hash", "digest",
	"checksum", "sha", "column", "param", "var", "env", "attr", "prop", "mode", "enabled", "required", "rule", "valid", "location", "public",
	"fingerprint", "thumbprint", "method", "strength", "resource", "scheme", "encryption", "group", "role", "scope", "usage", "usages", "ize", "iz", "kinds", "pos", "start", "end", "cache", "stream", "reader", "set", "tree",
}

// scanSecret, scanToken and scanAPIKey are the seed's generic rules: a long random value assigned to a telling name.
func scanGeneric(text []byte, lo, hi int) (int, int, bool) {
	a, ok := assignedTo(text, hi)
	if !ok || namesOther(text, lo, a.suffix) || !a.inCode(text) {
		return 0, 0, false
	}
	v := a.joined(text)
	random := randomValue(v) || a.quote != 0 && a.assigned() && a.names(text) && noisyValue(v) || a.whole(text, lo) && a.names(text) && (shortToken(v, a.quote != 0) || (len(v) >= 12 || len(v) >= 8 && digits(v) > 2) && passwordValue(v, a.quote != 0)) ||
		a.whole(text, lo) && allClasses(v) && passwordValue(v, a.quote != 0)
	if hashContext(text, lo, a.start) || headHas(nameHead(text, lo), []string{"public"}) {
		return 0, 0, false
	}
	if !random && (a.whole(text, lo) || a.setter(text, lo)) && a.names(text) {
		random = len(v) > 5 && digits(v) == len(v) && a.quote != 0 && equalFold(text[lo:hi], "secret") && !isFiller(v) || made(v) && (a.quote != 0 || len(v) > 7 || digits(v) > 0) || spacedGroups(v) || a.quote != 0 && (markedPassword(v) || phrase(v))
	}
	if !random && a.quote != 0 && a.assigned() && a.names(text) {
		return partOf(text, a.start, a.end)
	}
	if random && a.end-a.start == maxValue {
		a.end = base64Run(text, a.end) // cut: the rest must not stay readable
	}
	return a.start, a.last(text), random
}

// passing are the heads of names of tokens that name a request, not a right.
var passing = [...]string{"client", "idempot", "request", "continu", "next", "page", "cursor", "sync", "csrf", "xsrf", "trace", "correlation", "cancel", "upload", "event", "device", "namespace"}

// scanPassword accepts what people make up too: shorter, and mixed in its characters.
func scanPassword(text []byte, lo, hi int) (int, int, bool) {
	if short := hi - lo; short <= 5 && !startsWord(text, lo) && !endsName(text, lo, hi) {
		return 0, 0, false
	}
	a, ok := assignedTo(text, hi)
	if !ok || namesOther(text, lo, a.suffix) || !a.inCode(text) {
		return 0, 0, false
	}
	v := a.joined(text)
	quoted := a.quote != 0
	ok = passwordValue(v, quoted) || quoted && a.assigned() && (noisyValue(v) || a.names(text) && (markedPassword(v) || phrase(v))) ||
		(a.whole(text, lo) || a.setter(text, lo)) && a.names(text) && (weakPassword(v, quoted) || made(v) || randomValue(v) && !hasWords(v) && bytes.IndexByte(v, ':') < 0 || spacedGroups(v))
	ok = ok || (a.op == '=' || a.op == ':' && a.quote == 0) && a.names(text) && len(v) > 5 && digits(v) == len(v) && !isFiller(v) && a.setting(text, lo)
	ok = ok || quoted && a.assigned() && (a.names(text) && jumble(v) || hi-lo > 5 && made(v))
	ok = ok || a.quote == 0 && allClasses(v) && markedPassword(v) && a.setting(text, lo)
	return a.start, a.last(text), ok && at(v, 0) != '#'
}

// scanShortPassword is scanPassword for keywords that are short or misspelt.
func scanShortPassword(text []byte, lo, hi int) (int, int, bool) {
	if c := at(text, hi); hi-lo == 2 && isLetter(c) && !(isUpper(c) && text[hi-1] == 'w') {
		return 0, 0, false // pwd, or within a word
	}
	return scanPassword(text, lo, hi)
}

// whole reports that the value is all that the name is given: a literal, or a setting.
func (a *assignment) whole(text []byte, lo int) bool {
	switch {
	case a.more && digits(text[a.start:a.end]) == 0:
		return false
	case a.op == ' ' && a.quote == 0:
		v := text[a.start:a.end]
		return digits(v) > 0 || !isWordy(v) // a word behind --password may go on with the sentence
	case a.op == ' ':
		return a.quote != '`' && a.suffix[0]-lo > 4
	case a.quote != 0:
		return a.assigned()
	case a.op == '>':
		return a.element(text)
	case a.block:
		return a.alone(text)
	}
	return a.setting(text, lo)
}

// startsWord reports that a name part begins at lo: short keywords ("pass", "pwd") would else be found inside words.
func startsWord(text []byte, lo int) bool {
	return lo == 0 || !isAlnum(text[lo-1]) || escaped(text, lo) || isUpper(text[lo]) && !isUpper(text[lo-1]) || text[lo] == '_'
}

// endsName reports that a short keyword ends a name that is written in one: ftppass, mailpwd; compass and bypass are words.
func endsName(text []byte, lo, hi int) bool {
	if c := at(text, hi); hi-lo < 3 || isLetter(c) || c == '_' {
		return false
	}
	start := lo
	for start > 0 && isLetter(text[start-1]) && !isUpper(text[start-1]) {
		start--
	}
	for _, word := range [...]string{"com", "by", "tres", "sur", "over", "under", "encom", "im"} {
		if string(text[start:lo]) == word {
			return false
		}
	}
	return lo-start > 1
}

// namesOther reports that the name goes on to something that is not the value: secretName, token_url. Unknown name parts are let
// pass: the value has to convince in any case.
func namesOther(text []byte, lo int, suffix [2]int) bool {
	var folded [maxName]byte
	s := bytes.Trim(text[suffix[0]:suffix[1]], "_-.")
	s = folded[:copy(folded[:], s)]
	for i, c := range s {
		if isUpper(c) {
			s[i] = c + 'a' - 'A'
		}
	}
	if bytes.HasPrefix(s, []byte("word")) && text[suffix[0]-1]|0x20 == 'y' {
		return true // a keyword
	}
	for _, word := range otherThings {
		if bytes.HasSuffix(s, []byte(word)) || len(word) > 3 && bytes.HasPrefix(s, []byte(word)) {
			return true
		}
	}
	return lo >= 7 && bytes.EqualFold(text[lo-7:lo], []byte("public_"))
}

// inCode drops bare words that are code: calls, indexing, members, types.
func (a *assignment) inCode(text []byte) bool {
	if a.quote != 0 {
		return true
	}
	v := text[a.start:a.end]
	if bytes.IndexAny(v, "([{\\") >= 0 || v[0] == '$' && !isBcrypt(v) || a.op == '(' || a.op == ',' {
		return false
	}
	if a.element(text) || a.block && a.alone(text) && bytes.IndexByte(v, '.') < 0 {
		return true
	}
	if digits(v) == 0 || bytes.IndexByte(v, '.') > 0 && isLetter(v[0]) && !isPathLike(v) && dotted(v) {
		return a.setting(text, a.suffix[0]) && (bytes.IndexByte(v, '.') < 0 ||
			digits(v) > 0 && (a.op == ':' && isBlank(text[a.start-1]) || a.op == '=' && text[a.start-1] == '=' && ownLine(text, nameStart(text, a.suffix[0]), a.end)))
	}
	if c := at(text, a.end); c == '(' || c == '[' || c == '"' && a.op != '=' && !randomValue(v) {
		return false
	}
	return true
}

// alone reports that nothing but a bracket follows on the line.
func (a *assignment) alone(text []byte) bool {
	c, next := at(text, a.end), at(text, skipBlank(text, a.end))
	return c == '}' || c == '<' && at(text, a.end+1) == '/' || a.op == '|' && next == '|' || lastOfLine(text, a.end)
}

// element reports that the value is all the text of the element that the name names: <password>v</password>.
func (a *assignment) element(text []byte) bool {
	return a.op == '>' && !isQuote(at(text, a.suffix[1])) && at(text, a.end) == '<' && at(text, a.end+1) == '/'
}

// isBcrypt reports $2a$10$…, which begins as a variable does.
func isBcrypt(v []byte) bool { return len(v) > 7 && v[1] == '2' && v[3] == '$' }

// partOf finds the part of a value that is an object or a list of its own, in JSON or as a cookie writes it: its first word of 24
// characters or more that is random.
func partOf(text []byte, lo, hi int) (int, int, bool) {
	for i := lo; i < hi; i++ {
		j := i
		for j < hi && (isAlnum(text[j]) || text[j] == '_' || text[j] == '-') {
			j++
		}
		if j-i >= 24 && randomValue(text[i:j]) && !hasWords(text[i:j]) {
			return i, j, true
		}
		i = max(i, j)
	}
	return 0, 0, false
}

// allClasses reports twelve characters or more with small and capital letters, digits and marks.
func allClasses(v []byte) bool {
	lower, upper, digit, other := classes(v)
	return len(v) >= 12 && lower > 0 && upper > 0 && digit > 0 && other > 0
}

// noisyValue reports a long run of letters, digits and marks of all kinds, as generators of application keys make them.
func noisyValue(v []byte) bool {
	lower, upper, digit, other := classes(v)
	if len(v) < 24 || len(v) > 512 || lower == 0 || upper+digit < 4 || digit == 0 || other < 3 || other*2 > len(v) || bytes.IndexAny(v, " \t\\") >= 0 {
		return false
	}
	return isASCII(v) && entropy(v) >= 4.2 && !isPlaceholder(v) && !isPathLike(v) && !isWordy(v) && !hasWords(v)
}

// dotted reports a selector: names joined by dots.
func dotted(v []byte) bool {
	for part := range bytes.SplitSeq(v, []byte(".")) {
		if len(part) == 0 || !isLetter(part[0]) || len(part) > 30 {
			return false
		}
	}
	return true
}

// randomValue reports one word of 16 characters or more that nobody would write by hand.
func randomValue(v []byte) bool {
	if len(v) < 16 || len(v) > maxValue || !isSecretWord(v) || isUUID(v) {
		return false
	}
	lower, upper, digit, other := classes(v)
	if other*3 > len(v) || len(v) < 24 && hasNameStop(v) {
		return false
	}
	if digit == 0 && (lower == 0 || upper < 4 || len(v) < 20) || lower+upper < 3 {
		return false
	}
	return entropy(v) >= 3.0 && !isFiller(v) && !isPlaceholder(v) && !isWordy(v) && !isPathLike(v)
}

// isSecretWord reports that v has only the characters of keys and tokens.
func isSecretWord(v []byte) bool {
	for _, c := range v {
		if !isAlnum(c) && bytes.IndexByte([]byte("_-+/=.~!@#$%^&*:?|"), c) < 0 {
			return false
		}
	}
	return true
}

// isPathLike reports paths, URLs, host names, versions and package names.
func isPathLike(v []byte) bool {
	if bytes.Contains(v, []byte("://")) || v[0] == '/' && bytes.Count(v, []byte("/")) > 2 || v[0] == '.' || v[0] == '@' {
		return true
	}
	if dot, slash := bytes.IndexByte(v, '.'), bytes.IndexByte(v, '/'); dot > 0 && slash > dot {
		return true // host.name/path
	}
	if n := bytes.Count(v, []byte(".")); n >= 2 && n*12 > len(v) {
		return true
	}
	if n := bytes.Count(v, []byte("-")); n >= 3 && n*7 > len(v) && !licenceGroups(v) {
		return true
	}
	return bytes.Contains(v, []byte("data:")) || bytes.HasPrefix(v, []byte("sha"))
}

// licenceGroups reports four groups or more of as many capitals and digits each, divided by dashes, as licence keys are written.
func licenceGroups(v []byte) bool {
	n, size, mixed := 0, 0, false
	for g := range bytes.SplitSeq(v, []byte("-")) {
		lower, upper, digit, other := classes(g)
		if lower+other > 0 || n > 0 && len(g) != size || len(g) < 4 {
			return false
		}
		n, size, mixed = n+1, len(g), mixed || upper > 0 && digit > 0
	}
	return n > 3 && mixed
}

// passwordStops stand in passwords of fixtures and manuals.
var passwordStops = [...]string{"password", "passwd", "secret", "test", "example", "admin", "user", "qwerty", "mypass", "fake", "none", "null", "true", "false", "token", "pwd", "credential", "hunter", "login"}

// passwordValue reports a made-up or generated password: eight characters or more (six in quotes), letters with digits or marks.
func passwordValue(v []byte, quoted bool) bool {
	v = bytes.TrimRight(v, "=")
	if len(v) < 6 || !quoted && len(v) < 8 || len(v) > 256 || isUUID(v) {
		return false
	}
	lower, upper, digit, other := classes(v)
	if lower+upper == 0 || digit == 0 && (other == 0 || lower == 0 || upper == 0 || !isASCII(v) && !symbolic(v)) || other*2 > len(v) {
		return false
	}
	if bytes.IndexAny(v, " \t<>(){}[]\\") >= 0 || bytes.Contains(v, []byte("::")) || bytes.IndexAny(v, "=,;|\"'`") >= 0 || !quoted && bytes.IndexByte(v, ':') >= 0 {
		return false
	}
	return entropy(v) >= 2.2 && !isFiller(v) && !isPlaceholder(v) && !hasPasswordStop(v) && !isWordy(v) && !isPathLike(v)
}

func hasPasswordStop(v []byte) bool {
	var folded [40]byte
	low := folded[:copy(folded[:], v)]
	for i, c := range low {
		if isUpper(c) {
			low[i] = c + 'a' - 'A'
		}
	}
	for _, word := range passwordStops {
		if bytes.Contains(low, []byte(word)) {
			return true
		}
	}
	return false
}

// hashContext reports that the line names a digest before the value: integrity fields, lock files, pinned commits.
func hashContext(text []byte, lo, start int) bool {
	head := text[max(0, min(lo, start)-60):start]
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 {
		head = head[i+1:]
	}
	for _, word := range [...]string{"sha1", "sha256", "sha512", "SHA256", "integrity", "checksum", "digest", "commit", "hash"} {
		if bytes.Contains(head, []byte(word)) {
			return true
		}
	}
	return false
}
