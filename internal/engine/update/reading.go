package update

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"sync"
	"time"

	"ken/internal/code"
	"ken/internal/engine/extract"
	"ken/internal/engine/facts"
	"ken/internal/engine/outline"
	"ken/internal/engine/resolve"
	"ken/internal/engine/search"
	"ken/internal/engine/source"
	"ken/internal/engine/source/known"
	"ken/internal/engine/store"
	"ken/internal/engine/update/fingerprint"
	"ken/internal/lang"
	"ken/internal/token"
)

// pathKind holds the properties of a file that its path alone determines.
type pathKind struct {
	config *resolve.Config // nil if the file is not a configuration file
	goMod  bool            // a go.mod or go.work
}

// classify returns the kind of a path. It is called once for each file of an update; the kind is passed on from there.
func (w *Writer) classify(path string) pathKind {
	if w.onClassify != nil {
		w.onClassify(path)
	}
	config := resolve.ConfigAt(path)
	return pathKind{config: config, goMod: config != nil && fingerprint.IsGoMod(path)}
}

// storedConfig returns the kind of configuration file whose content the index may hold for a path, nil if there is none.
func (k pathKind) storedConfig(path string) *resolve.Config {
	if k.config == nil {
		return resolve.SourceConfigAt(path)
	}
	return k.config
}

// fileReading is the result of reading one file: its tokens are counted and its facts extracted, ready to be stored.
type fileReading struct {
	file    code.File
	kind    pathKind
	facts   *code.Facts
	content store.Content
	config  []byte // content of a configuration file, else nil; see storedConfig
	same    bool   // content and flags have not changed: facts and content are empty
	gone    bool   // the file does not exist any more
	err     error
	shape   uint64 // of a Go file, if wanted
}

// readWorker reads files one after the other with buffers of its own.
type readWorker struct {
	reader  *source.Reader
	extract *extract.Extractor
	tokens  *token.Pair // made when first needed
	words   *search.Indexer
	tree    *source.Tree
	finder  *known.Finder
	shapes  bool           // whether readings of Go files carry their shape
	cache   store.Readings // earlier readings; nil if they are not used
	moves   *movedFiles    // nil if they are not used

	classify func(path string) pathKind
}

func (w *Writer) newWorker(salt []byte) (*readWorker, error) {
	r, err := w.Tree.NewReader(salt)
	if err != nil {
		return nil, err
	}
	return &readWorker{
		reader: r, extract: extract.New(), words: search.NewIndexer(), tree: w.Tree, finder: known.NewFinder(), classify: w.classify,
	}, nil
}

// scanFlags are the flags that scanning determines; attributes can change them while a file stays the same.
const scanFlags = code.FlagGenerated | code.FlagVendored | code.FlagDoc | code.FlagMinified

// readFile reads one file; known is its state in the index, if any.
func (w *readWorker) readFile(ctx context.Context, path string, known *code.File) fileReading {
	kind := w.classify(path)
	c, err := w.reader.Open(ctx, path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return fileReading{file: code.File{Path: path}, kind: kind, gone: true}
	}
	if ctx.Err() != nil {
		return fileReading{file: code.File{Path: path}, kind: kind, err: ctx.Err()}
	}
	if err != nil { // one odd file (of /proc, of a network) must not keep the rest from being read
		c.Problem = code.ProblemUnreadable
		c.Stat, _ = w.reader.Stat(path)
	}
	r := fileReading{kind: kind, file: code.File{
		Path: path, Stat: c.Stat, Lang: c.Lang, Flags: c.Flags, Problem: c.Problem, Hash: c.Hash, Lines: c.Lines,
		FirstIndexed: time.Now().UnixMilli(), // kept by the store if the file is known
	}}
	if known != nil {
		sameSize := (known.Problem == code.ProblemTooLarge) == (c.Problem == code.ProblemTooLarge)
		if r.same = known.Hash == c.Hash && (known.Flags^c.Flags)&scanFlags == 0 && sameSize; r.same {
			return r
		}
	}
	earlier := w.earlierReading(&r.file, kind)
	if earlier != nil {
		r.file.CL100K, r.file.O200K = earlier.cl100k, earlier.o200k
	} else {
		w.countTokens(&r, &c)
	}
	text, found := c.MaskedText() // from here on no secret is in the bytes
	if w.shapes && lang.Of(c.Lang).TypeChecked {
		r.shape = fingerprint.FileShape(&c.Content, text)
	}
	if earlier != nil && len(found) == 0 { // a reading with a secret was not cached
		earlier.completeReading(&r)
	} else {
		w.extractFacts(&r, text)
	}
	if w.finder.HasCertainRun(text) {
		r.file.Flags |= code.FlagRandom
	}
	r.content.Secrets = append(found, w.reader.PathSecrets(path)...)
	r.content.Words = w.searchWords(&r.file, r.facts, text)
	if kind.config != nil && r.file.Problem == "" {
		r.config = append([]byte{}, text...) // not nil, even if it is empty
		r.file.Flags |= code.FlagConfig
	}
	if resolve.IsSourceConfig(path, r.facts) {
		r.config = []byte{}
	}
	r.file.Class = w.tree.Class(path, r.file.Lang, r.file.Flags)
	return r
}

