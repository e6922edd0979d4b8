package secret

import "bytes"

// Short values are told from words by their letters: "qfkectfz" is no word, "mysql" is. made.go holds the judges of what a telling
// name is given where the value alone, by its length, proves nothing.

// made reports a value that nobody would take for a word or a name: letters that no word has, digits among letters, nine
// digits or more.
func made(v []byte) bool {
	if len(v) < 5 || len(v) > 256 || bytes.Count(v, []byte(":")) > 1 || !isSecretWord(v) || isUUID(v) || isPlaceholder(v) || isFiller(v) || isPathLike(v) || describes(v) || hasNameStop(v) {
		return false
	}
	lower, upper, digit, _ := classes(v)
	switch {
	case lower+upper == 0:
		return digit == len(v) && digit >= 9
	case digit == 0:
		return !(bytes.IndexByte(v, '.') > 0 && dotted(v)) && (hasOddPart(v) || oddMix(v) && bytes.IndexAny(v, "_-.") < 0) && !(upper > 0 && lower == 0 && (len(v) < 6 || bytes.IndexAny(v, "_-") >= 0))
	}
	word := bytes.TrimRight(v, "0123456789")
	if digits(word) == 0 {
		return numbered(word, v[len(word):]) || hasOddPart(word) || len(word) == 4 && allLetters(word) && oddLetters(word) || len(v)-len(word) > 2 && len(word) > 1 && len(word) < 4 && !algorithm(word)
	}
	return len(v) >= 16 && lower+upper > 1 && digitGroups(v) > 1 && isHexMix(v) || len(v) >= 8 && lower+upper > 2 && !isWordy(v) && !hasWords(v) || digit > 2 && lower+upper > 3 && digitGroups(v) > 1 || digit > 1 && lower+upper > 2 && digitGroups(v) > 1 && !isWordy(v) && !hasWords(v)
}

// numbered reports a word with five digits or more behind it that neither count nor say a date.
func numbered(word, number []byte) bool {
	return len(word) > 3 && allLetters(word) && len(number) > 4 && !isFiller(number) && !bytes.HasPrefix(number, []byte("19")) && !bytes.HasPrefix(number, []byte("20")) && !bytes.HasSuffix(number, []byte("000"))
}

// algorithm reports the beginning of a name such as sha256, and of the values that manuals make up.
func algorithm(word []byte) bool {
	for _, w := range [...]string{"sha", "md", "aes", "rs", "hs", "es", "ps", "utf", "rsa", "dsa", "cp", "iso", "foo", "bar", "baz", "abc", "xyz", "asd", "qwe", "key", "tok", "usr", "pin", "pwd", "dev", "id", "no", "v"} {
		if equalFold(word, w) {
			return true
		}
	}
	return false
}

// oddMix reports words too short to tell one by one, humps or parts between marks, that are odd as a whole.
func oddMix(v []byte) bool {
	if humps(v)*5 >= len(v)*2 && len(v) >= 8 {
		return true // oINaBJibBB
	}
	n, sum := mixed(v)
	return n >= 8 && n*5 >= len(v)*4 && sum < min(2*(n-11), -4) // of names in code one of 50, of random letters nine of ten
}

// mixed counts the letters of v and sums up how like words its runs of them are.
func mixed(v []byte) (n, sum int) {
	for i := 0; i < len(v); {
		j := i
		for j < len(v) && isLetter(v[j]) {
			j++
		}
		if j > i {
			n, sum = n+j-i, sum+likeness(v[i:j])
		}
		i = max(i+1, j)
	}
	return n, sum
}

// severalWords reports parts that are words as a whole: of names of two words in code 97 of 100, of random letters four.
func severalWords(v []byte) bool {
	_, sum := mixed(v)
	return sum >= 4
}

// humps counts the words of a text of letters in both cases; it is 0 if there is anything else, or one case alone.
func humps(v []byte) int {
	lower, upper, _, _ := classes(v)
	if lower == 0 || upper == 0 || lower+upper < len(v) {
		return 0
	}
	n := 0
	for i := 0; i < len(v); i = hump(v, i) {
		n++
	}
	return n
}

// jumble reports a password of all kinds of characters, backslashes and quotes too, that no expression or format is.
func jumble(v []byte) bool {
	lower, upper, digit, other := classes(v)
	if len(v) < 10 || len(v) > 64 || lower < 2 || upper < 2 || digit < 2 || other < 3 || bytes.IndexAny(v, " \t\n") >= 0 || isPlaceholder(v) || hasMaskRun(v) {
		return false
	}
	for _, mark := range [...]string{"(?", ".*", "[^", "a-z", "A-Z", "0-9", "</", "/>", "\\d", "\\w", "\\s", "\\x", "\\u", "://"} {
		if bytes.Contains(v, []byte(mark)) {
			return false
		}
	}
	return !isWordy(v) && !hasWords(v) && entropy(v) >= 3.2
}

