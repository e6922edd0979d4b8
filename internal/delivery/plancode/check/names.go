package check

import (
	"context"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ken/internal/ask/grep"
	"ken/internal/code"
	"ken/internal/delivery/plancode/claim"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// Bounds of what is judged and read for the names of one plan.
const (
	maxNames = 600
	maxTexts = 400 // files whose text is read because the index of words has them for a name
	maxHeld  = 60  // of them for one name
)

// texts finds words in the text of the project, for names that no declaration has.
type texts struct {
	x     *checker
	files *grep.NameFiles
	read  map[int64]string
	paths map[int64]string // "" for files that say nothing about code
}

// find returns the file in which a text stands as a whole word, "" if there is none. known is false if not all files were looked at
// that may have it. Documents and planning folders do not count, because they name what is not there, too.
func (t *texts) find(ctx context.Context, text string) (file string, known bool, err error) {
	ids, known, err := t.files.Holding(strings.TrimLeft(text, "-"), func(code.Lang) bool { return true })
	if err != nil || !known {
		return "", false, err
	}
	n := 0
	for _, id := range ids {
		p, ok := t.paths[id]
		if !ok {
			f, err := t.x.s.FileByID(id)
			if err != nil {
				return "", false, err
			}
			if p = f.Path; f.Class.Has(code.ClassDocument) || strings.HasPrefix(p, ".planning/") {
				p = ""
			}
			t.paths[id] = p
		}
		if p == "" {
			continue
		}
		if _, ok := t.read[id]; !ok {
			if n++; n > maxHeld || len(t.read) >= maxTexts {
				return "", false, nil
			}
			b, err := t.x.s.Text(ctx, p)
			if err != nil {
				return "", false, err
			}
			t.read[id] = string(b)
		}
		if HasWord(t.read[id], text) {
			return p, true, nil
		}
	}
	return "", true, nil
}

// HasWord reports whether a text has a word that is no part of a longer one.
func HasWord(text, word string) bool {
	part := func(c byte) bool {
		return c == '_' || c < 0x80 && (unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)))
	}
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		begins := from == 0 || !part(word[0]) || !part(text[from-1])
		if ends := to == len(text) || !part(text[to]); begins && ends {
			return true
		}
		at = from + 1
	}
}

// readNames reads the names of the plan, and which of them it makes.
func (x *checker) readNames(context.Context) error {
	x.names = claim.ReadNames(x.plan)
	x.made, x.declares, x.existing = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range x.names {
		last := code.LastSegment(x.names[i].Name)
		x.made[last] = x.made[last] || x.names[i].State == claim.WillBe
		x.declares[last] = x.declares[last] || x.names[i].Declared
		x.existing[last] = x.existing[last] || x.names[i].Existing
	}
	return nil
}

// checkNames judges what the plan names other than files: symbols, members, commands, options, settings, routes and packages.
func (x *checker) checkNames(ctx context.Context) error {
	files, err := grep.NewNameFiles(x.s)
	if err != nil {
		return err
	}
	t := &texts{x: x, files: files, read: map[int64]string{}, paths: map[int64]string{}}
	names := x.names
	names = names[:min(len(names), maxNames)]
	// Members come last, because their verdict depends on that of their container.
	slices.SortStableFunc(names, func(a, b claim.Name) int { return strings.Count(a.Name, ".") - strings.Count(b.Name, ".") })
	for i := range names {
		n := &names[i]
		c := Claim{Name: n.Name, Kind: n.Kind.String(), Line: n.Line, Part: n.Role.String(), Verdict: NotJudged}
		if err := x.judgeName(ctx, t, n, &c); err != nil {
			return err
		}
		if c.Verdict == ToBeMade {
			x.made[code.LastSegment(n.Name)] = true
		}
		x.r.Names = append(x.r.Names, c)
	}
	slices.SortStableFunc(x.r.Names, func(a, b Claim) int { return a.Line - b.Line })
	return nil
}

func (x *checker) judgeName(ctx context.Context, t *texts, n *claim.Name, c *Claim) error {
	switch n.Kind {
	case claim.CommandKind:
		return x.judgeCommand(ctx, n, c)
	case claim.DependencyKind:
		return x.judgeDependency(ctx, t, n, c)
	case claim.RouteKind:
		return x.judgeRoute(ctx, t, n, c)
	case claim.FlagKind:
		return x.judgeText(ctx, t, n, c, n.Name)
	}
	found, err := x.findDeclared(n, c)
	if err != nil || found {
		return err
	}
	if n.Kind == claim.MemberKind {
		return x.judgeMember(ctx, t, n, c)
	}
	return x.judgeText(ctx, t, n, c, n.Name)
}

