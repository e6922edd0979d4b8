package project

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/engine"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/knowledge/entity"
)

// pageRow is the part of a written page that the index keeps, as text: one line a page, fields separated by tabs, below a line with the
// version of the form. A page that cannot be read has no path.
type pageRow struct {
	Name          string // of its file
	Size, Time    int64  // of its file when it was read
	Young, Orders bool   // read too soon after its last change; worded as an order to an agent
	Path, Type    string
	Status        string
	API           string // as in entity.Head
	Current       string // the hash of the content of its file at which API was that of the file, "" if that is not known
	Author        string
	Updated       string
	Purpose       string   // the text of that section, masked
	Terms         []uint32 // the lower halves of its search terms, sorted
}

// rowFields is the number of fields of a line.
const rowFields = 13

// pagesVersion returns the line that the rows begin with. Rows written by rules for orders to agents that differ, or with an index of
// another schema, whose declarations may differ, are read again.
func pagesVersion() string { return fmt.Sprintf("2 %x %d", injection.Version(), store.Schema) }

var (
	escapeField   = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`)
	unescapeField = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
)

// packRows returns rows as unpackRows reads them, "" for none.
func packRows(rows []pageRow) string {
	if len(rows) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(pagesVersion() + "\n")
	for i := range rows {
		r := &rows[i]
		terms := make([]byte, 0, 4*len(r.Terms))
		for _, t := range r.Terms {
			terms = binary.LittleEndian.AppendUint32(terms, t)
		}
		flags := strconv.FormatBool(r.Young) + " " + strconv.FormatBool(r.Orders)
		for k, field := range [rowFields]string{
			r.Name, strconv.FormatInt(r.Size, 10), strconv.FormatInt(r.Time, 10), flags, r.Path, r.Type, r.Status, r.API, r.Author, r.Updated,
			base64.RawStdEncoding.EncodeToString(terms), r.Purpose, r.Current,
		} {
			if k > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(escapeField.Replace(field))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// unpackRows returns packed rows. Those of another version and lines of another form are left out, so that their pages are read.
func unpackRows(text string) (rows []pageRow) {
	if text == "" {
		return nil
	}
	version, text, _ := strings.Cut(text, "\n")
	if version != pagesVersion() {
		return nil
	}
	rows = make([]pageRow, 0, strings.Count(text, "\n"))
	for line := range strings.SplitSeq(text, "\n") {
		if strings.Count(line, "\t") != rowFields-1 {
			continue
		}
		var f [rowFields]string // in place of strings.Split, which allocates
		for i := range f {
			f[i], line, _ = strings.Cut(line, "\t")
			if strings.IndexByte(f[i], '\\') >= 0 {
				f[i] = unescapeField.Replace(f[i])
			}
		}
		r := pageRow{Name: f[0], Path: f[4], Type: f[5], Status: f[6], API: f[7], Author: f[8], Updated: f[9], Purpose: f[11], Current: f[12]}
		terms, err := base64.RawStdEncoding.DecodeString(f[10])
		if err != nil {
			continue
		}
		if r.Size, err = strconv.ParseInt(f[1], 10, 64); err != nil {
			continue
		}
		if r.Time, err = strconv.ParseInt(f[2], 10, 64); err != nil {
			continue
		}
		r.Young, r.Orders = strings.HasPrefix(f[3], "true"), strings.HasSuffix(f[3], "true")
		r.Terms = make([]uint32, len(terms)/4)
		for i := range r.Terms {
			r.Terms[i] = binary.LittleEndian.Uint32(terms[4*i:])
		}
		rows = append(rows, r)
	}
	return rows
}

// maxNodePages is how much of written pages the index holds for its views, in bytes.
const maxNodePages = 1 << 20

// KeepPageWords returns the written pages below root as the index keeps them, in the forms of store.MetaPages and store.MetaPageWords.
// kept is the last value of the second; pages that have not changed since are not read. If none has changed, nodes is "" and words is
// kept. Text worded as an order to an agent is left out of the nodes, and apparent credentials are masked, because other programs read
// the views.
func KeepPageWords(root, kept string, hide func(string) string) (nodes, words string) {
	rows, changed := currentRows(entity.Folder{Root: root}, unpackRows(kept), maxPages, hide)
	if !changed {
		return "", kept
	}
	return nodePages(rows), packRows(rows)
}

// KeepPages brings the pages that the index keeps up to date: their words, and their state as the files are now. A page whose file is gone
// is left out. The files of pages are not written; ken entity sync does that. It returns an error if the index cannot be read or
// written, or ctx ends.
func (p *Project) KeepPages(ctx context.Context) error {
	var nodes, words, wasNodes, wasWords string
	err := p.Ask(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) (_ []string, err error) {
		if wasNodes, err = s.Index.Meta(store.MetaPages); err != nil {
			return nil, err
		}
		if wasWords, err = s.Index.Meta(store.MetaPageWords); err != nil {
			return nil, err
		}
		rows, _ := currentRows(entity.Folder{Root: p.Root}, unpackRows(wasWords), maxPages, p.Engine.Hide)
		var there []pageRow
		for i := range rows {
			ok, err := rows[i].judge(ctx, s)
			if err != nil {
				return nil, err
			}
			if ok {
				there = append(there, rows[i])
			}
		}
		words = packRows(rows)
		if nodes = nodePages(there); len(rows) == 0 {
			nodes = ""
		}
		return nil, nil
	})
	if err != nil || nodes == wasNodes && words == wasWords {
		return err
	}
	return p.Engine.KeepPages(ctx, nodes, words)
}

// judge sets the status of a page to that of its text as the file is now, and reports whether there is such a file. The row remembers
// the content at which the page is current, so that questions need not compare declarations. It fails if the index cannot be read.
func (r *pageRow) judge(ctx context.Context, s *view.Snapshot) (exists bool, err error) {
	f, ok, err := s.Index.FileByPath(r.Path)
	if err != nil || !ok || r.Status == string(entity.Deprecated) {
		return ok, err
	}
	current, err := r.isCurrent(ctx, s, &f)
	if r.Status, r.Current = string(entity.Active), fileHash(&f); !current {
		r.Status, r.Current = string(entity.Stale), ""
	}
	return true, err
}

// isCurrent reports whether the API of a file is that of the time when its page was written. It fails if the index cannot be read.
func (r *pageRow) isCurrent(ctx context.Context, s *view.Snapshot, f *code.File) (bool, error) {
	if r.Current != "" && r.Current == fileHash(f) {
		return true, nil
	}
	now, err := entity.APIHash(ctx, s, f)
	return r.API == now, err
}

// fileHash returns enough of the hash of a file's content to tell it from others.
func fileHash(f *code.File) string { return base64.RawStdEncoding.EncodeToString(f.Hash[:18]) }

// nodePages returns rows in the form of store.MetaPages.
func nodePages(rows []pageRow) string {
	list := []store.NodePage{}
	size := 0
	for i := range rows {
		r := &rows[i]
		if r.Path == "" || r.Orders {
			continue
		}
		n := store.NodePage{Path: r.Path, Type: r.Type, Purpose: r.firstSentence(), Status: string(entity.Active), Entity: "current"}
		if r.Status == string(entity.Stale) {
			n.Entity = "stale"
		}
		if r.Status == string(entity.Stale) || r.Status == string(entity.Deprecated) {
			n.Status = r.Status
		}
		if size += len(n.Path) + len(n.Purpose) + 100; size > maxNodePages {
			break
		}
		list = append(list, n)
	}
	b, err := json.Marshal(list)
	if err != nil || len(list) == 0 {
		return "[]"
	}
	return string(b)
}
