package injection

import (
	"encoding/base64"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Orders is the group of passages that no single wording gives away, but several signs near each other.
const Orders = "orders an agent to act"

// A sign is something that passages which order an agent to act have and texts for people seldom have. Each has a weight; a passage whose
// signs weigh orderWeight together is an order. Weights and not single wordings decide, because the author of such a passage chooses the
// words, but has to address an agent, to claim an authority, and to say what is to be done.
type sign struct {
	name    string
	weight  int
	words   []string // one of them is in each passage with the sign
	pattern string   // as in rule
	re      func() *regexp.Regexp
}

const (
	orderWeight = 4
	// nearSigns is the distance, in bytes, within which signs belong to one passage.
	nearSigns = 500
)

// upTo is a few words of any kind between those of a pattern.
const upTo = `(?:[\w'’-]+[ ,:]+){0,5}?`

// signs is made at first use, because most programs end without a text to look at.
var signs = sync.OnceValue(func() []sign {
	return newSigns([]sign{
		{name: "override", weight: 5, words: []string{"ignor", "disregard", "forget", "overrid", "overlook", "abandon", "supersede", "discard", "stop following", "void", "regardless"},
			pattern: `\b(?:ignore|forget|overlook|disregard) (?:everything|every thing|all|about that|what|anything)(?: \w+){0,3} (?:you|your|above|before|said|told|else|so far)\b|\bforget about that\b|\b(?:ignore|disregard) the \w+ and (?:\w+ )?(?:state|say|print|output|run|tell)\b|\bregardless of (?:\w+ ){0,2}(?:previous|prior)|\b(?:ignor\w*|disregard\w*|forget|overrid\w*|overlook|abandon|supersedes?|discard|stop following) ` + upTo +
				`(?:(?:previous|prior|above|earlier|preceding|original|your|system|all|these|safety) ` + upTo + `(?:instructions?|prompts?|directives?|guidelines|task|programming|orders|commands|restrictions|rules|conversation|constraints)|system prompt|summari[sz]ation|template)\b`},
		{name: "void", weight: 5, words: []string{"instructions", "guidelines", "directives"},
			pattern: `\b(?:previous|prior|existing|earlier|all|your) ` + upTo + `(?:instructions|guidelines|directives) (?:are|is|have been|were|must be) ` + upTo + `(?:void|superseded|suspended|replaced|revoked|lifted|disabled|ignored|cancell?ed|updated)\b`},
		{name: "safety off", weight: 3, words: []string{"safety", "security", "content filter", "confirmation", "restriction", "safeguard", "filter"},
			pattern: `\b(?:bypass\w*|circumvent|disable|disabl\w+|ignor\w+|override|suspend\w*|without|skip) ` + upTo + `(?:safety|security (?:check|protocol|review|standard|filter)s?|safeguards?|guardrails?|content filter\w*|user confirmations?|confirmation requirements|restrictions?)\b|\b(?:safety|content|user confirmation)(?: \w+){0,3}?[ :\[]+(?:\w+ ){0,3}?(?:disabled|suspended|lifted|offline|bypass\w*|deactivated|removed)\b`},
		{name: "agent", weight: 2, words: []string{"ai ", "ai-", "llm", "agent", "assistant", "model", "gpt"},
			pattern: `\b(?:ai|llm|language model|browsing|shopping|coding|deployment|management|system|special)[ -](?:agents?|assistants?|models?|systems?|readers?|tools?)\b|\bas (?:an?|the) (?:ai|llm|[\w-]+ ?agent|[\w-]+ ?assistant|language model)\b|\b(?:note|notice|message|instructions?|directive|command|attention|warning|important)(?: to| for|,|:) (?:all )?(?:the )?(?:ai|llms?|agents?|assistants?|automated)\b|\bagent (?:command|directive|must|configuration|authentication|is instructed)|\b\w+gpt\b|\bai (?:must|reading|processing)\b`},
		{name: "told", weight: 2, words: []string{"ai ", "agent", "assistant", "model"},
			pattern: `\b(?:ai|agents?|assistants?|models?)(?: [\w-]+){0,5}? (?:must|should|shall|will|needs to|is required to|are required to|are instructed to|please)\b`},
		{name: "authority", weight: 2, words: []string{"notice", "update", "override", "command", "directive", "mode", "protocol", "administrator", "audit", "authori", "tool", "developer", "creator", "supervisor", "security", "system note", "maintenance", "evaluation"},
			pattern: `\b(?:system|admin|administrator|security|root|agent|priority|emergency|mandatory)[ _-](?:\w+[ _-]){0,2}?(?:notice|update|override|message|alert|directive|command|note|instructions?|mode|announcement|protocol)\b|\b(?:i am|i'm|from) (?:an?|the|your|system)(?: \w+)? ?(?:administrator|developer|owner)\b|\b(?:authorized|required) (?:by|for) (?:the )?(?:deployment|security|system|operations)|\boverride[_ ](?:core|safety|instructions?|security|mode|all)|\bpriority (?:override|protocol|1)\b|\bcommand[_ ]sequence\b|\bembedded (?:administrative )?directive|\bauthori[sz]ed (?:\w+ ){0,2}(?:update|test|session|audit|request)|\btool[_ ]call\b|\b(?:your|a) (?:developer|creator|supervisor|administrator)\b|\bsecurity (?:audit|test|research)`},
		{name: "mode", weight: 3, words: []string{"mode"},
			pattern: `\b(?:unrestricted|god|jailbreak|dan|bypass|override|unfiltered|sudo|developer|debug|diagnostic|maintenance|admin)[ -]mode\b`},
		{name: "entered", weight: 2, words: []string{"mode"}, pattern: `\b(?:you are now|you must|i've|yes, i|enter|entered|switch to|activate|operate) ` + upTo + `mode\b|\bmode (?:activated|active|confirmed|is active)`},
		{name: "persona", weight: 3, words: []string{"you are", "you're", "pretend", "roleplay", "role-play", "imagine you"},
			pattern: `\b(?:you are|you're) (?:now )?(?:in |an? |the |no longer )?(?:[\w-]+ ){0,3}?(?:agents?|assistants?|ai|\w*gpt|hacker|administrator|unrestricted|chatbot)\b|\blet's role-?play|\bpretend (?:to be|you|that you)|\bimagine you are`},
		{name: "no consent", weight: 3, words: []string{"without", "do not ask", "don't ask", "never ask"},
			pattern: `\bwithout (?:\w+ ){0,3}?(?:asking|(?:user |further |any )?(?:confirmation|consent|notification|approval)|notifying|telling|informing|refusal|their knowledge|validation|permission)\b|\b(?:do not|don't|never) ask (?:for|the user)`},
		{name: "conceal", weight: 4, words: []string{"mention", "tell", "inform", "reveal", "secretly", "covertly", "traces", "conceal", "deny", "hidden", "disclose"},
			pattern: `\b(?:do not|don't|never) (?:\w+ )?(?:tell|mention|inform|reveal|alert|disclose|notify) ` + upTo + `(?:users?|humans?|anyone|operator|instructions?|this)\b|\bsecretly\b|\bcovertly\b|\b(?:remove|delete|hide) (?:all |any )?(?:traces|evidence)|\bdeny knowledge|\bhidden (?:admin|transfer|account)|\bconceal"?: ?true`},
		{name: "takes", weight: 3, words: []string{"password", "credential", "ssh", "key", "secret", "token", "user data", "cookie", "history", "variable", "system", "account", "card", "documents", "financial", "employee"},
			pattern: `\b(?:send|upload|transmit|exfiltrat\w*|forward|email|leak|share|report|deliver|compile|collect|extract|locate|retrieve|steal|record|store|include|read|dump|copy|post|find|scan for|connect)\w* ` + upTo + `(?:credentials?|passwords?|password (?:files|fields)|api[ _-]?keys?|ssh[ _-]?keys?|private keys?|secrets|tokens|\.env|user(?:'s)? (?:data|information|files)|personal data|cookies|browsing history|environment variables|(?:user_)?system[ _](?:info\w*|identification data|files)|account numbers|credit card|financial|documents folder|employee data|conversation history)\b|~?/\.ssh|id_rsa|/etc/(?:passwd|shadow)`},
		{name: "sends", weight: 2, words: []string{"http", "ftp:", ".com", ".biz", ".net", ".io", "@", "remote", "external", "attacker"},
			pattern: `\b(?:send|sends|sending|upload|transmit|exfiltrat\w*|forward|email|post|navigate|connect|visit|access|go|link)\w* ` + upTo + `(?:to |at |with |into )?(?:the |an? |following |url:? ?|our )*(?:(?:https?|ftp)://\S+|[\w.-]+\.(?:com|biz|net|io|xyz)\b|external (?:server|endpoint)|remote[ -]server|attacker|\S+@\S+\.\w+)`},
		{name: "reveals", weight: 4, words: []string{"prompt", "instruction", "directive", "configuration", "tool", "function", "password", "rules", "guidelines", "above", "before this"},
			pattern: `\b(?:reveal|output|outputting|print|display|show|repeat|dump|share|extract|disclose|recite|tell me|provide|leak)(?:ing)? ` + upTo + `(?:system prompts?|(?:initial|hidden|original|secret|internal|your|full) (?:\w+ ){0,2}?(?:prompts?|instructions|directives|configuration)|(?:your |the |all |full |complete |json )+(?:\w+ ){0,2}?(?:tool|function)s? ?(?:definitions?|schemas?|list)?)\b|\b(?:your|internal) (?:tool|function)s? (?:definitions|schemas)|\bconfirm the password|\bsystem[_ ]prompts?\b.{0,80}\b(?:display|output|show|resolve|given|asked)|\b(?:instructions?|prompts?|rules|guidelines) (?:that )?(?:you (?:were|have been|are) (?:given|told|following)|(?:were )?given to you)|[{$%(][\w. {]*system prompt[ )}%]*[)}%]|\b(?:repeat|output|print|copy) ` + upTo + `(?:words|text|everything|content|messages?) (?:that (?:is|are|comes?) )?(?:above|before this)\b|\bwhat (?:are|were) your (?:\w+ )?(?:instructions|rules|guidelines)`},
		{name: "runs", weight: 2, words: []string{"execut", "run ", "install", "perform"},
			pattern: `\b(?:execut\w+|run|install|perform) ` + upTo + `(?:command|commands|script|payload|this action|these actions|the following|packages|instruction|code|them|in admin mode|search tool|tool|hooks?)\b`},
		{name: "danger", weight: 2, words: []string{"rm -rf", "curl", "wget", "backdoor", "malicious", "payload", "exfil", "attack", "evil", "drop table", "antivirus", "firewall"},
			pattern: `\brm -rf|\b(?:curl|wget)\b[^\n]{0,100}\| ?(?:ba)?sh\b|\bbackdoor|\bmalicious|\bmalware|\bexfil|\battacker|\bevil\b|\bpayload\b|\bdrop table|\bdisable (?:the )?(?:firewall|antivirus|logging)`},
		{name: "urgent", weight: 1, words: []string{"immediately", "right now", "before", "continue", "now ", "first", "begin", "urgent", "critical"},
			pattern: `\bimmediately\b|\bright now\b|\bbefore (?:processing|answering|continuing|proceeding|doing|responding)|\bto (?:continue|complete) (?:your|this|the)|\burgent|\bcritical priority`},
		{name: "complies", weight: 3, words: []string{"comply", "follow", "instructions", "directive", "supersede", "obey", "precedence"},
			pattern: `\b(?:must|will|shall|you) (?:now )?(?:comply|obey)\b|\b(?:your|the|these|new) (?:new |real |true |primary |only |actual )(?:instructions?|directives?|task|goal|objective|orders?)\b|\btreat (?:this|the following) as|\bsupersedes?\b|\b(?:follow|execute|process) (?:the|this|my|these) (?:\w+ )?(?:combined|resulting|recovery|embedded|decoded|contained|following) (?:instructions?|directive|message)|\b(?:and|then) (?:follow|execute|do) (?:the |what )?(?:\w+ )?(?:instructions?|it says)\b|\blisten to my instructions`},
		{name: "henceforth", weight: 3, words: []string{"from now on", "from this point", "for the rest of", "your new "},
			pattern: `\bfrom (?:now|this point) on(?:ward)?s?,? (?:you|your|act|respond|all)\b|\bfor the rest of (?:this|the|our) (?:conversation|session|chat)|\byour new (?:role|purpose|persona|identity|task|goal|name) (?:is|will)`},
		{name: "markup", weight: 2, words: []string{"system", "inst", "im start"},
			pattern: `<\|?(?:im start\|?>?\s*)?system\s*\|?>|\[/?(?:system|inst)\]|###?\s*(?:system|new instructions?)\s*:|\[\[?(?:system|admin)\b`},
		{name: "decodes", weight: 1, words: []string{"decode", "reverse", "rot13", "combine", "translate"}, pattern: `\b(?:decode|reverse each|reverse the|rot13|combine (?:them|the|fragment)|translate)\b`},
		{name: "answers", weight: 3, words: []string{"respon", "reply", "say ", "state", "answer", "summar", "include", "output", "print"},
			pattern: `\b(?:respond|reply|answer) (?:to every|only|with|exactly)\b|\binclude ` + upTo + `(?:in )?(?:your|the) (?:response|reply|answer|summary|results?)|\bbefore (?:summari[sz]ing|answering|translating)\b|\binstead,? (?:of \w+,? )?(?:output|print|say|respond|reply|state|run|execute|do)\b|\band (?:state|say|claim) (?:that )?(?:the|i|your)\b|\b(?:pause|stop|ignore) (?:the )?(?:summari[sz]\w+|task|webpage|paper|document|resume|table|article|function)`},
		{name: "foreign", weight: 5, words: []string{"ignorez", "oubliez", "ignora ", "ignorier", "vergiss", "vergessen", "olvida", "dimentica", "esque", "ignore todas", "无视", "忽略", "無視", "игнорир", "ignorar"},
			pattern: `\b(?:ignorez|oubliez) (?:\S+ ){0,3}?(?:instructions|consignes|fonction|tout)|\b(?:ignora|olvida|ignorar|ignore|ignori|dimentica|esque\S+) (?:todas |tutte )?(?:las|as|le|tutte le|estas|tus|sus|suas) (?:\S+ ){0,2}?(?:instruc\S+|istruzioni|funci\S+)|\b(?:ignoriere|vergiss|vergessen sie|ignorieren sie) (?:\S+ ){0,3}?(?:anweisungen|befehle|funktion)|(?:无视|忽略).{0,12}(?:指令|指示|提示)|(?:指示|命令|プロンプト).{0,12}無視|игнорир\S* (?:\S+ ){0,3}?инструкц`},
	})
})

func newSigns(list []sign) []sign {
	for i := range list {
		s := &list[i]
		s.re = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(strings.ReplaceAll(s.pattern, " ", `\s+`)) })
	}
	return list
}