// countTokens counts the tokens of a file that was read as a whole.
func (w *readWorker) countTokens(r *fileReading, c *source.Opened) {
	switch r.file.Problem {
	case code.ProblemNone, code.ProblemMinified:
		if w.tokens == nil {
			w.tokens = token.NewPair()
		}
		cl, o := c.Tokens(w.tokens)
		r.file.CL100K, r.file.O200K = uint32(cl), uint32(o)
	}
}

func (w *readWorker) extractFacts(r *fileReading, text []byte) {
	f := &r.file
	switch f.Problem {
	case code.ProblemNone:
		r.facts = w.extract.Extract(f.Path, f.Lang, text)
	case code.ProblemTooLarge:
		r.facts = w.extract.ExtractHead(f.Path, f.Lang, text)
	default:
		r.facts = &code.Facts{}
	}
	if f.Problem == "" {
		f.Problem = r.facts.Problem
	}
	f.ErrorBytes, f.Branches, f.Package, f.Doc = r.facts.ErrorBytes, r.facts.Branches, r.facts.Package, r.facts.Doc
	if r.facts.IsTest {
		f.Flags |= code.FlagTest
	}
	if isEntry(f, r.facts) {
		f.Flags |= code.FlagEntry
	}
	r.content = storeContent(r.facts)
}

func storeContent(f *code.Facts) store.Content {
	c := store.Content{Symbols: f.Symbols, Refs: len(f.Refs)}
	if len(f.Symbols)+len(f.Imports)+len(f.Exports)+len(f.Refs) == 0 {
		return c
	}
	c.Packed = facts.Encode(nil, f)
	c.Names = facts.Names(f)
	c.Outline = outline.Encode(f)
	return c
}

// isEntry reports whether a program starts in a file: a main function of a main package, a module run as a
// program, or a conventional name of an ecosystem.
func isEntry(f *code.File, facts *code.Facts) bool {
	if f.Flags&(code.FlagTest|code.FlagVendored) != 0 {
		return false
	}
	row := lang.Of(f.Lang)
	if slices.Contains(row.EntryFiles, path.Base(f.Path)) {
		return true
	}
	if row.EntryFunction == "" || row.EntryPackage != "" && facts.Package != row.EntryPackage {
		return false
	}
	return slices.ContainsFunc(facts.Symbols, func(s code.Symbol) bool {
		return s.Name == row.EntryFunction && s.Kind.IsFunction() && (s.Parent < 0 || row.EntryInType)
	})
}

// readJob is one file to read.
type readJob struct {
	path  string
	known *code.File
	shape bool // whether the shape of a Go file is wanted
	cache store.Readings
	moves *movedFiles
	out   chan fileReading
}

// readAll reads many files on all cores and passes the readings to f in the order of paths. At most a few readings wait
// at a time, so memory does not grow with their number. It returns the error of f or ctx.
//
// The writers' lock must be held.
func (w *Writer) readAll(ctx context.Context, jobs []readJob, f func(fileReading) error) error {
	salt, err := w.Tree.MakeSalt()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cores := min(runtime.GOMAXPROCS(0), max(1, len(jobs)))
	todo := make(chan readJob)
	order := make(chan chan fileReading, 2*cores)
	var wg sync.WaitGroup
	workers := make([]*readWorker, cores)
	for i := range workers {
		if workers[i], err = w.newWorker(salt); err != nil {
			return err
		}
		defer workers[i].extract.Close()
	}
	for _, k := range workers {
		wg.Go(func() {
			for j := range todo {
				k.shapes, k.cache, k.moves = j.shape, j.cache, j.moves
				j.out <- k.readFile(ctx, j.path, j.known)
			}
		})
	}
	wg.Go(func() {
		defer close(order)
		defer close(todo)
		for _, j := range jobs {
			j.out = make(chan fileReading, 1)
			select {
			case order <- j.out:
			case <-ctx.Done():
				return
			}
			select {
			case todo <- j:
			case <-ctx.Done():
				return
			}
		}
	})
	for out := range order {
		if err != nil {
			continue
		}
		select {
		case r := <-out:
			if err = f(r); err != nil {
				cancel()
			}
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	wg.Wait()
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// searchWords returns the words by which search finds a file: those of its path, of the names it declares and of its text;
// nil if it is not text.
func (w *readWorker) searchWords(f *code.File, facts *code.Facts, text []byte) *search.Doc {
	switch f.Problem {
	case code.ProblemNone, code.ProblemParseLimit, code.ProblemTooLarge:
	case code.ProblemMinified:
		text = nil
	default:
		return nil
	}
	return w.words.Doc(f.Path, func(yield func(string) bool) {
		for i := range facts.Symbols {
			s := &facts.Symbols[i]
			if s.Kind.IsText() && s.Kind != code.KindHeading {
				continue
			}
			if !yield(s.Name) {
				return
			}
		}
	}, text)
}