// findDeclared looks a name up among the declarations.
func (x *checker) findDeclared(n *claim.Name, c *Claim) (found bool, err error) {
	rows, err := x.s.SymbolsNamed(code.LastSegment(n.Name))
	if err != nil {
		return false, err
	}
	rows = matchingRows(view.WithoutTexts(rows), n.Name)
	if hasModuleQualifier(n.Name) { // store.open is that of a file store, and of nothing else
		stem, _, _ := strings.Cut(n.Name, ".")
		rows = slices.DeleteFunc(rows, func(r store.SymbolRow) bool { return fileStem(r.Path) != stem && firstSegment(r.Qualified) != stem })
	}
	files := declaringFiles(rows, n.Module)
	if len(files) == 0 && len(rows) > 0 && n.Module == "" || len(files) > 0 {
		c.Verdict, c.Is = Found, rows[0].Path
		if len(files) > 0 {
			c.Is = files[0]
		}
		if len(files) > 1 {
			c.Near = files[:min(3, len(files))]
		}
		return true, nil
	}
	return false, nil
}

func firstSegment(name string) string {
	first, _, _ := strings.Cut(name, ".")
	return first
}

// judgeText judges a name that no declaration has by whether a text of the project has it.
func (x *checker) judgeText(ctx context.Context, t *texts, n *claim.Name, c *Claim, word string) error {
	file, known, err := t.find(ctx, word)
	if err != nil {
		return err
	}
	if file != "" {
		c.Verdict, c.Is = Found, file
		return nil
	}
	return x.judgeUnfound(ctx, t, n, c, known)
}

// judgeUnfound judges a name that nothing in the project has; known is set if everything was looked at.
func (x *checker) judgeUnfound(ctx context.Context, t *texts, n *claim.Name, c *Claim, known bool) error {
	last := code.LastSegment(n.Name)
	for i := range x.r.Signatures { // the plan shows its declaration
		if g := &x.r.Signatures[i]; code.LastSegment(g.Name) == last && g.Verdict != NotJudged {
			c.Verdict, c.Is, c.Near = g.Verdict, g.Is, g.Near
			return nil
		}
	}
	if by := x.namerOf(last); by != "" {
		c.Verdict, c.Is = ToBeMade, by
		return nil
	}
	inWords := n.State == claim.There || n.State == claim.Changed
	readFirst := n.Role == claim.Reading && n.State == claim.Unstated
	stated := inWords || readFirst && !n.InCode && x.namesIndexed(n)
	switch {
	case n.Package, n.State == claim.NotWanted:
		return nil // of a package, or meant not to be there
	case n.State == claim.WillBe || n.State < claim.There && x.made[last]:
		c.Verdict = ToBeMade
	case stated && known && !x.writesNamed(n):
		return x.setAbsent(ctx, n, c)
	case n.State == claim.There && known:
		return x.setAbsent(ctx, n, c)
	case n.Role != claim.Reading && n.Kind != claim.FlagKind:
		c.Verdict = ToBeMade // a task names it, and nothing has it
		return x.setLonger(ctx, t, n, c)
	case known:
		return x.setLonger(ctx, t, n, c)
	}
	return nil
}

// setLonger sets the verdict near on a name that the plan uses and nowhere states or shows to make, if the code has one of which it only is
// a longer form: parseLineStrict where there is parseLine.
func (x *checker) setLonger(ctx context.Context, t *texts, n *claim.Name, c *Claim) error {
	if n.Kind != claim.SymbolKind && n.Kind != claim.SettingKind || x.declares[n.Name] || n.State > claim.Changed {
		return nil
	}
	for at := len(n.Name) - 1; at >= 4; at-- {
		if !isWordEnd(n.Name, at) {
			continue
		}
		short := strings.TrimRight(n.Name[:at], "_")
		if !hasTwoWords(short) {
			return nil
		}
		file, err := x.findPlace(ctx, t, n.Kind, short)
		if err != nil {
			return err
		}
		if file != "" {
			c.Verdict, c.Is, c.Near = Near, file, []string{short}
			return nil
		}
	}
	return nil
}

