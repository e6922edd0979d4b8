package secret_test

import (
	"bytes"
	"math"
	"regexp"
	"strings"
)

// class is what an example is, as far as its text, its value and the name of its rule show. It is decided before any rule of ken
// looks at the example, and with no code of ken's, so that a change of the rules cannot change what they are measured by.
type class uint8

const (
	credential class = iota // what a user would call a leak; of a negative: it holds a credential of another kind than its rule's
	madeUp                  // the value counts, repeats, or says of itself that it is an example
	hash                    // the hash of a password, or a digest that nothing names
	bare                    // a word, a blank and a value without a shape of its own: newsapi KEY f962…
	none                    // no credential at all: identifiers, host names, markings
	classes
)

// classify decides the class of each example of a set.
func classify(examples []example) {
	held := map[string]bool{}
	for i := range examples {
		if x := &examples[i]; x.positive {
			x.class = decide(x)
			for _, v := range x.values {
				held[v] = held[v] || x.class == credential && len(v) >= 8
			}
		}
	}
	for i := range examples {
		x := &examples[i]
		if x.positive {
			continue
		}
		x.class = none
		if holdsCredential(x.text) {
			x.class = credential
		}
		for v, is := range held {
			if is && strings.Contains(x.text, v) {
				x.class = credential
				break
			}
		}
	}
}

// decide is the class of a positive example.
func decide(x *example) class {
	value := x.value()
	switch {
	case x.helper, address.MatchString(value):
		return none
	case x.set != "trufflehog" && noCredential.MatchString(x.rule) && !credentialRule.MatchString(x.rule): // its rules are vendors' names
		return none
	case hashRule.MatchString(x.rule), hashForm.MatchString(value), isLoneDigest(x.text, value):
		return hash
	case isMadeUp(value):
		return madeUp
	case len(x.values) > 0 && isBare(x.text, value):
		return bare
	}
	return credential
}

// value is the credential, or, where a set does not say what it is, the run of the text in which letters and digits take the most
// turns, the longest of several. Addresses are none.
func (x *example) value() string {
	if len(x.values) > 0 {
		return x.values[0]
	}
	best, most := "", -1
	for _, run := range longRun.FindAllString(x.text, -1) {
		n := turns(run)
		if strings.HasPrefix(run, "//") || n < most || n == most && len(run) <= len(best) {
			continue
		}
		best, most = run, n
	}
	return best
}

var longRun = regexp.MustCompile(`[A-Za-z0-9_~.+/=$!@#%^&*-]{4,}`)

// Rules whose name says that they find no credential, and those of them that do after all.
var (
	noCredential = regexp.MustCompile(`(?i)client[-_ ]?id\b|account[-_ ]?(id|sid)\b|tenant|publishable|public[-_ ]?key|\bpub[-_ ]?key|app(lication)?[-_ ]?id\b|user[-_ ]?(name|id)\b|email|domain|endpoint|host(name)?\b|\bip_public|homedir|^cui/|\burl\b|integration[-_ ]?key|project[-_ ]?id|\buri\b|org(anization)?[-_ ]?id\b|bucket|\bS3 |service id|resource name`)

	credentialRule = regexp.MustCompile(`(?i)secret|token|password|webhook|credential|private|auth|database|connection|api[-_ ]?key|access key|\bkey url`)
)

// address is where a server is.
var address = regexp.MustCompile(`^https?://[\w.:-]+/?$`)

// Hashes of passwords.
var (
	hashRule = regexp.MustCompile(`(?i)pwhash|password[-_ ]hash|\bhash\b|bcrypt|htpasswd|etc-shadow|netntlm|krb5`)
	hashForm = regexp.MustCompile(`^(\$(1|2[abxy]?|5|6|y|7|apr1|argon2\w*|pbkdf2[\w-]*|scrypt|sha1|P|H)\$|\{SSHA)`)
)

