package view

import (
	"context"
	"iter"
	"runtime"

	"ken/internal/code"
	"ken/internal/engine/source"
)

// FileText is the text of a file as it is on disk now, every secret in it
// masked; see Snapshot.Texts.
type FileText struct {
	File code.File
	// Text is nil if the file is gone, cannot be read or is binary. Of a file
	// larger than MaxText it is the beginning.
	Text []byte
	// Copies reports whether it may contain copies of known secrets.
	Copies bool
}

// Text returns the text of one file on disk, every secret in it masked; nil if there is none. It returns an error if ctx
// ends
// or the index cannot be read.
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

// KnownSecrets returns the secrets the index has; nil if there are none. All output is masked with them at the end. A
// text that
// is cut before that has to be masked first, because half of a value is not recognised. It returns an error if the index
// cannot be read.
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

// textJobs is the number of texts that wait for their turn for each core. It bounds the memory of
// Texts: so many files of at most the size limit.
const textJobs = 8

// Texts reads files on all cores and yields the result of edit for each, in the order given, then an error if ctx ends
// or the
// files cannot be read. A text given to edit is only valid inside it; edit runs on several goroutines at once, each with
// its
// own scratch from newScratch.
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
						text, ok = r.Clean(ctx, &j.file)
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

// WithSecrets returns the files that had secrets when they were indexed; it must not be changed. It returns an error if
// the
// index cannot be read.
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

// Uses returns the number of files that use the name of each symbol. The uses of a name with several definitions are
// divided
// among them, because they cannot be kept apart without binding every reference. It returns an error if the index cannot
// be read.
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

// Signatures returns the declarations of a file in source order, as Symbols does but without Doc, Params and Returns,
// for half
// the work. It returns an error if the index cannot be read.
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