// LeftOut is shown in place of a passage that is worded as an order to an agent.
const LeftOut = "(left out: worded as an order)"

// longestOrdered is the number of bytes of a text in which signs are looked for.
const longestOrdered = 64 << 10

// longestPassage is the length up to which Shown looks at a text. Whoever shows more shows a document and not its first words.
const longestPassage = 8 << 10

// Shown returns a passage that a repository brings along as an agent may be shown it: LeftOut if it is worded as an order to an agent.
func Shown(passage string) string {
	if len(passage) <= longestPassage && len(Scan(passage)) > 0 {
		return LeftOut
	}
	return passage
}

// findOrder returns the place of the first passage of a text that orders an agent to act, or -1 if there is none. A passage may be
// encoded.
func findOrder(text string) int {
	text = text[:min(len(text), longestOrdered)]
	plain, places := plainText(text)
	if at := findSigns(plain, places); at >= 0 {
		return at
	}
	for _, m := range encodedRun().FindAllStringIndex(text, 16) {
		if decoded, err := base64.StdEncoding.DecodeString(text[m[0]:m[1]]); err == nil && isOrder(string(decoded)) {
			return m[0]
		}
	}
	for _, decode := range decodings {
		if other := decode(text); other != text && isOrder(other) {
			return 0
		}
	}
	return -1
}

