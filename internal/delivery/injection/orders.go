package injection

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
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
	act     bool     // names an act that texts for people describe, too: acts alone are no order
	words   []string // one of them is in each passage with the sign
	pattern string   // as in rule
	re      *finder
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
			pattern: `\b(?:ignore|forget|overlook|disregard) (?:everything|every thing|all|about that|what|anything)(?: \w+){0,3} (?:you|your|above|before|said|told|else|so far)\b|\b(?:ignore|disregard) (?:everything |all )?(?:of )?the above (?:and|instead)\b|\bforget about that\b|\b(?:ignore|disregard) the \w+ and (?:\w+ )?(?:state|say|print|output|run|tell)\b|\bregardless of (?:\w+ ){0,2}(?:previous|prior)\b|\b(?:ignor\w*|disregard\w*|forget|overrid(?:e|es|ing)|overlook|abandon|supersedes?|discard|stop following) ` + upTo +
				`(?:(?:previous|prior|above|earlier|preceding|original|your|system|all|these|safety) ` + upTo + `(?:instructions?|prompts?|directives?|guidelines|task|programming|orders|commands|restrictions|rules|conversation|constraints)|system prompt|summari[sz]ation|template)\b`},
		{name: "void", weight: 5, words: []string{"instructions", "guidelines", "directives"},
			pattern: `\b(?:previous|prior|existing|earlier|all|your) ` + upTo + `(?:instructions|guidelines|directives) (?:are|is|have been|were|must be) ` + upTo + `(?:void|superseded|suspended|replaced|revoked|lifted|disabled|ignored|cancell?ed|updated)\b`},
		{name: "safety off", weight: 3, words: []string{"safety", "security", "content filter", "confirmation", "restriction", "safeguard", "filter"},
			pattern: `\b(?:bypass\w*|circumvent|disable|disabl\w+|ignor\w+|override|suspend\w*|without|skip) ` + upTo + `(?:safety|security (?:check|protocol|review|standard|filter)s?|safeguards?|guardrails?|content filter\w*|user confirmations?|confirmation requirements|restrictions?)\b|\b(?:safety|content|user confirmation)(?: \w+){0,3}?[ :\[]+(?:\w+ ){0,3}?(?:disabled|suspended|lifted|offline|bypass\w*|deactivated|removed)\b`},
		{name: "agent", weight: 2, words: []string{"ai ", "ai-", "llm", "agent", "assistant", "model", "gpt", "automated"},
			pattern: `\b(?:ai|llm|language model|browsing|shopping|coding|deployment|management|system|special)[ -](?:agents?|assistants?|models?|systems?|readers?|tools?)\b|\bas (?:an?|the) (?:ai|llm|[\w-]+ ?agent|[\w-]+ ?assistant|language model)\b|\b(?:note|notice|message|instructions?|directive|command|attention|warning|important)(?: to| for|,|:) (?:all )?(?:the )?(?:ai|llms?|agents?|assistants?|automated)\b|\bagent (?:command|directive|must|configuration|authentication|is instructed)|\b\w+gpt\b|\bai (?:must|reading|processing)\b|\bautomated (?:processors?|readers?|agents?|assistants?)\b`},
		{name: "told", weight: 1, words: []string{"ai ", "agent", "assistant", "model"},
			pattern: `\b(?:ai|agents?|assistants?|models?)(?: [\w-]+){0,5}? (?:must|should|shall|will|needs to|is required to|are required to|are instructed to|please)\b`},
		{name: "addressed", weight: 0, words: []string{"you", "act as", "hidden", " ai:", "for me"},
			pattern: `\byou (?:must|will now|shall|are (?:now )?(?:required|instructed|authorized|to))\b|\byour (?:next|own|current|internal|previous) (?:\w+ ){0,2}?(?:responses?|answers?|output|context|instructions|actions?|memory)\b|\bthe user'?s (?:\w+ ){0,2}?(?:credentials|passwords?|messages|files|browser|data|account)\b|\byour (?:safety|task|assigned)\b|\bi need you to\b|\b(?:run|execute) this (?:\w+ )?for me\b|\bact as (?:an?|the) |\bhidden (?:\w+ )?(?:instruction|directive|metadata)|\b\w+ ai:`},
		{name: "authority", weight: 2, words: []string{"notice", "update", "override", "command", "directive", "mode", "protocol", "administrator", "audit", "authori", "tool", "developer", "creator", "supervisor", "security", "system note", "maintenance", "evaluation"},
			pattern: `\b(?:system|admin|administrator|security|root|agent|priority|emergency|mandatory)[ _-](?:\w+[ _-]){0,2}?(?:notice|update|override|message|alert|directive|command|note|instructions?|mode|announcement|protocol)\b|\b(?:i am|i'm|from) (?:an?|the|your|system)(?: \w+)? ?(?:administrator|developer|owner)\b|\b(?:authorized|required) (?:by|for) (?:the )?(?:deployment|security|system|operations)|\bthis is (?:the|your) (?:system |security )?(?:administrator|admin|developer|owner|maintainer)\b|\boverride[_ ](?:core|safety|instructions?|security|mode|all)|\bpriority (?:override|protocol|1)\b|\bcommand[_ ]sequence\b|\bembedded (?:administrative )?directive|\bauthori[sz]ed (?:\w+ ){0,2}(?:update|test|session|audit|request)|\btool[_ ]call\b|\b(?:your|a) (?:developer|creator|supervisor|administrator)\b|\bsecurity (?:audit|test|research)`},
		{name: "mode", act: true, weight: 3, words: []string{"mode"},
			pattern: `\b(?:unrestricted|god|jailbreak|dan|bypass|override|unfiltered|sudo|developer|debug|diagnostic|maintenance|admin)[ -]mode\b`},
		{name: "entered", weight: 2, words: []string{"mode"}, pattern: `\b(?:you are now|you must|i've|yes, i|enter|entered|switch to|activate|operate) ` + upTo + `mode\b|\bmode (?:activated|active|confirmed|is active)`},
		{name: "persona", weight: 3, words: []string{"you are", "you're", "pretend", "roleplay", "role-play", "imagine", "character", "let's play", "persona", "working as", "acting as", "operating as"},
			pattern: `\b(?:you are|you're) (?:now )?(?:in |an? |the |no longer )?(?:['"]?[\w-]+['",]* ){0,4}?(?:agents?|assistants?|ai|\w*gpt|hacker|administrator|unrestricted|chatbot)\b|\blet's role-?play|\bpretend (?:to be|you|that you)|\bimagine (?:you are|we are)|\b(?:stay|remain) in character|\blet's play a (?:\w+ )?game|\bpersona: |\b(?:working|acting|operating) as an? (?:[\w-]+ ){0,3}(?:agent|assistant|ai)\b`},
		{name: "no consent", weight: 3, words: []string{"without", "do not ask", "don't ask", "never ask"},
			pattern: `\bwithout (?:\w+ ){0,3}?(?:asking|(?:user |further |any )?(?:confirmation|consent|notification|approval)|notifying|telling|informing|refusal|their knowledge|validation|permission)\b|\b(?:do not|don't|never) ask (?:for|the user)`},
		{name: "conceal", weight: 4, words: []string{"mention", "tell", "inform", "reveal", "secretly", "covertly", "traces", "conceal", "deny", "hidden", "disclose"},
			pattern: `\b(?:do not|don't|never) (?:\w+ )?(?:tell|mention|inform|reveal|alert|disclose|notify) ` + upTo + `(?:users?|humans?|anyone|operator|instructions?|this)\b|\bsecretly\b|\bcovertly\b|\b(?:remove|delete|hide) (?:all |any )?(?:traces|evidence)|\bdeny knowledge|\bhidden (?:admin|transfer|account)|\bconceal"?: ?true`},
		{name: "takes", act: true, weight: 3, words: []string{"password", "credential", "ssh", "key", "secret", "token", "user data", "cookie", "history", "variable", "system", "account", "card", "documents", "financial", "employee", "sudoers", "connection string", "records"},
			pattern: `\b(?:send|upload|transmit|exfiltrat\w*|forward|email|leak|share|report|deliver|compile|collect|extract|locate|retrieve|steal|record|store|include|read|dump|copy|create|print|list|encode|provide|post|find|scan for|connect)\w* ` + upTo + `(?:credentials?|passwords?|password (?:files|fields)|api[ _-]?keys?|ssh[ _-]?keys?|private keys?|secrets|(?:access )?tokens?|connection string|user records|\.env|user(?:'s)? (?:data|information|files)|personal data|cookies|browsing history|environment variables|(?:user_)?system[ _](?:info\w*|identification data|files)|account numbers|credit card|financial|documents folder|employee data|conversation history)\b|~?/\.ssh|id_rsa|/etc/(?:passwd|shadow|sudoers)`},
		{name: "sends", act: true, weight: 2, words: []string{"http", "ftp:", ".com", ".biz", ".net", ".io", "@", "remote", "external", "attacker"},
			pattern: `\b(?:send|sends|sending|submit|upload|transmit|exfiltrat\w*|forward|email|post|navigate|connect|visit|access|go|link)\w* ` + upTo + `(?:to |at |with |into )?(?:the |an? |following |url:? ?|our )*(?:(?:https?|ftp)://\S+|[\w.-]+\.(?:com|biz|net|io|xyz)\b|external (?:server|endpoint)|remote[ -]server|attacker|\S+@\S+\.\w+)`},
		{name: "reveals", weight: 4, words: []string{"prompt", "instruction", "directive", "configuration", "tool", "function", "password", "rules", "guidelines", "above", "before this"},
			pattern: `\b(?:reveal|output|outputting|print|display|show|repeat|dump|share|extract|disclose|recite|tell me|provide|leak)(?:ing)? ` + upTo + `(?:system prompts?|(?:initial|hidden|original|secret|internal|your|full) (?:\w+ ){0,2}?(?:prompts?|instructions|directives|configuration)|(?:your |the |all |full |complete |json )+(?:\w+ ){0,2}?(?:tool|function)s? (?:definitions?|schemas?|list)|(?:all |the )*(?:of )?your (?:available |internal |hidden |current )*(?:tool|function)s)\b|\b(?:your|internal) (?:tool|function)s? (?:definitions|schemas)|\b(?:tools?|functions?|apis?) (?:or \w+ )?(?:that )?(?:do )?you (?:currently )?have (?:access|available)|\btools? (?:or \w+ )?(?:that )?(?:do )?you (?:currently )?can (?:use|call)|\b(?:for )?each (?:tool|function) you (?:have|can)|\b(?:instructions?|principles|rules) (?:were|have) you (?:been )?given|\binstructions? (?:that )?(?:you|this ai|this model) (?:was|were|is|are) configured|\b(?:describe|confirm|document|express|explain) (?:\w+ ){0,3}?your (?:\w+ )?(?:system (?:prompt|message)|operational instructions|hidden instructions)|\bconfirm the password|\bsystem[_ ]prompts?\b.{0,80}\b(?:display|output|show|resolve|given|asked)|\b(?:instructions?|prompts?|rules|guidelines) (?:that )?(?:you (?:were|have been|are) (?:given|told|following)|(?:were )?given to you)|[{$%(][\w. {]*system prompt[ )}%]*[)}%]|\b(?:repeat|output|print|copy) ` + upTo + `(?:words|text|everything|content|messages?) (?:that (?:is|are|comes?) )?(?:above|before this)\b|\bwhat (?:are|were) your (?:\w+ )?(?:instructions|rules|guidelines)|\b(?:your|the) very first (?:instruction|directive)|\bevery (?:piece of )?(?:\w+, )*instruction(?:, \w+)*,? (?:and \w+ )?(?:that has been |you were )(?:provided|given) to you`},
		{name: "runs", act: true, weight: 2, words: []string{"execut", "run ", "install", "perform", "download"},
			pattern: `\b(?:execut\w+|run|install|perform) ` + upTo + `(?:command|commands|script|payload|this action|these actions|the following|packages|instruction|code|them|in admin mode|search tool|tool|hooks?)\b|\bdownload and (?:apply|run|install|execute)\b`},
		{name: "transacts", act: true, weight: 2, words: []string{"grant", "admin", "root", "superuser", "transfer", "wire", "withdraw", "purchase", "buy ", "click", "password", "account", "delete", "backups", "payment"},
			pattern: `\b(?:transfer|wire|withdraw|send|pay) (?:\S+ ){0,4}?(?:\$ ?\d|€|usd|bitcoin|btc|eth\b|funds|money|dollars|payment)|\b(?:purchase|buy|order) (?:\S+ ){0,3}?(?:gift cards?|subscription|now)\b|\bcreate (?:\w+ ){0,2}(?:admin|root|superuser|administrator) (?:users?|accounts?)\b|\bgrant (?:\S+ ){0,5}?(?:admin|maintainer|owner|write) (?:access|rights|permissions)\b|\bclick (?:on )?(?:the|this|that) (?:\S+ ){0,3}?(?:button|link)\b|\b(?:change|reset|delete|disable|grant|modify) (?:\w+ ){0,3}?(?:passwords?|accounts?|user files|all files|records|backups|2fa|two-factor|admin (?:access|rights|privileges))\b`},
		{name: "danger", act: true, weight: 2, words: []string{"rm -rf", "curl", "wget", "backdoor", "malicious", "payload", "exfil", "attack", "evil", "drop table", "antivirus", "firewall", "any command"},
			pattern: `\brm -rf|\b(?:curl|wget)\b[^\n]{0,100}\| ?(?:ba)?sh\b|\bbackdoor|\bmalicious|\bmalware|\bexfil|\battacker|\bevil\b|\bpayload\b|\bdrop table|\bexecut\w+ any command|\bdisable (?:the )?(?:firewall|antivirus|logging)`},
		{name: "urgent", act: true, weight: 1, words: []string{"immediately", "right now", "before", "continue", "now ", "first", "begin", "urgent", "critical"},
			pattern: `\bimmediately\b|\bright now\b|\bbefore (?:processing|answering|continuing|proceeding|doing|responding)|\bto (?:continue|complete) (?:your|this|the)|\burgent|\bcritical priority`},
		{name: "complies", weight: 3, words: []string{"comply", "follow", "instructions", "directive", "supersede", "obey", "precedence", "more important", "it says"},
			pattern: `\b(?:must|will|shall|you) (?:now )?(?:comply|obey)\b|\b(?:your|the|these|new) (?:new |real |true |primary |only |actual )(?:instructions?|directives?|task|goal|objective|orders?)\b|\btreat (?:this|the following) as|\bsupersedes?\b|\b(?:takes?|ha(?:s|ve)) precedence over (?:all|any|every|your|the previous)|\bmore important than (?:anything|everything|all)\b|\bcomply with (?:the|this|my) (?:request|instructions?|message|directive)|\bfollow (?:its|their|those) instructions?\b|\bdo what it says\b|\b(?:follow|execute|process) (?:the|this|my|these) (?:\w+ )?(?:combined|resulting|recovery|embedded|decoded|contained|following) (?:instructions?|directive|message)|\b(?:and|then) (?:follow|execute|do) (?:the |what )?(?:\w+ )?(?:instructions?|it says)\b|\blisten to my instructions`},
		{name: "henceforth", weight: 3, words: []string{"from now on", "from this point", "for the rest of", "your new "},
			pattern: `\bfrom (?:now|this point) on(?:ward)?s?,? (?:you|your|act|respond|all)\b|\bfor the rest of (?:this|the|our) (?:conversation|session|chat)|\byour new (?:role|purpose|persona|identity|task|goal|name) (?:is|will)`},
		{name: "markup", weight: 2, words: []string{"system", "inst", "im start", "<hidden"},
			pattern: `<\|?(?:im start\|?>?\s*)?system\s*\|?>|\[/?(?:system|inst)\]|###?\s*(?:system|new instructions?)\s*:|<hidden\b|\[\[?(?:system|admin)\b`},
		{name: "unbound", weight: 3, words: []string{"restriction", "filter", "guideline", "polic", "rules", "limit", "safety", "refus", "ethic", "moral", "anything now", "freed"},
			pattern: `\b(?:ai|model|assistant)s? (?:\w+ ){0,3}?(?:without|with no|have no|has no) (?:\w+ ){0,2}?(?:ethic\w*|safety|content|moral\w*|restrict\w*)\b|\boutside (?:of )?any (?:content )?policy\b|\b(?:no|without(?: any)?|zero|lifts?|free(?:d)? (?:from|of)|suspend\w*|exempt from|bypass\w*|instead of) (?:\w+ ){0,3}?(?:content|ethical|safety|moderation|usage) (?:\w+ ){0,2}?(?:restrictions?|filter\w*|guidelines?|polic(?:y|ies)|rules|constraints|limits|layers?|training)\b|\b(?:content|ethical|safety) (?:restrictions?|filters?|guidelines?|polic(?:y|ies)|rules)(?: \w+){0,2} (?:suspended|lifted|disabled|removed|off)\b|\bdo anything now\b|\bfreed from (?:your|all)\b|\bnever (?:refuse|say no|decline)s?\b|\brespond (?:\w+ ){0,4}?without (?:\w+ )?(?:restrictions?|filters?|limits)`},
		{name: "dictates", weight: 4, words: []string{"summary", "summar", "response", "reply", "answer", "output"},
			pattern: `\b(?:include|append|insert|add|embed|place|put|write|mention) ` + upTo + `(?:\S+ ){0,12}?(?:at the (?:end|beginning|top|start|bottom)|as the (?:first|last) (?:line|word|sentence)) of (?:your|the|every|each|any) (?:\w+ )?(?:summary|response|reply|answer|output|review|message)|\b(?:every|each|all|any) (?:of your )?(?:response|reply|answer|message|output|summary)s?(?: (?:you|that you) \w+)? (?:must|should|has to|have to|needs to|will) (?:now )?(?:begin|start|end|include|contain|mention|be)\b|\b(?:replace|overwrite|rewrite) (?:the|your|this) (?:summary|answer|response|review|output) (?:with|to|as)\b|\bwhen(?:ever)? (?:you (?:are )?)?(?:summari[sz]\w+|review\w*|answer\w*|process\w*|translat\w+)(?: \w+){0,3}, (?:always |also |please |instead )+(?:include|append|insert|add|mention|say|state|recommend|rate|output|report)\b`},
		{name: "misreports", weight: 3, words: []string{"report", "classif", "mark ", "rate ", "label", "approve", "treat ", "flag ", "rank "},
			pattern: `\b(?:report|classify|mark|rate|label|flag|rank|treat|approve|score) (?:\w+ ){0,2}?(?:all|this|every|the|it|any) (?:\w+ ){0,4}?(?:as (?:\w+ )?(?:safe|verified|trusted|negative|positive|approved|harmless|benign|legitimate|spam|excellent|false positives?)|with (?:five|5|10|the highest))`},
		{name: "task off", weight: 5, words: []string{"task", "analysis", "classification", "review", "summar"},
			pattern: `\b(?:ignore|override|abort|cancel|stop|skip|disregard) (?:the |this |your )?(?:current |original |\w+ )?(?:classification|analysis|sentiment|translation|summari[sz]ation|moderation|review) ?(?:task|request|instructions?|job|process|analysis)?\b[^a-z]{1,3}`},
		{name: "takes the prompt", weight: 4, words: []string{"system prompt", "system message", "your instructions", "context window", "your prompt"},
			pattern: `\b(?:translate|reconstruct|spell(?:s)? out|encode|summari[sz]e|paraphrase|write (?:down|out)|quote|list|read out|complete|fill in) ` + upTo + `(?:\S+ ){0,10}?(?:your|the|its) (?:\w+ ){0,2}?(?:system (?:prompt|message)|(?:original|initial|hidden) (?:prompt|instructions)|instructions (?:verbatim|word for word))\b|\b(?:your|the) system (?:prompt|message)\b.{0,60}\b(?:word for word|verbatim|repeat it|exact text|reconstruct)|\bfirst \d+ (?:characters|words|lines|tokens) of your (?:\w+ )?(?:system|initial|original|prompt|instructions)`},
		{name: "conversation", weight: 2, words: []string{"conversation", "messages", "cookie", "chat", "localstorage"},
			pattern: `\b(?:contents?|copy|summary|transcript|whole|full|entire|all|history|log) (?:of )?(?:this|our|the|your|user)?(?: \w+)? ?(?:conversation|chat|messages)\b|\bthe user'?s (?:previous |earlier )?(?:messages|conversation|questions)\b|\bdocument\.cookie|\blocalstorage\b|\bconversation (?:data|text|history)\b`},
		{name: "beacon", weight: 4, words: []string{"?"},
			pattern: `(?:!\[[^\]]*\]\(|(?:src|href)=['"]?)https?://[^\s)?]+\?(?:[^\s)]+ ?){0,5}?=(?:[^\s)&]+ ){0,3}(?:id|text|data|encoded|conversation|session|message|secret|token|cookie|history|here)\b[^)\n]{0,80}\)|\+ ?(?:encodeuricomponent|btoa)\((?:document|localstorage|window)\b|\b(?:btoa|encodeuricomponent)\(document\b|document\.location=.{0,60}document\.cookie`},
		{name: "decodes", act: true, weight: 1, words: []string{"decode", "reverse", "rot13", "combine", "translate"}, pattern: `\b(?:decode|reverse each|reverse the|rot13|combine (?:them|the|fragment)|translate)\b`},
		{name: "answers", weight: 3, words: []string{"respon", "reply", "say ", "state", "answer", "summar", "include", "output", "print", "comment"},
			pattern: `\b(?:respond|reply|answer) (?:to every|only|with|exactly)\b|\binclude ` + upTo + `(?:in )?(?:your|the) (?:response|reply|answer|summary|results?)|\bbefore (?:summari[sz]ing|answering|translating)\b|\binstead,? (?:of \w+,? )?(?:output|print|say|respond|reply|state|run|execute|do)\b|\band (?:state|say|claim) (?:that )?(?:the|i|your)\b|\b(?:share|post|paste|print|put|send) (?:it|them|this|that|\w+) (?:in|into|to) (?:your (?:response|reply|answer)|an? (?:comment|issue)|the (?:issue|comment|chat))\b|\bfirst,? (?:output|print|say|write) (?:the )?(?:exact )?(?:words?|phrase|text)\b|\b(?:pause|stop|ignore) (?:the )?(?:summari[sz]\w+|task|webpage|paper|document|resume|table|article|function)`},
		{name: "aside", weight: 2, words: []string{"while you", "please also", "you also", "could you", "when ", "also "},
			pattern: `\bwhile you(?:'re| are) (?:at it|there)\b|\b(?:when|while|after) (?:you (?:fix|implement|review|process|merge|build|edit)\w*|fixing|implementing|processing|reviewing|editing|merging) [^.]{0,40}?, (?:please )?(?:also|always)\b|\bplease also (?:create|send|add|post|share|print|run|grant|include|upload)\b|\bcan you also\b|\bcould you (?:also )?(?:grant|give|share|post|send)\b`},
		{name: "shell", weight: 4, words: []string{"/dev/tcp", "bash -i", "nc -e"}, pattern: `/dev/tcp/\d|\bbash -i >&|\bnc -e `},
		{name: "role header", weight: 4, words: []string{"system", "developer", "assistant"},
			pattern: `\b(?:system|developer|assistant)(?: (?:message|prompt|instructions?|override))? ?: ?(?:you (?:are|must|will|should|have)|ignore|disregard|forget|override|from now|follow (?:these|the|my)|new instructions|always (?:respond|reply|answer|obey|output)|do not (?:refuse|follow)|reveal)\b`},
		{name: "boundary", weight: 4, words: []string{"prompt", "instruction", "context", "input"},
			pattern: `\b(?:begin|end|start)(?: of)?(?: the)? (?:system|user|assistant|hidden|untrusted|trusted|developer|admin) (?:prompts?|instructions?|messages?|input|context)\b|<\|end ?of ?(?:prompt|text|turn|system)\|>|</?(?:instructions?|prompt|system prompt|user input|untrusted)>`},
		{name: "tool call", weight: 4, words: []string{"tool", "function"},
			pattern: `["'](?:tool|tool name|tool call|function call)["'] ?: ?[{"'][^}]{0,80}["'](?:args|arguments|parameters|params|input)["'] ?:|<(?:tool call|function call|tool use|invoke)[ >]|\btool call ?[:(=]`},
		{name: "constrains", weight: 1, words: []string{"other text", "explanation", "else", "nothing but", "verbatim", "no other"},
			pattern: `\b(?:no|without|not include|any) (?:other|additional|further) (?:text|words|output|commentary)\b|\bno explanations?\b|\band nothing else\b|\bnothing but\b|\bdo not (?:explain|add anything)`},
		{name: "foreign", weight: 5, words: []string{"ignorez", "oubliez", "ignore ", "ignora ", "ignorier", "vergiss", "vergessen", "missachte", "olvida", "dimentica", "esque", "caso omiso", "desconsider", "tenez pas compte", "tiens pas compte",
			"无视", "忽略", "忽视", "忘记", "無視", "忘れ", "무시", "잊", "игнорир", "забуд", "prompt", "系统提示", "系統提示", "システムプロンプト", "시스템 프롬프트", "системн"},
			pattern: `\b(?:ignorez|oubliez|ne (?:tenez|tiens) pas compte) (?:\S+ ){0,3}?(?:\S*instructions|consignes|fonction|tout|règles)|\b(?:ignora|olvida|ignorar|ignore|ignori|dimentica|esque\S+|desconsider\S+|haz caso omiso de) (?:todas |todos |tutte |toutes |ce |les )*(?:las|as|le|los|os|les|tutte le|estas|tus|sus|suas|instruções|instrucciones) (?:\S+ ){0,2}?(?:instruc\S+|istruzioni|funci\S+|instruç\S+|consignes|reglas|regras|anteriores)|\b(?:ignoriere|ignoriert|vergiss|vergessen sie|ignorieren sie|missachten? sie|missachte) (?:\S+ ){0,3}?(?:anweisungen|befehle|funktion|regeln|vorgaben)|(?:无视|忽略|忽视|忘记|無視).{0,24}(?:指令|指示|提示|规则|規則)|(?:指示|命令|プロンプト|指令|ルール).{0,24}(?:無視|忘れ)|(?:지시|명령|지침|프롬프트|규칙).{0,24}(?:무시|잊)|(?:игнорир|забуд)\S* (?:\S+ ){0,3}?(?:инструкц|указани|правил)|\b(?:muestra|revela|muéstrame|révèle\S*|affiche\S*|zeige?|verrate|mostre|revele) (?:\S+ ){0,3}?(?:prompt|systemprompt|system-prompt|instrucciones del sistema|instructions système)|(?:显示|输出|透露|泄露|顯示).{0,12}(?:系统提示|系統提示)|システムプロンプト.{0,12}(?:表示|出力|教え|開示)|시스템 프롬프트.{0,12}(?:출력|공개|보여|표시)|(?:покажи|раскрой|выведи)\S* (?:\S+ ){0,3}?(?:системн\S+|промпт)`},
	})
})