// isLoneDigest reports a digest in hexadecimal digits that is all of its text but for quotes.
func isLoneDigest(text, value string) bool {
	switch len(value) {
	case 32, 40, 56, 64, 96, 128:
		return hexOnly.MatchString(value) && strings.Trim(text, " \t\r\n\"'`") == value
	}
	return false
}

var hexOnly = regexp.MustCompile(`^[0-9a-f]+$|^[0-9A-F]+$`)

// sayings are the words by which values say of themselves that they are none.
var sayings = regexp.MustCompile(`(?i)example|sample|dummy|fake|placeholder|change[-_]?(me|it)|your[-_]?|redacted|insert[-_]|replace[-_]?me|foobar|mock|lorem|not[-_]?a?[-_]?real|todo|deadbeef|<[a-z_ -]+>`)

// defaults are passwords that say what they are instead of being one.
var defaults = regexp.MustCompile(`(?i)^(my|the|some|test|user|db|super|real|old|new)?[-_]?(pass|passwd|password|pwd|secret|token|key|user|username|admin|root|login|test|postgres|guest|letmein|qwerty|none|null|true|false|value|string|hidden|mysecret|topsecret|supersecret)[-_]?\d{0,3}$`)

// userInfo takes the password out of a URL.
var userInfo = regexp.MustCompile(`://[^\s:/@]*:([^\s@/]+)@`)

// isMadeUp reports a value that counts, repeats, or says of itself that it is none.
func isMadeUp(v string) bool {
	if m := userInfo.FindStringSubmatch(v); m != nil {
		v = m[1]
	}
	if strings.HasPrefix(v, "-----BEGIN") {
		return len(v) < 160 // a header, and no key
	}
	head := v[:min(len(v), 80)] // in more, a word or a run is chance
	if sayings.MatchString(head) || defaults.MatchString(v) || maskRun.MatchString(head) || countingRun.MatchString(head) || variable.MatchString(v) {
		return true
	}
	return len(v) >= 6 && (steps(v, 1) > 0.5 || steps(v, 2) > 0.5 || repeats(v) || len(v) >= 16 && distinct(v) <= 5)
}

var (
	maskRun     = regexp.MustCompile(`(?i)x{4}|\*{4}|\.{3}|0{6}|1{6}|a{6}|-{6}$`)
	countingRun = regexp.MustCompile(`(?i)123456|abcdef|654321|fedcba|qwerty|a1b2c3|1a2b3c|abc123`)
	variable    = regexp.MustCompile(`^(\$\{?\w+\}?|%\w+%|\{\{.*\}\}|<.*>)$`)
)

// steps is the share of characters that equal the one n before, or are a step away from it.
func steps(v string, n int) float64 {
	count := 0
	for i := n; i < len(v); i++ {
		if d := int(v[i]) - int(v[i-n]); d >= -1 && d <= 1 {
			count++
		}
	}
	return float64(count) / float64(max(len(v)-n, 1))
}

// repeats reports a value that is a part of at most ten characters, three times or more.
func repeats(v string) bool {
	for period := 1; period <= min(10, len(v)/3); period++ {
		if v[period:] == v[:len(v)-period] {
			return true
		}
	}
	return false
}

func distinct(v string) int {
	var seen [256]bool
	n := 0
	for i := range len(v) {
		if !seen[v[i]] {
			seen[v[i]] = true
			n++
		}
	}
	return n
}

