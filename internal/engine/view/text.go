package view

import (
	"context"
	"iter"
	"runtime"

	"ken/internal/code"
	"ken/internal/engine/source"
)

// FileText is the present text of a file on disk, with every secret in it
// masked; see Texts.
type FileText struct {
	File code.File
	// Text is nil if the file is gone, cannot be read or is binary. It is
	// only the beginning of a file larger than MaxText.
	Text []byte
	// Copies is set if the text may contain copies of known secrets.
	Copies bool
}

// Text returns the text of one file on disk, with every secret in it masked; nil if there is none. It returns an error
// if ctx ends or the index cannot be read.
func (s *Snapshot) Text(ctx context.Context, p string) ([]byte, error) {
	r, err := s.Tree.NewReader(nil)
	if err != nil {
		return nil, err
	}
	known, err := s.KnownSecrets()
	if err != nil {
		return nil, err
	}
	text := r.Text(ctx, p)
	known.Mask(text)
	return text, ctx.Err()
}

// KnownSecrets returns the secrets in the index, nil if there are none. All output is masked with them at the end. A
// text that is shortened before has to be masked first, because half of a value is not recognised. It returns an error
// if the index cannot be read.
func (s *Snapshot) KnownSecrets() (*source.Known, error) {
	if !s.known.read {
		set, err := s.Tree.KnownSecrets(s.Index, s.Opt.AllowSecrets)
		if err != nil {
			return nil, err
		}
		s.known.set, s.known.read = set, true
	}
	return s.known.set, nil
}

// textJobs is the number of texts for each core that wait for their turn. It bounds the memory of
// Texts, because each may be as large as the size limit.
const textJobs = 8

// Texts reads files on all cores, calls edit with each text and yields the results in the order of files, then an error
// if ctx ends or the settings or the index cannot be read. A file that cannot be read has no text; see FileText. The text
// is valid only inside edit. edit runs on several goroutines at once; newScratch makes the working memory that it gets for
// each of them.
func Texts[S, T any](ctx context.Context, s *Snapshot, files []code.File, newScratch func() S, edit func(S, FileText) T,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		if _, err := s.Tree.Scanner(); err != nil {
			yield(zero, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		cores := runtime.GOMAXPROCS(0)
		type job struct {
			file code.File
			out  chan T
		}
		secrets, err := s.WithSecrets()
		if err != nil {
			yield(zero, err)
			return
		}
		todo, order := make(chan job), make(chan chan T, textJobs*cores)
		for range cores {
			go func() {
				r, err := s.Tree.NewReader(nil)
				if err != nil {
					return // the scanner was made above
				}
				scratch := newScratch()
				for j := range todo {
					text, ok := []byte(nil), false
					if !secrets[j.file.Path] {
						text, ok = r.UnmaskedIfClean(ctx, &j.file)
					}
					if !ok {
						text = r.Text(ctx, j.file.Path)
					}
					j.out <- edit(scratch, FileText{j.file, text, !ok || j.file.Flags&code.FlagRandom != 0})
				}
			}()
		}
		go func() {
			defer close(order)
			defer close(todo)
			for _, f := range files {
				j := job{f, make(chan T, 1)}
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
		}()
		for out := range order {
			select {
			case t := <-out:
				if !yield(t, nil) {
					return
				}
			case <-ctx.Done():
			}
		}
		if err := ctx.Err(); err != nil {
			yield(zero, err)
		}
	}
}

// WithSecrets returns the paths of the files that had secrets when they were indexed. The caller must not change the
// map. It returns an error if the index cannot be read.
func (s *Snapshot) WithSecrets() (map[string]bool, error) {
	if s.secrets != nil {
		return s.secrets, nil
	}
	out := map[string]bool{}
	for f, err := range s.Index.Secrets() {
		if err != nil {
			return nil, err
		}
		out[f.Path] = true
	}
	s.secrets = out
	return out, nil
}

// Uses returns, for each symbol, the number of files that use its name. If a name has several definitions, they share
// its uses equally, because the true share would require binding every reference. It returns an error if the index
// cannot be read.
func (s *Snapshot) Uses(_ context.Context, list []Symbol) ([]int, error) {
	out := make([]int, len(list))
	for i := range list {
		n, err := s.Index.NameCount(list[i].Name)
		if err != nil {
			return nil, err
		}
		if n.Files > 0 {
			out[i] = (n.Files + max(n.Defs, 1) - 1) / max(n.Defs, 1)
		}
	}
	return out, nil
}

// Signatures returns the declarations of a file in source order for half the work of Symbols, because it leaves out
// Doc, Params and Returns. It returns an error if the index cannot be read.
func (s *Snapshot) Signatures(_ context.Context, f code.File) ([]Symbol, error) {
	rows, err := s.Index.Symbols(f.ID)
	if err != nil {
		return nil, err
	}
	out := make([]Symbol, len(rows))
	for i := range rows {
		out[i] = Symbol{Symbol: rows[i].Symbol, ID: code.SymbolID{File: f.ID, Ord: rows[i].Ord}.Pack(), Path: f.Path}
	}
	return out, nil
}