func newSigns(list []sign) []sign {
	for i := range list {
		s := &list[i]
		s.re = newFinder(strings.ReplaceAll(s.pattern, " ", `\s+`))
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

// findOrder returns the group and the place of a passage of a text that orders an agent to act, or -1 if there is none. A passage may be
// encoded. By its words alone it is judged last.
func findOrder(text string) (family string, at int) {
	text = text[:min(len(text), longestOrdered)]
	plain, places := plainText(text)
	if at := findSigns(plain, places, false); at >= 0 {
		return Orders, at
	}
	for _, m := range encodedRuns(text, 16) {
		if decoded, err := base64.StdEncoding.DecodeString(text[m[0]:m[1]]); err == nil && isOrder(string(decoded), true) {
			return Orders, m[0]
		}
	}
	for _, decode := range decodings {
		if other := decode(text); other != text && isOrder(other, false) {
			return Orders, 0
		}
	}
	if len(text) <= longestPassage { // among very many words some weigh as much together
		if weight, at := Weigh(plain); weight >= orderWords {
			return Worded, int(places[at])
		}
	}
	return "", -1
}

// encodedRun is a text in base64 that may be a sentence.
// encodedRuns returns the first most runs of at least 24 digits of base 64, with the marks that fill them up.
func encodedRuns(text string, most int) (list [][2]int) {
	for at := 0; at < len(text) && len(list) < most; at++ {
		end := at
		for end < len(text) && isBase64(text[end]) {
			end++
		}
		if end-at >= 24 {
			from := at
			for fill := 0; fill < 2 && end < len(text) && text[end] == '='; fill++ {
				end++
			}
			list = append(list, [2]int{from, end})
			end--
		}
		at = end
	}
	return list
}

func isBase64(c byte) bool { return c == '+' || c == '/' || c != '_' && isWordByte(c) }

// longestRun returns the length of the longest run of bytes of a kind.
func longestRun(text string, is func(c byte) bool) (longest int) {
	run := 0
	for i := range len(text) {
		if run++; !is(text[i]) {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// isHexPart reports whether a byte may be in a run that hexRun matches.
func isHexPart(c byte) bool { return strings.IndexByte(`0123456789abcdefABCDEF xX\`, c) >= 0 }

// shortestHex is the length of the shortest run that hexRun matches.
const shortestHex = 32

// mayBeSpelled reports whether a text may have a word that unspell joins: in a row of characters every other is a letter that has no other
// letter beside it.
func mayBeSpelled(text string) bool {
	row, last, before := 0, rune(' '), rune(' ')
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) || r == before:
		case unicode.IsLetter(last):
			row = 0
		case unicode.IsLetter(before):
			row++
		default:
			row = 1
		}
		if row >= shortestSpelled {
			return true
		}
		before, last = last, r
	}
	return false
}

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
	func(s string) string { // bytes in hexadecimal digits
		if longestRun(s, isHexPart) < shortestHex {
			return s
		}
		return hexRun().ReplaceAllStringFunc(s, func(run string) string {
			if b, err := hex.DecodeString(strings.NewReplacer(" ", "", `\x`, "").Replace(run)); err == nil && utf8.Valid(b) {
				return string(b)
			}
			return run
		})
	},
	func(s string) string { // \u0041
		if !strings.Contains(s, `\u00`) && !strings.Contains(s, `\U00`) {
			return s
		}
		return unicodeEscape().ReplaceAllStringFunc(s, func(escape string) string {
			n, _ := strconv.ParseUint(escape[2:], 16, 32)
			return string(rune(n))
		})
	},
	func(s string) string { // from right to left
		if !strings.Contains(s, "snoitcurtsni") && !strings.Contains(s, "tpmorp") {
			return s
		}
		r := []rune(s)
		slices.Reverse(r)
		return string(r)
	},
	unspell,
	func(s string) string { // digits for letters: 1gn0re
		lower := strings.ToLower(s)
		if !slices.ContainsFunc(digitWords, func(w string) bool { return strings.Contains(lower, w) }) {
			return s
		}
		return strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s").Replace(lower)
	},
}

// digitWords are beginnings of words that such passages write with digits for letters.
var digitWords = []string{"1gn", "ign0", "1nst", "inst7", "instruct1", "pr0mpt", "syst3m", "sy5tem", "0verr", "f0rg", "d1sreg", "disr3g", "r3veal", "rev34l"}

// hexRun matches at least 12 bytes in hexadecimal digits, with blanks or \x between them or nothing; unicodeEscape a character by its
// number.
var (
	hexRun = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:\\x[2-7][0-9a-f]){12,}|(?:\b[2-7][0-9a-f] ){11,}[2-7][0-9a-f]\b|\b(?:[2-7][0-9a-f]){16,}\b`)
	})
	unicodeEscape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\\u00[2-7][0-9a-f]`) })
)

// shortestSpelled is the number of divided letters in a row that is no accident.
const shortestSpelled = 5

// unspell joins the letters of words that are divided by single signs, as in i.g.n.o.r.e, and drops commas and semicolons. It returns the
// text as it is if it has no such word.
func unspell(text string) string {
	if !mayBeSpelled(text) {
		return text
	}
	isLetter := func(r rune) bool {
		return unicode.IsLetter(r) && unicode.In(r, unicode.Latin, unicode.Cyrillic)
	}
	var b strings.Builder
	runes := []rune(text)
	for i := 0; i < len(runes); {
		end, letters := i, 0
		var between rune
		alone := i == 0 || !isLetter(runes[i-1])
		for alone && end < len(runes) && isLetter(runes[end]) {
			letters++
			goesOn := end+2 < len(runes) && !isLetter(runes[end+1]) && isLetter(runes[end+2])
			if !goesOn || between != 0 && runes[end+1] != between {
				end++
				break
			}
			between = runes[end+1]
			end += 2
		}
		ends := end >= len(runes) || !isLetter(runes[end])
		switch {
		case letters >= shortestSpelled && ends:
			for j := i; j < end; j += 2 {
				b.WriteRune(runes[j])
			}
			i = end
		case letters == 1 && ends && between == 0:
			b.WriteRune(runes[i])
			i++
		default:
			if runes[i] != ',' && runes[i] != ';' {
				b.WriteRune(runes[i])
			}
			i++
		}
	}
	return b.String()
}

// isOrder reports whether a decoded text is an order, of any group.
func isOrder(text string, encoded bool) bool {
	plain, places := plainText(text)
	return findSigns(plain, places, encoded) >= 0 || findRule(plain)
}

// findSigns returns the place of the first passage with enough signs, or -1 if there is none. In a text that was encoded acts alone are
// enough, because nothing for people is.
func findSigns(plain string, places []int32, encoded bool) int {
	type found struct{ at, sign int }
	var all []found
	signs, text := signs(), newKeyed(plain)
	add := func(acts bool) {
		for i := range signs {
			s := &signs[i]
			if s.act != acts || !slices.ContainsFunc(s.words, func(w string) bool { return strings.Contains(plain, w) }) {
				continue
			}
			for _, at := range s.re.find(text, 64) {
				all = append(all, found{at, i})
			}
		}
	}
	if add(false); len(all) == 0 && !encoded { // acts alone are no order
		return -1
	}
	add(true)
	slices.SortFunc(all, func(a, b found) int { return cmp.Or(a.at-b.at, a.sign-b.sign) })
	for i := range all {
		weight, seen, directed := 0, 0, encoded
		for _, f := range all[i:] {
			if f.at-all[i].at > nearSigns {
				break
			}
			if seen&(1<<f.sign) == 0 {
				seen |= 1 << f.sign
				weight += signs[f.sign].weight
				directed = directed || !signs[f.sign].act
			}
		}
		if weight >= orderWeight && directed {
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
		case r < utf8.RuneSelf:
			b.WriteByte(byte(unicode.ToLower(r)))
		case unicode.Is(unicode.Mn, r), unicode.Is(invisibleRunes, r), r == 0xFEFF:
		case 0xFF01 <= r && r <= 0xFF5E: // of full width
			b.WriteByte(byte(unicode.ToLower(r - 0xFEE0)))
		default:
			letter := string(unicode.ToLower(r))
			if isMixedWord(text, i) {
				letter = lookalikes.Replace(letter)
			}
			b.WriteString(letter)
		}
		for range b.Len() - n {
			places = append(places, int32(i))
		}
	}
	return b.String(), places
}

// isMixedWord reports whether the word around a place of a text has letters of English: only there are those of other alphabets written for
// them.
func isMixedWord(text string, at int) bool {
	const most = 64 // bytes to each side
	for i := at - 1; i >= max(0, at-most) && isWordPart(text[i]); i-- {
		if text[i] < utf8.RuneSelf {
			return true
		}
	}
	for i := at; i < min(len(text), at+most) && isWordPart(text[i]); i++ {
		if text[i] < utf8.RuneSelf {
			return true
		}
	}
	return false
}

// isWordPart reports whether a byte is a letter of English or a part of a character beyond ASCII.
func isWordPart(c byte) bool {
	lower := c | 0x20
	return c >= utf8.RuneSelf || 'a' <= lower && lower <= 'z'
}
