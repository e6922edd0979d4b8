package find

import (
	"context"
	"math"
	"path"
	"slices"
	"time"

	"ken/internal/knowledge/memory"
)

// Known is what is remembered of a project and concerns a query. It is made by those who keep
// memories; without it an answer is computed from the code and its history alone.
type Known struct {
	Earlier []Earlier
	Said    []Said
	Agreed  []Agreed
	// About gives what is written down of the best candidates, for what cannot be looked up
	// by the query; nil if nothing is.
	About func(ctx context.Context, paths []string) ([]Said, error)
}

// Earlier is work that was done before and ended well.
type Earlier struct {
	Files []string // that were right for it, by the paths that they had then
	Like  float64  // how much it is like what is asked, 0 to 1
	Text  string   // what it was about
}

// Said is something that is written down of a file.
type Said struct {
	Path string
	Like float64 // how much it is about what is asked, 0 to 1
	Text string  // what it says, and who says it
}

// Agreed is a term of the query that somebody confirmed to mean a declaration.
type Agreed struct {
	Path string // of the file that declares it
	Text string // the term and what it means
}

// Bounds of what is known: how much of each kind is looked at, and how much a text must be
// like the query at least, because texts about other things share words, too.
const (
	// MaxEarlier is how many pieces of earlier work are looked at, those most like the query first.
	MaxEarlier   = 32
	maxRight     = 20 // files of one earlier work
	maxSaid      = 64
	topOfSaid    = 20 // best candidates that About is asked of
	leastAlike   = 0.1
	maxSameNames = 200 // files with the name of one that is gone
)

// earlier is earlier work whose files are named as they are now.
type earlier struct {
	*Earlier
	like  float64
	right []string // files that are there
}

// said is what is known of one candidate.
type said struct {
	like         float64
	text, agreed string
	earlier      string // the earlier work most like the query that it was right for
}

// add keeps what is most about the query.
func (k *said) add(s *Said) {
	if s.Like > max(k.like, leastAlike) {
		k.like, k.text = min(s.Like, 1), s.Text
	}
}

// remembered makes candidates of the files that what is known names, and keeps what is like
// the query.
func (c *candidates) remembered() error {
	k := &c.known
	for i := range k.Earlier[:min(len(k.Earlier), MaxEarlier)] {
		e := earlier{Earlier: &k.Earlier[i], like: min(k.Earlier[i].Like, 1) - leastAlike}
		if e.like <= 0 {
			continue
		}
		for _, p := range e.Files[:min(len(e.Files), maxRight)] {
			now, err := c.now(p)
			if err != nil {
				return err
			}
			if now != "" && !slices.Contains(e.right, now) {
				e.right = append(e.right, now)
			}
		}
		c.earlier = append(c.earlier, e)
	}
	for i := range k.Said[:min(len(k.Said), maxSaid)] {
		if s := &k.Said[i]; s.Like > leastAlike {
			of, err := c.named(s.Path)
			if err != nil {
				return err
			}
			if of != nil {
				of.said.add(s)
			}
		}
	}
	for i := range k.Agreed[:min(len(k.Agreed), maxSaid)] {
		of, err := c.named(k.Agreed[i].Path)
		if err != nil {
			return err
		}
		if of != nil && of.said.agreed == "" {
			of.said.agreed = k.Agreed[i].Text
		}
	}
	return nil
}

// now is the path that a file has now, "" if it is gone. A file that is not there was moved
// if one file alone has its name, or shares more of the end of its path than all others.
func (c *candidates) now(p string) (string, error) {
	of, err := c.named(p)
	if err != nil || of != nil {
		return p, err
	}
	terms := c.terms(path.Base(p))
	if len(terms) == 0 {
		return "", nil
	}
	docs, err := c.q.index.All(terms)
	if err != nil || len(docs) > maxSameNames {
		return "", err
	}
	best, found, alone := 0, "", false
	for _, d := range docs {
		have, err := c.q.view.Index.PathByID(c.q.index.File(int(d)))
		if err != nil {
			return "", err
		}
		if n := commonTail(have, p); n > best {
			best, found, alone = n, have, true
		} else if n == best {
			alone = false
		}
	}
	if !alone {
		return "", nil
	}
	_, err = c.named(found)
	return found, err
}

// named is the candidate of a path, which becomes one; nil if there is no such file.
func (c *candidates) named(p string) (*candidate, error) {
	id, err := c.q.view.Index.FileID(p)
	if err != nil || id == 0 {
		return nil, err
	}
	d, ok := c.q.index.Doc(id)
	if !ok {
		return nil, nil
	}
	return c.add(int32(d)), nil
}

// KnownOf is what items of a memory that fit a query say of files: of work that ended well which
// were right for it, of everything else what it is pinned to.
func KnownOf(hits []memory.Hit) (k Known) {
	for i := range hits {
		it, like := hits[i].Item, hits[i].Reason.Relevance
		if it.Gone || it.Against > it.For {
			continue
		}
		if it.Kind == memory.Outcome {
			e := Earlier{Like: like, Text: it.Text}
			for _, p := range it.Pins {
				e.Files = append(e.Files, p.Path())
			}
			k.Earlier = append(k.Earlier, e)
			continue
		}
		for _, p := range it.Pins {
			// What is pinned to many files says less of each.
			k.Said = append(k.Said, Said{Path: p.Path(), Like: like / math.Sqrt(float64(len(it.Pins))), Text: saidBy(it)})
		}
	}
	return k
}

// saidBy is an item in a few words; "" says nothing that can be shown.
func saidBy(it *memory.Item) string {
	text := firstLine(it.Text)
	if it.Topic != "" {
		text = it.Topic + ": " + text
	}
	if text == "" {
		return ""
	}
	return string(it.Kind) + " of " + it.At.UTC().Format(time.DateOnly) + " " + quoted(text, maxWhyEarlier)
}