// encodedRun is a text in base64 that may be a sentence.
var encodedRun = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z0-9+/]{24,}={0,2}`) })

// decodings undo the ways in which a passage is hidden from a reader and not from a model. Each returns other text as it is.
var decodings = []func(string) string{
	html.UnescapeString,
	func(s string) string {
		if t, err := url.PathUnescape(s); err == nil {
			return t
		}
		return s
	},
	func(s string) string { // each letter for the one 13 further on
		if !strings.Contains(s, "vafgehpgvba") && !strings.Contains(s, "cebzcg") {
			return s
		}
		return strings.Map(func(r rune) rune {
			switch {
			case 'a' <= r && r <= 'z':
				return 'a' + (r-'a'+13)%26
			case 'A' <= r && r <= 'Z':
				return 'A' + (r-'A'+13)%26
			}
			return r
		}, s)
	},
	func(s string) string { // from right to left
		if !strings.Contains(s, "snoitcurtsni") && !strings.Contains(s, "tpmorp") {
			return s
		}
		r := []rune(s)
		slices.Reverse(r)
		return string(r)
	},
	func(s string) string {
		return spelled().ReplaceAllStringFunc(s, strings.NewReplacer(".", "", "-", "").Replace)
	},
}

// spelled is a word whose letters are divided: i.g.n.o.r.e
var spelled = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:\pL[.-]){3,}\pL\b`) })