// findPlace returns the file that declares a name, or has a setting in its text, "" if none does.
func (x *checker) findPlace(ctx context.Context, t *texts, kind claim.Kind, name string) (string, error) {
	rows, err := x.s.SymbolsNamed(name)
	if rows = view.WithoutTexts(rows); err != nil || len(rows) > 0 {
		return firstPath(rows), err
	}
	if kind != claim.SettingKind {
		return "", nil
	}
	file, _, err := t.find(ctx, name)
	return file, err
}

func firstPath(rows []store.SymbolRow) string {
	if len(rows) == 0 {
		return ""
	}
	return rows[0].Path
}

// isWordEnd reports whether a word of a name ends before a place: foo_bar, fooBar.
func isWordEnd(name string, at int) bool {
	return name[at] == '_' || unicode.IsUpper(rune(name[at])) && !unicode.IsUpper(rune(name[at-1]))
}

func hasTwoWords(name string) bool {
	for at := 1; at < len(name); at++ {
		if isWordEnd(name, at) {
			return true
		}
	}
	return false
}

// writesNamed reports whether the plan writes a file that is named beside a name, so that it may be about to add it.
func (x *checker) writesNamed(n *claim.Name) bool {
	return slices.ContainsFunc(n.Files, func(f string) bool {
		real, _, _ := x.places.Find(f)
		return x.writes[real] || x.writes[f]
	})
}

// namesIndexed reports whether a file of the index is named beside a name.
func (x *checker) namesIndexed(n *claim.Name) bool {
	return slices.ContainsFunc(n.Files, func(f string) bool {
		real, ok, _ := x.places.Find(f)
		return ok && x.places.FileID(real) != 0
	})
}

// setAbsent sets the verdict on a name that the plan states to be there and that is nowhere. It stops the plan if the text states so in
// words beside a file that was read; files that git ignores were not, and could have a name that is named alone.
func (x *checker) setAbsent(ctx context.Context, n *claim.Name, c *Claim) (err error) {
	if n.Kind == claim.SymbolKind || n.Kind == claim.MemberKind {
		if c.Near, err = x.nearNames(ctx, n.Name); err != nil {
			return err
		}
	}
	c.Verdict = Absent
	level, hint := "warning", "look up what it is called now, or state that the plan makes it"
	if (n.State == claim.Changed || n.State == claim.There) && !n.InCode && x.namesIndexed(n) {
		level = "blocker"
	}
	if len(c.Near) > 0 {
		hint = "did the plan mean " + strings.Join(c.Near, ", ") + "?"
	}
	x.addIssue("names", level, "", n.Line, hint, "%s is in no file that was indexed, and no plan makes it", n.Name)
	return nil
}

// namerOf returns the plan before this one, not yet carried out, that names a word, "" if none does.
func (x *checker) namerOf(word string) string {
	if x.around.Names == nil {
		return ""
	}
	return x.around.Names(word)
}

// judgeMember judges a name such as Store.open that no declaration has.
func (x *checker) judgeMember(ctx context.Context, t *texts, n *claim.Name, c *Claim) error {
	i := strings.LastIndexByte(n.Name, '.')
	owner, name := n.Name[:i], n.Name[i+1:]
	rows, err := x.s.SymbolsNamed(code.LastSegment(owner))
	if err != nil {
		return err
	}
	rows = matchingRows(view.WithoutTexts(rows), owner)
	if types := slices.DeleteFunc(slices.Clone(rows), func(r store.SymbolRow) bool { return !r.Kind.IsType() }); len(types) > 0 {
		rows = types // and not a field of that name
	}
	if len(rows) == 0 { // a value, a module, or a type from elsewhere
		file, known, err := t.find(ctx, n.Name)
		if err != nil {
			return err
		}
		if first := n.Name[0]; file == "" && (first < 'A' || first > 'Z') { // the member of a value, which has another name elsewhere
			if file, _, err = t.find(ctx, "."+name); err != nil {
				return err
			}
		}
		switch {
		case file != "":
			c.Verdict, c.Is = Found, file
		case x.namerOf(owner) != "" || x.made[code.LastSegment(owner)]:
			c.Verdict = ToBeMade
		case known && x.made[name]:
			c.Verdict = ToBeMade
		}
		return nil
	}
	for i := range rows {
		text, err := x.s.Text(ctx, rows[i].Path)
		if err != nil {
			return err
		}
		if HasWord(string(text), name) {
			c.Verdict, c.Is = Found, rows[i].Path // it may be declared in a way that is not read
			return nil
		}
	}
	if by := x.namerOf(name); by != "" {
		c.Verdict, c.Is = ToBeMade, by
		return nil
	}
	isType := len(rows) == 1 && rows[0].Kind.IsType()
	alone := false
	if isType {
		if alone, err = x.hasNoBases(&rows[0]); err != nil {
			return err
		}
	}
	mayBeAdded := x.writes[rows[0].Path] && n.State != claim.There && n.Role != claim.Reading
	made := n.State == claim.WillBe || x.made[name] || mayBeAdded
	elsewhere, err := x.s.SymbolsNamed(name)
	if err != nil {
		return err
	}
	elsewhere = view.WithoutTexts(elsewhere)
	short, err := x.shorterMember(ctx, &rows[0], name)
	if err != nil {
		return err
	}
	switch {
	case made:
		c.Verdict, c.Is = ToBeMade, rows[0].Path
	case !alone && n.State <= claim.Changed && n.State != claim.NotWanted && short != "":
		c.Verdict, c.Is, c.Near = Near, rows[0].Path, []string{owner + "." + short}
	case !alone && n.State != claim.There || n.State == claim.NotWanted:
		// inherited, or a value whose type is not known
	case len(elsewhere) > 0:
		c.Verdict, c.Is, c.Near = Near, rows[0].Path, []string{elsewhere[0].Qualified}
		hint := "it may be an extension, or that of " + elsewhere[0].Qualified
		x.addIssue("names", "warning", "", n.Line, hint, "%s in %s declares no %s", owner, rows[0].Path, name)
	default:
		return x.setMemberAbsent(ctx, t, n, c, owner, name, rows[0].Path, alone)
	}
	return nil
}