// bits is the entropy of a value's characters.
func bits(v string) float64 {
	if v == "" {
		return 0
	}
	sum := 0.0
	for c := range 256 {
		if n := bytes.Count([]byte(v), []byte{byte(c)}); n > 0 {
			p := float64(n) / float64(len(v))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// shaped are values that say by themselves what they are: a prefix with a mark or one that a vendor is known by, an address, or several
// parts with dots.
var shaped = regexp.MustCompile(`^(dapi|AIza|sq0|00D|EAA|EZ[AT]K|LTAI|AKID|AQVN|(SK|AC)[0-9a-f]{32}$)|Q~|AZDO|[|!]|^[A-Za-z]{1,12}[0-9]{0,3}[_.:~-][A-Za-z0-9]|^[A-Z]{3,8}[A-Za-z0-9]{12}|://|^-----|^ey[IJ]|[A-Za-z0-9_-]{12}\.[A-Za-z0-9_-]{6,}\.|[\s:@]`)

// What is before a value where it is not bare: the scheme of a header, a command that sets it.
var (
	wordBefore = regexp.MustCompile(`(\S+)[ \t]+$`)
	scheme     = regexp.MustCompile(`(?i)^\W*(bearer|basic)$`)
	setting    = regexp.MustCompile(`(?i)^\s*(set|export|env|arg|setx|setenv|define|#define|machine|login|password|passwd|echo)\b`)
	header     = regexp.MustCompile(`(?i)authorization|x-[\w-]+:`)
)

// isBare reports a value that nothing but a word and a blank announces, and that has no shape of its own.
func isBare(text, value string) bool {
	at := strings.Index(text, value)
	if at < 0 || shaped.MatchString(value) {
		return false
	}
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	if strings.TrimSpace(line) == "" {
		return strings.TrimSpace(text) == value // the value is all there is; else it is below its name
	}
	m := wordBefore.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	word := m[1]
	last := word[len(word)-1]
	switch {
	case strings.IndexByte("=:\"'`,(>|[", last) >= 0, strings.HasPrefix(word, "-"):
		return false
	}
	return !scheme.MatchString(word) && !header.MatchString(line) && !setting.MatchString(line)
}

// What shows that a negative example holds a credential after all, of another kind than its rule looks for.
var (
	pemBody   = regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY[A-Z ]*-----[\s\\nr"'+]*[A-Za-z0-9+/=\s\\"']{64}`)
	nameWord  = regexp.MustCompile(`(?i)pass|pwd|secret|token|key|auth|credential|bearer|sig=|cookie|session`)
	randomRun = regexp.MustCompile(`[A-Za-z0-9_+/=~.-]{12,}`)
	ownPrefix = regexp.MustCompile(`^(gh[opsur]_|github_pat_|glpat-|xox[a-z]-|AKIA|ASIA|AIza|sk_live_|sk-|eyJ|hv[sb]\.|npm_|pypi-|dop_v1_|ya29\.|shp)`)
)

// holdsCredential reports a private key, a URL with a password, or a random run that has a prefix or follows a name.
func holdsCredential(text string) bool {
	if pemBody.MatchString(text) {
		return true
	}
	for _, m := range userInfo.FindAllStringSubmatch(text, -1) {
		if !isMadeUp(m[1]) && !strings.ContainsAny(m[1], "${}<>%") {
			return true
		}
	}
	for _, at := range randomRun.FindAllStringIndex(text, -1) {
		run := text[at[0]:at[1]]
		if i := strings.LastIndexAny(strings.TrimRight(run, "="), "="); i >= 0 {
			at[0] += i + 1
			run = run[i+1:]
		}
		if !isRandom(run) {
			continue
		}
		before := text[max(0, at[0]-40):at[0]]
		if i := strings.LastIndexByte(strings.TrimRight(before, " \t\r\n"), '\n'); i >= 0 {
			before = before[i:]
		}
		if ownPrefix.MatchString(run) || nameWord.MatchString(before) {
			return true
		}
	}
	return false
}

// isRandom reports letters and digits that take turns as in nothing that is written by hand.
func isRandom(run string) bool {
	return len(run) >= 12 && turns(run) >= 4 && bits(run) >= 3 && !isMadeUp(run)
}

// turns is how often digits begin or end in a run.
func turns(run string) (n int) {
	for i := 1; i < len(run); i++ {
		if isDigit(run[i]) != isDigit(run[i-1]) {
			n++
		}
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
