package buildfile

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// dockerfile scans Dockerfiles (https://docs.docker.com/reference/dockerfile/):
// a symbol for every stage, with its ARG, ENV and ENTRYPOINT; imports for base images and
// copied files; references to the stages that FROM and COPY --from use.
type dockerfile struct {
	*plain.File
	src              string
	pos              int
	escape           byte
	stage            int32 // symbol of the stage being read
	stages           map[string]bool
	doc              [2]int
	unclosedHeredocs int // each cost a search of the rest of the file
}

// ScanDockerfile reads a Dockerfile.
func ScanDockerfile(f *plain.File) {
	d := dockerfile{File: f, src: f.Text, escape: '\\', stage: -1, stages: map[string]bool{}}
	d.directives()
	for d.pos < len(d.src) {
		d.readInstruction()
	}
	d.endStage(len(d.src))
}

// directives reads "# escape=`" at the head of the file.
func (d *dockerfile) directives() {
	for start := 0; start < len(d.src) && d.src[start] == '#'; {
		end := lexical.LineEnd(d.src, start)
		key, value, ok := strings.Cut(strings.TrimSpace(strings.TrimLeft(d.src[start:end], "#")), "=")
		if !ok {
			return
		}
		if strings.EqualFold(strings.TrimSpace(key), "escape") && strings.TrimSpace(value) == "`" {
			d.escape = '`'
		}
		start = end + 1
	}
}