// shorterMember returns the longest name of two words or more that the file of a type has and of which a member only is a longer form,
// or "".
func (x *checker) shorterMember(ctx context.Context, owner *store.SymbolRow, name string) (string, error) {
	text, err := x.s.Text(ctx, owner.Path)
	if err != nil {
		return "", err
	}
	for at := len(name) - 1; at >= 4; at-- {
		if !isWordEnd(name, at) {
			continue
		}
		short := strings.TrimRight(name[:at], "_")
		if !hasTwoWords(short) {
			return "", nil
		}
		if HasWord(string(text), short) {
			return short, nil
		}
	}
	return "", nil
}

// setMemberAbsent sets the verdict on a member that its type does not have, if nothing else in the project has one of its name.
func (x *checker) setMemberAbsent(ctx context.Context, t *texts, n *claim.Name, c *Claim, owner, name, file string, alone bool) error {
	other, known, err := t.find(ctx, name)
	if err != nil || other != "" || !known {
		return err
	}
	if c.Near, err = x.nearNames(ctx, n.Name); err != nil {
		return err
	}
	c.Verdict, c.Is = Absent, file
	hint := "look up what it is called now"
	if len(c.Near) > 0 {
		hint = owner + " has " + strings.Join(c.Near, ", ")
	}
	level := "warning"
	if alone && n.State == claim.There {
		level = "blocker"
	}
	x.addIssue("names", level, "", n.Line, hint, "%s in %s has no %s", owner, file, name)
	return nil
}

// judgeRoute judges the path of a request: a text of the project has it, or folders of routes have its parts.
func (x *checker) judgeRoute(ctx context.Context, t *texts, n *claim.Name, c *Claim) error {
	static := strings.TrimRight(n.Name, "/")
	if i := strings.IndexAny(static, "{:["); i > 0 {
		static = strings.TrimRight(static[:i], "/")
	}
	if dir, ok := x.places.FolderOfRoute(static); ok {
		c.Verdict, c.Is = Found, dir
		return nil
	}
	for _, word := range []string{static, strings.TrimPrefix(path.Base(static), "/")} {
		file, known, err := t.find(ctx, "/"+strings.TrimPrefix(word, "/"))
		if err != nil {
			return err
		}
		if file != "" {
			c.Verdict, c.Is = Found, file
			return nil
		}
		if !known {
			return nil
		}
	}
	return x.judgeUnfound(ctx, t, n, c, true)
}

