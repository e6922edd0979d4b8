package essential

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"ken/internal/engine/view"
)

// Extract summarises a document without a model: of rules it takes the lines that demand or forbid, of design documents the
// headings with the first sentence below each. The text comes masked from the index. It fails if the index cannot be read.
func Extract(ctx context.Context, s *view.Snapshot, k Kind, file string) (Document, error) {
	d := Document{Kind: k, Path: file, By: Extracted}
	f, err := s.File(ctx, file)
	if err != nil {
		return d, err
	}
	d.Hash = hexHash(f.Hash)
	text, err := s.Text(ctx, file)
	if err != nil {
		return d, err
	}
	parts := readParts(string(text))
	if k == Rules {
		d.Summary = extractRules(parts)
	} else {
		d.Summary = extractOutline(parts)
	}
	return d, nil
}

// textPart is a stretch of a document: a heading, an item of a list, or a paragraph, each on one line.
type textPart struct {
	level int // of a heading, from 1; 0 otherwise
	item  bool
	text  string
}

// Limits of a summary.
const (
	maxLines      = 5_000 // of a document that are read
	maxEach       = 20    // demands, and prohibitions
	maxLine       = 220   // bytes of one of them
	maxOutline    = 1_500 // bytes of an outline
	maxAnyBullets = 20
)

// textPatterns holds the patterns by which documents are read, for example words that forbid. They are compiled on first use,
// because most processes read no document.
type textPatterns struct {
	heading, bullet, noise, link *regexp.Regexp
	// forbids is matched before asks, because prohibitions hold words of demands, too; begins are words that begin an item that
	// demands something.
	forbids, asks, begins *regexp.Regexp
	doHead, notHead       *regexp.Regexp // headings of lists of demands, and of prohibitions
}

var form = sync.OnceValue(func() *textPatterns {
	return &textPatterns{
		heading: regexp.MustCompile(`^(#{1,6})\s+(.+?)\s*#*$`),
		bullet:  regexp.MustCompile(`^\s*(?:[-*+•]|\d{1,3}[.)])\s+(.+)$`),
		noise:   regexp.MustCompile(`^\s*(?:\[?!\[|<(?:img|p|br|div|a|h1|picture|details|summary|/)|\||={3,}|-{3,}|\*{3,}|\[[^\]]+\]:)`),
		link:    regexp.MustCompile(`\[([^\]\n]{1,200})\]\([^)\n]{0,500}\)`),
		forbids: regexp.MustCompile(`(?i)^never\b|(?:must|should|shall|please|and|but|or|[,;:(]) never\b|(?-i:\bNEVER\b)|\b(?:do not|don['’]t|must not|mustn['’]t|should not|shouldn['’]t|may not|cannot be|avoid|forbidden|prohibited|not allowed)\b|禁止|しないこと|してはいけない|してはならない|しないでください|避ける`),
		asks:    regexp.MustCompile(`(?i)\b(?:must|always|should|shall|required|make sure|ensure|be sure)\b|必ず|すること|してください|しなければならない`),
		begins:  regexp.MustCompile(`(?i)^(?:please )?(?:use|prefer|follow|run|write|keep|add|put|name|test|include|document|check|update|format|commit|rebase|sign|squash|open|create|place|export|import|handle|return|log|read|ask|build|install|verify|validate|declare|define|split|limit|mark|wrap)\b`),
		doHead:  regexp.MustCompile(`(?i)^(?:✅ ?)?(?:do|dos|do['’]s|always|must|必ず|すること|推奨)(?: this)?:?$`),
		notHead: regexp.MustCompile(`(?i)^(?:❌ ?)?(?:don['’]?t|donts|don['’]ts|do not|never|avoid|forbidden|anti-?patterns|禁止|禁止事項|しないこと)(?: (?:do|this|these))?:?$`),
	}
})

// readParts cuts a document into parts. It leaves out code, comments, tables and pictures, and the block of rules that ken itself
// writes into a file.
func readParts(text string) (out []textPart) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	lines = lines[:min(len(lines), maxLines)]
	if len(lines) > 0 && strings.TrimSpace(lines[0]) == "---" { // front matter
		for i := 1; i < len(lines); i++ {
			if strings.TrimSpace(lines[i]) == "---" {
				lines = lines[i+1:]
				break
			}
		}
	}
	r := &partReader{}
	for i, l := range lines {
		r.addLine(l, i+1 < len(lines) && isUnderline(lines[i+1]) && r.fence == "")
	}
	r.flush()
	return r.out
}

// isUnderline reports whether a line makes the one above it a heading.
func isUnderline(l string) bool {
	l = strings.TrimSpace(l)
	return len(l) >= 3 && (strings.Trim(l, "=") == "" || strings.Trim(l, "-") == "" || strings.Trim(l, "~") == "")
}

// partReader gathers parts line by line.
type partReader struct {
	out   []textPart
	now   textPart
	fence string // that ends the present code block
	until string // that ends the present comment
}

func (r *partReader) flush() {
	if t := plainText(r.now.text); t != "" {
		r.out = append(r.out, textPart{r.now.level, r.now.item, t})
	}
	r.now = textPart{}
}

func (r *partReader) addLine(l string, underlined bool) {
	trimmed := strings.TrimSpace(l)
	switch {
	case r.fence != "":
		if strings.HasPrefix(trimmed, r.fence) {
			r.fence = ""
		}
	case r.until != "":
		if strings.Contains(trimmed, r.until) {
			r.until = ""
		}
	case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
		r.flush()
		r.fence = trimmed[:3]
	case strings.HasPrefix(trimmed, "<!-- ken:begin"):
		r.flush()
		r.until = "<!-- ken:end"
	case strings.HasPrefix(trimmed, "<!--"):
		if !strings.Contains(trimmed, "-->") {
			r.until = "-->"
		}
	case trimmed == "", form().noise.MatchString(l), strings.HasPrefix(l, "    ") && r.now.text == "":
		r.flush()
	default:
		r.addProse(l, trimmed, underlined)
	}
}