// readInstruction reads an instruction with its continuation lines. There may be
// comments and blank lines between these.
func (d *dockerfile) readInstruction() {
	start := d.pos
	end := lexical.LineEnd(d.src, start)
	d.pos = end + 1
	line := strings.TrimSpace(d.src[start:end])
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
		rest, continued := strings.CutSuffix(line, string(d.escape))
		if text.Len() < 64<<10 {
			text.WriteString(rest)
			text.WriteByte(' ')
		}
		if !continued {
			break
		}
		if line = ""; d.pos >= len(d.src) {
			break
		}
		for d.pos < len(d.src) && (line == "" || line[0] == '#') {
			end = lexical.LineEnd(d.src, d.pos)
			line = strings.TrimSpace(d.src[d.pos:end])
			d.pos = end + 1
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
	start += strings.IndexFunc(d.src[start:], func(r rune) bool { return r != ' ' && r != '\t' })
	switch strings.ToUpper(op) {
	case "FROM":
		d.fromInstruction(args, start, end)
	case "ARG", "ENV":
		d.variables(strings.ToUpper(op), args, start, end)
	case "COPY", "ADD":
		d.copyInstruction(args, start)
	case "ENTRYPOINT", "CMD":
		if sym := d.addInStage(code.KindKey, strings.ToUpper(op), start, start, end, text); sym >= 0 {
			d.Facts.Symbols[sym].Doc = d.docText()
		}
		d.MentionScripts(strings.NewReplacer("[", " ", "]", " ", ",", " ", "\"", " ").Replace(lexical.Cut(args, 4096)), start)
	case "RUN":
		d.mountedStages(args, start)
		d.MentionScripts(lexical.Cut(args, 16<<10), start)
	}
	d.heredocs(args)
}

// heredocs skips the bodies of "<<EOF" documents, up to a number of unclosed ones
// because each of those costs a search of the rest of the file.
func (d *dockerfile) heredocs(args string) {
	for n := 0; n < 8 && d.unclosedHeredocs < 16; n++ {
		i := strings.Index(args, "<<")
		if i < 0 {
			return
		}
		isRedirect := i == 0 || lexical.IsSpace(args[i-1]) || lexical.IsDigit(args[i-1])
		args = args[i+2:]
		if !isRedirect {
			continue
		}
		word, strip := strings.CutPrefix(args, "-")
		word = strings.TrimLeft(word, `"'`)
		if b := lexical.ByteAt(word, 0); b != '_' && !lexical.IsLetter(b) {
			continue
		}
		k := 0
		for k < len(word) && lexical.IsWord(word[k]) {
			k++
		}
		if !d.skipHeredoc(word[:k], strip) {
			d.unclosedHeredocs++
		}
	}
}

// skipHeredoc moves after the line that holds only mark, if there is one. With strip
// set, that line may be indented by tabs.
func (d *dockerfile) skipHeredoc(mark string, strip bool) bool {
	for start := d.pos; start < len(d.src); {
		end := lexical.LineEnd(d.src, start)
		line := strings.TrimRight(d.src[start:end], "\r")
		if strip {
			line = strings.TrimLeft(line, "\t")
		}
		start = end + 1
		if line == mark {
			d.pos = start
			return true
		}
	}
	return false
}

// fromInstruction begins a stage: FROM [--platform=x] image [AS name].
func (d *dockerfile) fromInstruction(args string, start, end int) {
	d.endStage(start)
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
	nameStart := start
	if name == "" {
		name = imageName(image)
	} else if i := strings.LastIndex(d.src[start:end], name); i >= 0 {
		nameStart = start + i
	}
	d.stage = d.AddSymbol(code.KindTarget, name, nameStart, start, end, "FROM "+args, plain.MaxOutline)
	if d.stage >= 0 {
		d.Facts.Symbols[d.stage].Doc = d.docText()
	}
	d.baseImage(image, start, end)
	d.stages[strings.ToLower(name)] = true
}

// baseImage refers to the stage that a stage is built from, or imports an image.
func (d *dockerfile) baseImage(image string, start, end int) {
	if d.stages[strings.ToLower(image)] {
		if i := strings.Index(d.src[start:end], image); i >= 0 {
			d.Owner = d.stage
			d.AddRef(code.RefInherit, image, start+i)
			d.Owner = -1
		}
		return
	}
	if image != "scratch" && !strings.HasPrefix(image, "$") {
		d.AddImport(code.ImportStatic, image, start)
	}
}

// imageName returns an image's name without registry, tag and digest.
func imageName(image string) string {
	if i := strings.LastIndexByte(image, '/'); i >= 0 {
		image = image[i+1:]
	}
	if i := strings.IndexAny(image, ":@"); i > 0 {
		image = image[:i]
	}
	return image
}

func (d *dockerfile) endStage(end int) {
	for end > 0 && lexical.IsSpace(d.src[end-1]) {
		end--
	}
	d.SetEnd(d.stage, end)
	d.stage = -1
}

func (d *dockerfile) addInStage(k code.Kind, name string, nameStart, start, end int, sig string) int32 {
	before := d.Enter(d.stage)
	sym := d.AddSymbol(k, name, nameStart, start, end, sig, plain.MaxOutline)
	d.Leave(before)
	return sym
}

// variables reads "ARG a=1 b" and "ENV a=1 b=2", or the old "ENV a the rest".
func (d *dockerfile) variables(op, args string, start, end int) {
	search := start
	doc := d.docText()
	for n := 0; args != "" && n < plain.MaxOutline; n++ {
		k := 0
		for k < len(args) && (lexical.IsWord(args[k]) || args[k] == '.' || args[k] == '-') {
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
		nameStart := search
		if i := strings.Index(d.src[search:end], name); i >= 0 {
			nameStart = search + i
			search = nameStart + len(name)
		}
		if sym := d.addInStage(code.KindVariable, name, nameStart, start, end, op+" "+name+value); sym >= 0 {
			d.Facts.Symbols[sym].Doc = doc
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
		case c == '"', c == '\'':
			quote = c
		case lexical.IsBlank(c):
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// copyInstruction reads COPY and ADD: a stage to copy from, or files of the context.
func (d *dockerfile) copyInstruction(args string, start int) {
	var words []string
	if i := strings.IndexByte(args, '['); i >= 0 && strings.HasSuffix(args, "]") {
		words = strings.Fields(args[:i])
		for w := range strings.SplitSeq(args[i+1:len(args)-1], ",") {
			words = append(words, strings.Trim(strings.TrimSpace(w), `"`))
		}
	} else {
		words = strings.Fields(lexical.Cut(args, 16<<10))
	}
	fromStage := false
	for i, w := range words {
		if from, ok := strings.CutPrefix(w, "--from="); ok {
			fromStage = true
			d.copiedStage(from, start)
		}
		if fromStage || strings.HasPrefix(w, "--") || i == len(words)-1 {
			continue
		}
		if w = strings.TrimSuffix(w, "/"); plain.IsPathLike(w) || len(w) > 1 && w[0] != '/' && plain.IsPathLike("./"+w) {
			d.Mention(w, start)
		}
	}
}

// copiedStage refers to the stage that files are copied from, or imports the image.
func (d *dockerfile) copiedStage(name string, start int) {
	if d.stages[strings.ToLower(name)] {
		if i := strings.Index(d.src[start:min(d.pos, len(d.src))], name); i >= 0 {
			d.Owner = d.stage
			d.AddRef(code.RefUse, name, start+i)
			d.Owner = -1
		}
		return
	}
	if strings.Trim(name, "0123456789") != "" && !strings.HasPrefix(name, "$") {
		d.AddImport(code.ImportStatic, name, start)
	}
}

// mountedStages reads "--mount=from=stage" of RUN.
func (d *dockerfile) mountedStages(args string, start int) {
	for strings.HasPrefix(args, "--") {
		word := args
		rest := ""
		if i := strings.IndexAny(args, " \t"); i >= 0 {
			word, rest = args[:i], strings.TrimSpace(args[i:])
		}
		if opts, ok := strings.CutPrefix(word, "--mount="); ok {
			for o := range strings.SplitSeq(opts, ",") {
				if from, ok := strings.CutPrefix(o, "from="); ok {
					d.copiedStage(from, start)
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
	return lexical.Cut(lexical.CleanDoc(strings.TrimSpace(d.src[d.doc[0]:min(d.doc[1], d.doc[0]+4*plain.MaxDoc)])), plain.MaxDoc)
}