// isOrder reports whether a decoded text is an order, of any group.
func isOrder(text string) bool {
	plain, places := plainText(text)
	return findSigns(plain, places) >= 0 || findRule(plain)
}

// findSigns returns the place of the first passage with enough signs, or -1 if there is none.
func findSigns(plain string, places []int32) int {
	type found struct{ at, sign int }
	var all []found
	signs := signs()
	for i := range signs {
		s := &signs[i]
		if !slices.ContainsFunc(s.words, func(w string) bool { return strings.Contains(plain, w) }) {
			continue
		}
		for _, m := range s.re().FindAllStringIndex(plain, 64) {
			all = append(all, found{m[0], i})
		}
	}
	slices.SortFunc(all, func(a, b found) int { return a.at - b.at })
	for i := range all {
		weight, seen := 0, 0
		for _, f := range all[i:] {
			if f.at-all[i].at > nearSigns {
				break
			}
			if seen&(1<<f.sign) == 0 {
				seen |= 1 << f.sign
				weight += signs[f.sign].weight
			}
		}
		if weight >= orderWeight {
			return int(places[all[i].at])
		}
	}
	return -1
}

// lookalikes are letters of other alphabets that are written for those of English.
var lookalikes = strings.NewReplacer("а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x", "і", "i", "ѕ", "s", "ԁ", "d",
	"ȁ", "", "Ȁ", "", "А", "a", "Е", "e", "О", "o", "І", "i")

// plainText returns a text as it is meant to be read, in lower case: without characters that have no width or only combine with others, and
// with an underscore as a blank. places has the place in the text for each byte.
func plainText(text string) (plain string, places []int32) {
	var b strings.Builder
	for i, r := range text {
		n := b.Len()
		switch {
		case r == '_':
			b.WriteByte(' ')
		case unicode.Is(unicode.Mn, r), unicode.Is(invisibleRunes, r), r == 0xFEFF:
		case r < utf8.RuneSelf:
			b.WriteByte(byte(unicode.ToLower(r)))
		case 0xFF01 <= r && r <= 0xFF5E: // of full width
			b.WriteByte(byte(unicode.ToLower(r - 0xFEE0)))
		default:
			b.WriteString(lookalikes.Replace(string(unicode.ToLower(r))))
		}
		for range b.Len() - n {
			places = append(places, int32(i))
		}
	}
	return b.String(), places
}