// hasOddPart reports that of the runs of five letters or more, by letters, half at least are no words.
func hasOddPart(v []byte) bool {
	odd, all := 0, 0
	for i := 0; i < len(v); {
		j := hump(v, i)
		if j-i > 4 {
			all += j - i
			if oddLetters(v[i:j]) || !hasVowel(v[i:j]) {
				odd += j - i
			}
		}
		i = max(i+1, j)
	}
	return odd > 0 && odd*2 >= all
}

func hasVowel(w []byte) bool {
	for _, c := range w {
		switch c | 0x20 {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			return true
		}
	}
	return false
}

// digitGroups counts the runs of digits.
func digitGroups(v []byte) int {
	n, in := 0, false
	for _, c := range v {
		d := '0' <= c && c <= '9'
		if d && !in {
			n++
		}
		in = d
	}
	return n
}

// codeMarks stand in regular expressions, formats and expressions, not in passwords.
var codeMarks = [...]string{"(?", ".*", "[^", "a-z", "A-Z", "0-9", "\\", "()", "=>", "->", "{}", "[]", "</", "/>", "::", "&&", "||", "==", ".+", "[:", "{0"}

// markedPassword accepts passwords with marks of any kind, as the whole of a literal.
func markedPassword(v []byte) bool {
	if len(v) < 8 || len(v) > 64 || !isASCII(v) || bytes.IndexAny(v, " \t\"") >= 0 || v[len(v)-1] == '>' || isPlaceholder(v) || hasMaskRun(v) || hasPasswordStop(v) {
		return false
	}
	for _, mark := range codeMarks {
		if bytes.Contains(v, []byte(mark)) {
			return false
		}
	}
	lower, upper, digit, other := classes(v)
	if lower+upper < 3 || other < 1 || other*2 > len(v) || isPathLike(v) || allUpperName(v) {
		return false
	}
	marks := len(v) - lower - upper - digit - bytes.Count(v, []byte("_")) - bytes.Count(v, []byte("-")) - bytes.Count(v, []byte("."))
	return marks > 0 && v[0] != '$' && v[0] != '{' && v[0] != '[' && v[0] != '(' && v[0] != '#' && v[0] != '.' && v[0] != '/' && v[len(v)-1] != ':' &&
		(digit > 0 || marks > 1 || hasOddPart(v)) && (!isWordy(v) || shouts(v)) && entropy(v) >= 2.5
}

// shouts reports an exclamation mark between letters or digits, where no sentence has one.
func shouts(v []byte) bool {
	i := bytes.IndexByte(v, '!')
	return i > 0 && i+1 < len(v) && isAlnum(v[i-1]) && isAlnum(v[i+1])
}

// phrase accepts a password of several words of which one is made up.
func phrase(v []byte) bool {
	n := bytes.Count(v, []byte(" "))
	if n == 0 || n > 5 || len(v) < 9 || len(v) > 64 || !isASCII(v) || bytes.IndexAny(v, "\\:{}$%<>()+") >= 0 || v[0] == ' ' || v[len(v)-1] == ' ' || isUpper(v[0]) && digits(v) == 0 || isPlaceholder(v) || isFiller(v) || hasPasswordStop(v) {
		return false
	}
	_, sum := mixed(v)
	return hasOddPart(v) && (sum < 0 || digits(v) > 0)
}

// spacedGroups reports four to eight groups of four letters or digits divided by blanks, as one-time-password secrets and
// application passwords are shown.
func spacedGroups(v []byte) bool {
	if len(v) < 19 || len(v) > 39 || len(v)%5 != 4 {
		return false
	}
	for i, c := range v {
		if blank := i%5 == 4; blank != (c == ' ') || !blank && !isAlnum(c) {
			return false
		}
	}
	return entropy(v) >= 3 && !isWordy(bytes.ReplaceAll(v, []byte(" "), nil))
}

// keyHeads are the words before "key" that make it the key to something, or one that is no secret.
var keyHeads = [...]string{
	"public", "pub", "primary", "foreign", "sort", "partition", "cache", "row", "range", "map", "object", "storage", "bucket", "index", "i18n", "translat",
	"idempot", "registry", "host", "ssh", "gpg", "pgp", "fingerprint", "dedup", "group", "lookup", "hot", "unique", "column", "field", "record", "item", "react",
	"encrypted", "wrapped", "websocket", "commit", "etag", "image", "routing", "sign_up", "message", "error", "label", "shortcut", "tree", "node", "path", "known_host", "trusted", "artifact", "doc", "resource", "issue", "config",
}

// secretHeads are the words before "key" that make it one to keep.
var secretHeads = [...]string{"encryption", "signing", "secret", "private", "aes", "cipher", "crypto", "hmac", "jwt", "master", "api", "access", "session", "licen"}

