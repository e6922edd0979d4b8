package engine

import (
	"context"
	"iter"
	"runtime"

	"ken/internal/code"
)

// FileText is the text of a file as it is on disk now, every secret in it
// masked; see Snapshot.Texts.
type FileText struct {
	File code.File
	// Text is nil if the file is gone, cannot be read or is binary. Of a file
	// larger than MaxText it is the beginning.
	Text []byte
}

// Text is the text of one file as it is now, every secret in it masked; nil if
// there is none.
func (s *Snapshot) Text(ctx context.Context, p string) ([]byte, error) {
	sc, err := s.e.scanner()
	if err != nil {
		return nil, err
	}
	w := s.e.newWorker(sc)
	defer w.close()
	return w.text(ctx, p), ctx.Err()
}

// MaxText is the size up to which Text and Texts give files whole, also those
// too large to be parsed, in bytes.
const MaxText = 16 << 20

// unchanged is a file's text as it is, if it is the very content the index was
// made of and held no secret then: looking for some again is half the work of
// packing a repository. The hash is SHA-256 of all bytes; every value that is
// masked leaves a finding.
func (w *worker) unchanged(ctx context.Context, f *code.File) ([]byte, bool) {
	c, err := w.scan.ReadInto(ctx, f.Path, &w.buf)
	return c.Bytes, err == nil && heldWhole(c.Problem) && heldWhole(f.Problem) && c.Hash == f.Hash
}

// text is a file's text, masked.
func (w *worker) text(ctx context.Context, p string) []byte {
	t := w.masked(ctx, p, func([]byte) bool { return true })
	st, ok := w.scan.Stat(p)
	if t == nil || !ok || !w.scan.TooLarge(st.Size) || st.Size > MaxText {
		return t
	}
	whole, err := w.scan.ReadWhole(p)
	if err != nil {
		return t
	}
	w.mask(whole)
	return whole
}

// textJobs is how many texts wait for their turn for each core. It bounds what
// Texts holds: so many files of at most the size limit.
const textJobs = 8

// Texts reads files on all cores and hands on what edit makes of each, in the
// order given. A text given to edit is only valid inside it; edit runs on
// several goroutines at once, each with a scratch of its own that newScratch
// made.
func Texts[S, T any](ctx context.Context, s *Snapshot, files []code.File, newScratch func() S, edit func(S, FileText) T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		sc, err := s.e.scanner()
		if err != nil {
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
		secrets, err := s.withSecrets()
		if err != nil {
			yield(zero, err)
			return
		}
		todo, order := make(chan job), make(chan chan T, textJobs*cores)
		for range cores {
			go func() {
				w, scratch := s.e.newWorker(sc), newScratch()
				defer w.close()
				for j := range todo {
					text, ok := []byte(nil), false
					if !secrets[j.file.Path] {
						text, ok = w.unchanged(ctx, &j.file)
					}
					if !ok {
						text = w.text(ctx, j.file.Path)
					}
					j.out <- edit(scratch, FileText{j.file, text})
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

// withSecrets are the files that held secrets when they were indexed.
func (s *Snapshot) withSecrets() (map[string]bool, error) {
	out := map[string]bool{}
	for f, err := range s.r.Secrets() {
		if err != nil {
			return nil, err
		}
		out[f.Path] = true
	}
	return out, nil
}

// Uses is the number of files that use the name of each symbol. Names that
// several definitions bear are divided among them: their uses cannot be told
// apart without binding every reference.
func (s *Snapshot) Uses(_ context.Context, list []Symbol) ([]int, error) {
	out := make([]int, len(list))
	for i := range list {
		n, err := s.r.NameCount(list[i].Name)
		if err != nil {
			return nil, err
		}
		if n.Files > 0 {
			out[i] = (n.Files + max(n.Defs, 1) - 1) / max(n.Defs, 1)
		}
	}
	return out, nil
}

// Signatures are the declarations of a file in source order, as Symbols gives
// them but without Doc, Params and Returns: half the work.
func (s *Snapshot) Signatures(_ context.Context, f code.File) ([]Symbol, error) {
	rows, err := s.r.Symbols(f.ID)
	if err != nil {
		return nil, err
	}
	out := make([]Symbol, len(rows))
	for i := range rows {
		out[i] = Symbol{Symbol: rows[i].Symbol, ID: SymbolID{File: f.ID, Ord: rows[i].Ord}.Pack(), Path: f.Path}
	}
	return out, nil
}
