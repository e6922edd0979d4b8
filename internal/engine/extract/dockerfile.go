package extract

import (
	"strings"

	"ken/internal/code"
)

// dockerfile scans Dockerfiles (https://docs.docker.com/reference/dockerfile/):
// a symbol for every stage, with its ARG, ENV and ENTRYPOINT; base images and
// copied files as imports; the stages that FROM and COPY --from build on as
// references.
type dockerfile struct {
	*file
	s      string
	i      int
	escape byte
	stage  int32 // symbol of the stage being read
	stages map[string]bool
	doc    [2]int
	missed int // heredocs whose end was looked for in vain
}

func dockerfileReader() reader { return direct("dockerfile", scanDockerfile) }

func scanDockerfile(f *file) {
	d := dockerfile{file: f, s: f.text, escape: '\\', stage: -1, stages: map[string]bool{}}
	d.directives()
	for d.i < len(d.s) {
		d.line()
	}
	d.endStage(len(d.s))
}

// directives reads "# escape=`" at the head of the file.
func (d *dockerfile) directives() {
	for at := 0; at < len(d.s) && d.s[at] == '#'; {
		end := lineEnd(d.s, at)
		key, value, ok := strings.Cut(strings.TrimSpace(strings.TrimLeft(d.s[at:end], "#")), "=")
		if !ok {
			return
		}
		if strings.EqualFold(strings.TrimSpace(key), "escape") && strings.TrimSpace(value) == "`" {
			d.escape = '`'
		}
		at = end + 1
	}
}

// line reads an instruction with the lines it goes on to. Comments and blank
// lines may stand between those.
func (d *dockerfile) line() {
	start := d.i
	end := lineEnd(d.s, start)
	d.i = end + 1
	line := strings.TrimSpace(d.s[start:end])
	if line == "" {
		d.doc = [2]int{}
		return
	}
	if line[0] == '#' {
		if d.doc[1] == 0 {
			d.doc[0] = start
		}
		d.doc[1] = end
		return
	}
	var text strings.Builder
	for {
		rest, goesOn := strings.CutSuffix(line, string(d.escape))
		if text.Len() < 64<<10 {
			text.WriteString(rest)
			text.WriteByte(' ')
		}
		if !goesOn {
			break
		}
		if line = ""; d.i >= len(d.s) {
			break
		}
		for d.i < len(d.s) && (line == "" || line[0] == '#') { // comments may stand in between
			end = lineEnd(d.s, d.i)
			line = strings.TrimSpace(d.s[d.i:end])
			d.i = end + 1
		}
	}
	d.instruction(strings.TrimSpace(text.String()), start, end)
	d.doc = [2]int{}
}

func (d *dockerfile) instruction(text string, start, end int) {
	op, args := text, ""
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		op, args = text[:i], strings.TrimSpace(text[i:])
	}
	at := start + strings.IndexFunc(d.s[start:], func(r rune) bool { return r != ' ' && r != '\t' })
	switch strings.ToUpper(op) {
	case "FROM":
		d.from(args, at, end)
	case "ARG", "ENV":
		d.variables(strings.ToUpper(op), args, at, end)
	case "COPY", "ADD":
		d.copy(args, at)
	case "ENTRYPOINT", "CMD":
		if sym := d.inStage(code.KindKey, strings.ToUpper(op), at, at, end, text); sym >= 0 {
			d.facts.Symbols[sym].Doc = d.docText()
		}
		d.mentionScripts(strings.NewReplacer("[", " ", "]", " ", ",", " ", "\"", " ").Replace(cut(args, 4096)), at)
	case "RUN":
		d.mounts(args, at)
		d.mentionScripts(cut(args, 16<<10), at)
	}
	d.heredocs(args)
}

// heredocs skips the bodies of "<<EOF" documents.
func (d *dockerfile) heredocs(args string) {
	for n := 0; n < 8 && d.missed < 16; n++ {
		i := strings.Index(args, "<<")
		if i < 0 {
			return
		}
		begins := i == 0 || isSpace(args[i-1]) || args[i-1] >= '0' && args[i-1] <= '9'
		args = args[i+2:]
		if !begins {
			continue
		}
		word, strip := strings.CutPrefix(args, "-")
		word = strings.TrimLeft(word, `"'`)
		k := 0
		for k < len(word) && isWord(word[k]) {
			k++
		}
		if k == 0 || !(word[0] == '_' || (word[0]|0x20) >= 'a' && (word[0]|0x20) <= 'z') {
			continue
		}
		mark := word[:k]
		d.missed++
		for at := d.i; at < len(d.s); {
			end := lineEnd(d.s, at)
			line := strings.TrimRight(d.s[at:end], "\r")
			if strip {
				line = strings.TrimLeft(line, "\t")
			}
			at = end + 1
			if line == mark {
				d.i = at
				d.missed--
				break
			}
		}
	}
}

// from begins a stage: FROM [--platform=x] image [AS name].
func (d *dockerfile) from(args string, at, end int) {
	d.endStage(at)
	fields := strings.Fields(args)
	for len(fields) > 0 && strings.HasPrefix(fields[0], "--") {
		fields = fields[1:]
	}
	if len(fields) == 0 {
		return
	}
	image, name := fields[0], ""
	if len(fields) >= 3 && strings.EqualFold(fields[1], "as") {
		name = fields[2]
	}
	nameAt := at
	if name == "" {
		name = imageName(image)
	} else if i := strings.LastIndex(d.s[at:end], name); i >= 0 {
		nameAt = at + i
	}
	d.stage = d.plainSymbol(code.KindTarget, name, nameAt, at, end, "FROM "+args, maxOutline)
	if d.stage >= 0 {
		d.facts.Symbols[d.stage].Doc = d.docText()
	}
	d.base(image, at, end)
	d.stages[strings.ToLower(name)] = true
}