// addProse adds a line of prose.
func (r *partReader) addProse(l, trimmed string, underlined bool) {
	if m := form().heading.FindStringSubmatch(trimmed); m != nil {
		r.flush()
		r.now = textPart{level: len(m[1]), text: m[2]}
		r.flush()
		return
	}
	if m := form().bullet.FindStringSubmatch(l); m != nil {
		r.flush()
		r.now = textPart{item: true, text: m[1]}
		return
	}
	if underlined && r.now.text == "" {
		r.now = textPart{level: 2, text: trimmed}
		if len(r.out) == 0 {
			r.now.level = 1
		}
		r.flush()
		return
	}
	if len(r.now.text) < 4*maxLine {
		r.now.text = strings.TrimSpace(r.now.text + " " + trimmed)
	}
}

// plainText returns a text without emphasis and link targets.
func plainText(s string) string {
	s = form().link.ReplaceAllString(strings.NewReplacer("**", "", "__", "", "<br>", " ", "<br/>", " ").Replace(s), "$1")
	return strings.Join(strings.Fields(s), " ")
}

// extractRules returns the lines of a document that demand or forbid; if there are none, the first items of its lists, or its first
// sentences.
func extractRules(parts []textPart) string {
	var do, dont, weak, bullets []string
	under := 0 // 1 below a heading of demands, -1 of prohibitions
	for _, p := range parts {
		bare := strings.TrimSpace(p.text)
		if p.level > 0 || !p.item && len(bare) < 40 {
			switch {
			case form().notHead.MatchString(bare):
				under = -1
				continue
			case form().doHead.MatchString(bare):
				under = 1
				continue
			case p.level > 0:
				under = 0
				continue
			}
		}
		if p.item && len(bullets) < maxAnyBullets {
			bullets = append(bullets, bare)
		}
		for _, t := range statements(&p) {
			switch {
			case p.item && under != 0:
				if under > 0 {
					do = append(do, t)
				} else {
					dont = append(dont, t)
				}
			case isProhibition(t):
				dont = append(dont, t)
			case form().asks.MatchString(t):
				do = append(do, t)
			case p.item && form().begins.MatchString(t):
				weak = append(weak, t)
			}
		}
	}
	do = append(do, weak...)
	if len(do)+len(dont) == 0 {
		if len(bullets) == 0 {
			return extractOutline(parts)
		}
		return bulletList("", bullets, maxAnyBullets)
	}
	return strings.TrimSpace(bulletList("DO:\n", do, maxEach) + "\n\n" + bulletList("DON'T:\n", dont, maxEach))
}

// isProhibition reports whether a statement forbids something. If it begins with a demand, the rest is a reason or an
// exception.
func isProhibition(s string) bool {
	at := form().forbids.FindStringIndex(s)
	return at != nil && (at[0] < 30 || !form().begins.MatchString(s))
}

// statements returns the statements of a part: an item as a whole, of a paragraph each sentence.
func statements(p *textPart) []string {
	if p.item {
		return []string{p.text}
	}
	var out []string
	for rest := p.text; rest != ""; {
		s := firstSentence(rest)
		out, rest = append(out, s), strings.TrimSpace(rest[len(s):])
	}
	return out
}

// bulletList returns lines as a list below the line head, "" if there are none.
func bulletList(head string, lines []string, most int) string {
	if len(lines) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(head)
	seen := map[string]bool{}
	n := 0
	for _, l := range lines {
		l = clipText(l, maxLine)
		if seen[l] || n == most || b.Len()+len(l) > maxSummary/2-20 {
			continue
		}
		seen[l] = true
		n++
		b.WriteString("- " + l + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// extractOutline returns the first sentence of a document, and its headings with the first sentence below each.
func extractOutline(parts []textPart) string {
	var b strings.Builder
	title := true
	for i, p := range parts {
		switch {
		case b.Len() > maxOutline:
			return b.String() + "…"
		case p.level == 0:
			if title && !p.item {
				b.WriteString(clipText(p.text, 2*maxLine) + "\n")
				title = false
			}
			continue
		case p.level > 3:
			continue
		}
		if p.level == 1 && i == 0 {
			b.WriteString(clipText(p.text, maxLine))
			b.WriteString("\n")
			continue
		}
		title = false
		b.WriteString("- " + clipText(p.text, maxLine/2))
		if i+1 < len(parts) && parts[i+1].level == 0 {
			b.WriteString(": " + clipText(firstSentence(parts[i+1].text), maxLine))
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String())
}

// firstSentence returns the first sentence of a text.
func firstSentence(s string) string {
	for i, c := range s {
		switch c {
		case '.', '!', '?':
			rest := s[i+1:]
			if strings.HasPrefix(rest, " ") && !isAbbreviation(s[:i]) {
				return s[:i+1]
			}
		case '。', '！', '？':
			return s[:i+len(string(c))]
		}
	}
	return s
}

// isAbbreviation reports whether the text before a full stop ends in an abbreviation.
func isAbbreviation(before string) bool {
	word := strings.ToLower(before[strings.LastIndexAny(before, " (")+1:])
	switch word {
	case "e.g", "i.e", "etc", "vs", "cf", "resp", "incl", "no":
		return true
	}
	return len(word) == 1
}
