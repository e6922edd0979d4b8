package find

import (
	"context"
	"math"
	"path"
	"slices"
	"time"

	"ken/internal/knowledge/memory"
)

// Known holds the memories of a project that concern a query. The caller fills it from its stores;
// without it an answer is computed from the code and its history alone.
type Known struct {
	Earlier []Earlier
	Said    []Said
	Agreed  []Agreed
	// About returns notes about the best candidates that cannot be looked up by the query; it may
	// be nil.
	About func(ctx context.Context, paths []string) ([]Said, error)
	// WrittenType returns the type that the written page of a file states, "" if it has none; it may
	// be nil.
	WrittenType func(path string) string
}

// Earlier is earlier work that ended well.
type Earlier struct {
	Files []string // that were right for it, by their paths at that time
	Like  float64  // similarity to the query, 0 to 1
	Text  string   // topic
}

// Said is a note that an agent or a person wrote about a file.
type Said struct {
	Path string
	Like float64 // relevance to the query, 0 to 1
	Text string  // the note and its source
}

// Agreed is a term of the query that a person confirmed to mean a declaration.
type Agreed struct {
	Path string // of the file that declares it
	Text string // the term and its meaning
}

// Bounds of memories: how many of each kind are used, and how similar to the query a text must
// be, because texts about other things share words, too.
const (
	// MaxEarlier is how many pieces of earlier work are used, the most similar first.
	MaxEarlier   = 32
	maxRight     = 20 // files of one earlier work
	maxSaid      = 64
	topOfSaid    = 20 // number of best candidates passed to About
	leastAlike   = 0.1
	maxSameNames = 200 // files with the name of a missing one
)

// earlier is earlier work that is similar to the query, with the current paths of its files.
type earlier struct {
	*Earlier
	like  float64
	right []string // files that still exist
}

// said holds the notes and earlier work that concern one candidate.
type said struct {
	like         float64
	text, agreed string
	earlier      string // the most similar earlier work for which it was right
}

// add keeps the note that is most relevant to the query.
func (k *said) add(s *Said) {
	if s.Like > max(k.like, leastAlike) {
		k.like, k.text = min(s.Like, 1), s.Text
	}
}

// addRemembered makes candidates of the files that memories name, and keeps the memories that are similar to the query.
func (c *candidates) addRemembered() error {
	k := &c.known
	for i := range k.Earlier[:min(len(k.Earlier), MaxEarlier)] {
		e := earlier{Earlier: &k.Earlier[i], like: min(k.Earlier[i].Like, 1) - leastAlike}
		if e.like <= 0 {
			continue
		}
		for _, p := range e.Files[:min(len(e.Files), maxRight)] {
			now, err := c.presentPath(p)
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
			of, err := c.candidateAt(s.Path)
			if err != nil {
				return err
			}
			if of != nil {
				of.said.add(s)
			}
		}
	}
	for i := range k.Agreed[:min(len(k.Agreed), maxSaid)] {
		of, err := c.candidateAt(k.Agreed[i].Path)
		if err != nil {
			return err
		}
		if of != nil && of.said.agreed == "" {
			of.said.agreed = k.Agreed[i].Text
		}
	}
	return nil
}

// presentPath returns the present path of a file, "" if it no longer exists. A missing file was moved if exactly one file has its
// name, or shares more of the end of its path than all others.
func (c *candidates) presentPath(p string) (string, error) {
	of, err := c.candidateAt(p)
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
	_, err = c.candidateAt(found)
	return found, err
}

// candidateAt returns the candidate of a path and adds it if it is new; nil if the file is not indexed.
func (c *candidates) candidateAt(p string) (*candidate, error) {
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

// FromMemory converts items of a memory that fit a query to memories about files: outcomes to earlier
// work, all other items to notes about the files they are pinned to.
func FromMemory(hits []memory.Hit) (k Known) {
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
			// An item that is pinned to many files is weaker evidence for each.
			k.Said = append(k.Said, Said{Path: p.Path(), Like: like / math.Sqrt(float64(len(it.Pins))), Text: itemText(it)})
		}
	}
	return k
}

// itemText returns an item in a few words, "" if it has none.
func itemText(it *memory.Item) string {
	text := firstLine(it.Text)
	if it.Topic != "" {
		text = it.Topic + ": " + text
	}
	if text == "" {
		return ""
	}
	return string(it.Kind) + " of " + it.At.UTC().Format(time.DateOnly) + " " + quote(text, maxWhyEarlier)
}