// base notes what a stage is built on: a stage before it, or an image.
func (d *dockerfile) base(image string, at, end int) {
	if d.stages[strings.ToLower(image)] {
		if i := strings.Index(d.s[at:end], image); i >= 0 {
			d.owner = d.stage
			d.plainRef(code.RefInherit, image, at+i)
			d.owner = -1
		}
		return
	}
	if image != "scratch" && !strings.HasPrefix(image, "$") {
		d.plainImport(code.ImportStatic, image, at)
	}
}

// imageName is an image's name without registry, tag and digest.
func imageName(image string) string {
	if i := strings.LastIndexByte(image, '/'); i >= 0 {
		image = image[i+1:]
	}
	if i := strings.IndexAny(image, ":@"); i > 0 {
		image = image[:i]
	}
	return image
}

func (d *dockerfile) endStage(at int) {
	for at > 0 && isSpace(d.s[at-1]) {
		at--
	}
	d.setEnd(d.stage, at)
	d.stage = -1
}

func (d *dockerfile) inStage(k code.Kind, name string, nameAt, at, end int, sig string) int32 {
	before := d.enter(d.stage)
	sym := d.plainSymbol(k, name, nameAt, at, end, sig, maxOutline)
	d.leave(before)
	return sym
}

// variables reads "ARG a=1 b" and "ENV a=1 b=2", or the old "ENV a the rest".
func (d *dockerfile) variables(op, args string, at, end int) {
	search := at
	doc := d.docText()
	for n := 0; args != "" && n < maxOutline; n++ {
		k := 0
		for k < len(args) && (isWord(args[k]) || args[k] == '.' || args[k] == '-') {
			k++
		}
		if k == 0 {
			return
		}
		name, rest := args[:k], args[k:]
		value := ""
		if strings.HasPrefix(rest, "=") {
			value, rest = shellWord(rest[1:])
			value = "=" + value
		} else if op == "ENV" {
			value, rest = rest, ""
		}
		nameAt := search
		if i := strings.Index(d.s[search:end], name); i >= 0 {
			nameAt = search + i
			search = nameAt + len(name)
		}
		if sym := d.inStage(code.KindVariable, name, nameAt, at, end, op+" "+name+value); sym >= 0 {
			d.facts.Symbols[sym].Doc = doc
		}
		args = strings.TrimSpace(rest)
	}
}

// shellWord cuts a word off s, which may be quoted in part.
func shellWord(s string) (word, rest string) {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ' ' || c == '\t':
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// copy reads COPY and ADD: a stage to copy from, or files of the context.
func (d *dockerfile) copy(args string, at int) {
	var words []string
	if i := strings.IndexByte(args, '['); i >= 0 && strings.HasSuffix(args, "]") {
		words = strings.Fields(args[:i])
		for w := range strings.SplitSeq(args[i+1:len(args)-1], ",") {
			words = append(words, strings.Trim(strings.TrimSpace(w), `"`))
		}
	} else {
		words = strings.Fields(cut(args, 16<<10))
	}
	fromStage := false
	for i, w := range words {
		if from, ok := strings.CutPrefix(w, "--from="); ok {
			fromStage = true
			d.fromStage(from, at)
		}
		if strings.HasPrefix(w, "--") || fromStage || i == len(words)-1 {
			continue
		}
		if w = strings.TrimSuffix(w, "/"); isPathLike(w) || w != "." && len(w) > 1 && isPathLike("./"+w) && w[0] != '/' {
			d.mention(w, at)
		}
	}
}

// fromStage refers to the stage that files are copied from, or imports the image.
func (d *dockerfile) fromStage(name string, at int) {
	if d.stages[strings.ToLower(name)] {
		if i := strings.Index(d.s[at:min(d.i, len(d.s))], name); i >= 0 {
			d.owner = d.stage
			d.plainRef(code.RefUse, name, at+i)
			d.owner = -1
		}
		return
	}
	if strings.Trim(name, "0123456789") != "" && !strings.HasPrefix(name, "$") {
		d.plainImport(code.ImportStatic, name, at)
	}
}

// mounts reads "--mount=from=stage" of RUN.
func (d *dockerfile) mounts(args string, at int) {
	for strings.HasPrefix(args, "--") {
		word := args
		rest := ""
		if i := strings.IndexAny(args, " \t"); i >= 0 {
			word, rest = args[:i], strings.TrimSpace(args[i:])
		}
		if opts, ok := strings.CutPrefix(word, "--mount="); ok {
			for o := range strings.SplitSeq(opts, ",") {
				if from, ok := strings.CutPrefix(o, "from="); ok {
					d.fromStage(from, at)
				}
			}
		}
		args = rest
	}
}

func (d *dockerfile) docText() string {
	if d.doc[1] == 0 || d.doc[0] == 0 {
		return ""
	}
	return cut(cleanDoc(strings.TrimSpace(d.s[d.doc[0]:min(d.doc[1], d.doc[0]+4*maxPlainDoc)])), maxPlainDoc)
}