// judgeDependency judges the name of a package: a manifest has it, or code imports it.
func (x *checker) judgeDependency(ctx context.Context, t *texts, n *claim.Name, c *Claim) error {
	m, err := x.readManifests(ctx)
	if err != nil {
		return err
	}
	for _, name := range packageNames(n.Name) {
		if file := m.packages[strings.ToLower(name)]; file != "" {
			c.Verdict, c.Is = Found, file
			return nil
		}
	}
	file, known, err := t.find(ctx, n.Name)
	if err != nil {
		return err
	}
	if file != "" {
		c.Verdict, c.Is = Found, file
		return nil
	}
	writesManifest := false
	for p := range x.writes {
		writesManifest = writesManifest || m.manifests[p]
	}
	installs := slices.ContainsFunc(x.c.Installs, func(s string) bool { return strings.Contains(s, n.Name) })
	switch {
	case !known || len(m.manifests) == 0:
	case installs || writesManifest || n.State == claim.WillBe:
		c.Verdict = ToBeMade
	case n.State == claim.There:
		return x.setAbsent(ctx, n, c)
	default:
		return x.judgeUnfound(ctx, t, n, c, known)
	}
	return nil
}

// packageNames returns the names under which a manifest may have the package of an import: a/b/c is part of a, @a/b/c of @a/b.
func packageNames(name string) []string {
	parts := strings.Split(name, "/")
	out := []string{name, parts[0]}
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		out = append(out, parts[0]+"/"+parts[1])
	}
	return out
}

// scriptForm matches commands that run a script of a package or a target of a Makefile.
var scriptForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(npm|pnpm|yarn|bun) run |(yarn|pnpm) |(make) )([A-Za-z][\w:.-]*)`)
})

// judgeCommand judges a command line: a script or target by its name, another by whether the project has a manifest for its tool.
func (x *checker) judgeCommand(ctx context.Context, n *claim.Name, c *Claim) error {
	m, err := x.readManifests(ctx)
	if err != nil {
		return err
	}
	tool, _, _ := strings.Cut(n.Name, " ")
	if s := scriptForm().FindStringSubmatch(n.Name); s != nil {
		script, isMake, isRun := s[4], s[3] != "", s[1] != ""
		of := m.scripts
		if isMake {
			of = m.targets
		}
		switch file := of[script]; {
		case file != "":
			c.Verdict, c.Is = Found, file
		case !isMake && !isRun: // a program of a package, or a command of the tool
			if m.packages[script] != "" {
				c.Verdict, c.Is = Found, m.packages[script]
			}
		case len(of) == 0 && !m.has[toolManifest[tool]]:
		case n.State == claim.WillBe || x.writesManifest(m):
			c.Verdict = ToBeMade
		case n.State == claim.NotWanted:
		default:
			c.Verdict = Absent
			hint := "use a command that is there, or state that the plan makes it"
			x.addIssue("names", "warning", "", n.Line, hint, "%s is no script or target of the project", n.Name)
		}
		return nil
	}
	if kind := toolManifest[tool]; kind != "" && m.has[kind] {
		c.Verdict = Found
	}
	return nil
}

// toolManifest maps programs to the base name of the manifest that a project has for them.
var toolManifest = map[string]string{
	"npm": "package.json", "pnpm": "package.json", "yarn": "package.json", "bun": "package.json", "npx": "package.json", "tsc": "package.json",
	"cargo": "Cargo.toml", "go": "go.mod", "flutter": "pubspec.yaml", "dart": "pubspec.yaml", "make": "Makefile", "mix": "mix.exs",
	"uv": "Python", "poetry": "Python", "pytest": "Python", "python": "Python", "python3": "Python", "pip": "Python",
	"mvn": "pom.xml", "composer": "composer.json", "bundle": "Gemfile", "rake": "Gemfile", "swift": "Package.swift",
}

func (x *checker) writesManifest(m *manifests) bool {
	for p := range x.writes {
		if m.manifests[p] {
			return true
		}
	}
	return false
}

// hasNoBases reports whether a type inherits nothing: it names no base, no trait and no interface.
func (x *checker) hasNoBases(row *store.SymbolRow) (bool, error) {
	packed, err := x.s.OpenFacts(row.FileID)
	if err != nil || packed == nil {
		return false, err
	}
	refs, err := packed.AllRefs()
	if err != nil {
		return false, err
	}
	for i := range refs {
		if k := refs[i].Kind; refs[i].Scope == row.Ord && (k == code.RefInherit || k == code.RefImplement) {
			return false, nil
		}
	}
	return true, nil
}

// nearNames returns existing names similar to a missing one.
func (x *checker) nearNames(ctx context.Context, name string) ([]string, error) {
	_, err := x.s.Definitions(ctx, name)
	if missing, ok := errors.AsType[*code.NotFoundError](err); ok {
		return missing.Near[:min(3, len(missing.Near))], nil
	}
	return nil, err
}