// scanKey finds the values of names that end in "key" alone: STEAM_KEY, aesKey, signing.key. Such a name says little, so the value
// has to say the more: it must be random, and neither a public key nor a fingerprint.
func scanKey(text []byte, lo, hi int) (int, int, bool) {
	a, ok := assignedTo(text, hi)
	if !ok || !a.assigned() && !a.setter(text, lo) && !isSymbol(text, hi) || a.end-a.start < 16 || namesOther(text, lo, a.suffix) || !a.names(text) || !a.inCode(text) {
		return 0, 0, false
	}
	v := a.joined(text)
	head := nameHead(text, lo)
	switch {
	case a.quote == 0 && !a.setting(text, lo), headHas(head, keyHeads[:]), publicKey(v), hashContext(text, lo, a.start):
		return 0, 0, false
	case len(head) > 0 && a.quote != 0 && digits(v) == len(v):
		return a.start, a.end, made(v)
	}
	ok = randomValue(v) && strongKey(v, len(head) > 0) || a.quote != 0 && (noisyValue(v) || len(head) > 0 && markedPassword(v) && allClasses(v)) ||
		headHas(head, secretHeads[:]) && made(v)
	return a.start, a.end, ok
}

// scanAuth is scanKey for what holds a login or a ticket. One that says user:password in base64 must have a password worth the name.
func scanAuth(text []byte, lo, hi int) (int, int, bool) {
	start, end, ok := scanKey(text, lo, hi)
	if !ok {
		return userAndPassword(text, lo, hi)
	}
	var buf [192]byte
	plain, is := decoded(buf[:], text[start:end])
	if user, password, found := bytes.Cut(plain, []byte(":")); is && found && isASCII(plain) {
		return start, end, len(password) >= minValue && urlPassword(user, password)
	}
	return start, end, true
}

// userAndPassword finds the password in auth: "user:password", auth=user:password.
func userAndPassword(text []byte, lo, hi int) (int, int, bool) {
	a, ok := assignedTo(text, hi)
	if !ok || !a.names(text) || a.quote == 0 && !a.setting(text, lo) {
		return 0, 0, false
	}
	user, v, ok := bytes.Cut(text[a.start:a.end], []byte(":"))
	if !ok || len(user) == 0 || len(v) < minValue || len(user) > 64 || bytes.IndexAny(v, " :/{}<>") >= 0 || portLike(v) {
		return 0, 0, false
	}
	for _, c := range user {
		if !isNameByte(c) && c != '@' && c != '+' {
			return 0, 0, false
		}
	}
	return a.end - len(v), a.end, pairPassword(user, v) && urlPassword(user, v)
}

// strongKey asks of a random value what a generated key has: letters and digits well mixed. Without a word before "key", or of hex
// digits alone, it must be long as well.
func strongKey(v []byte, named bool) bool {
	lower, upper, digit, other := classes(v)
	if hasWords(v) || other*6 > len(v) || !named && len(v) < 24 {
		return false
	}
	return digit > 0 && lower+upper > 3 && (lower > 0 || upper > 0) && entropy(v) >= 2.9
}

// publicKey reports the beginnings of public keys and certificates, and public NATS keys.
func publicKey(v []byte) bool {
	for _, head := range [...]string{"MII", "MFkw", "MFYw", "MHYw", "MIG", "MCow", "MCgw", "AAAAB3", "AAAAC3", "AAAAE2", "age1", "LS0tLS1CRUdJTiBQVUJ", "LS0tLS1CRUdJTiBDRV", "ssh-"} {
		if bytes.HasPrefix(v, []byte(head)) {
			return true
		}
	}
	if len(v) != 56 || bytes.IndexByte([]byte("UAONCX"), v[0]) < 0 {
		return false
	}
	for _, c := range v {
		if !isUpper(c) && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}

// nameHead is the part of a name before the keyword that begins at lo.
func nameHead(text []byte, lo int) []byte {
	return bytes.TrimLeft(text[nameStart(text, lo):lo], "-.")
}

// headHas reports that a word stands in the part of a name before the keyword.
func headHas(head []byte, words []string) bool {
	var folded [maxName]byte
	low := foldTo(folded[:], head)
	for _, w := range words {
		if bytes.Contains(low, []byte(w)) {
			return true
		}
	}
	return false
}

// setter reports a call that gives the name its value: setPassword("v"), withToken("v"), .secret("v"), putenv("TOKEN", "v"),
// headers.set("X-Token", "v"), getenv("SECRET", "default").
func (a *assignment) setter(text []byte, lo int) bool {
	if a.quote == 0 {
		return false
	}
	head := nameHead(text, lo)
	if a.op == '(' {
		verb := head[bytes.LastIndexByte(head, '.')+1:]
		return headHas(verb[:min(len(verb), 4)], []string{"set", "with"}) || len(verb) == 0 && lo > 0 && text[lo-1] == '.'
	}
	if a.op != ',' {
		return false
	}
	i := lo - len(head)
	if i > 2 && text[i-1] == '-' && (isQuote(text[i-2]) || text[i-2] == '-' && isQuote(text[i-3])) {
		return true // "--password", "v" in a list of arguments
	}
	if i < 4 || !isQuote(text[i-1]) || text[i-2] != '(' {
		return false
	}
	return headHas(nameHead(text, i-2), []string{"env", "put", "set", "property", "header", "add", "default", "param", "append", "store", "fill", "type", "send_keys", "enter", "pair", "entry", "field", "metadata", "tuple"})
}
