package project

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

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
	Author        string
	Updated       string
	Purpose       string   // the text of that section, masked
	Terms         []uint32 // the lower halves of its search terms, sorted
}

// rowFields is the number of fields of a line.
const rowFields = 12

// pagesVersion returns the line that the rows begin with. Rows written by rules for orders to agents that differ are read again.
func pagesVersion() string { return fmt.Sprintf("1 %x", injection.Version()) }

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
			base64.RawStdEncoding.EncodeToString(terms), r.Purpose,
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
	for line := range strings.SplitSeq(text, "\n") {
		f := strings.Split(line, "\t")
		if len(f) != rowFields {
			continue
		}
		for i := range f {
			if strings.IndexByte(f[i], '\\') >= 0 {
				f[i] = unescapeField.Replace(f[i])
			}
		}
		r := pageRow{Name: f[0], Path: f[4], Type: f[5], Status: f[6], API: f[7], Author: f[8], Updated: f[9], Purpose: f[11]}
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
		rows, changed := currentRows(entity.Folder{Root: p.Root}, unpackRows(wasWords), maxPages, p.Engine.Hide)
		if words = wasWords; changed {
			words = packRows(rows)
		}
		for i := range rows {
			if err := rows[i].judge(ctx, s); err != nil {
				return nil, err
			}
		}
		if nodes = nodePages(rows); len(rows) == 0 {
			nodes = ""
		}
		return nil, nil
	})
	if err != nil || nodes == wasNodes && words == wasWords {
		return err
	}
	return p.Engine.KeepPages(ctx, nodes, words)
}

// judge sets the status of a page to that of its text as the file is now, and drops the path of a page whose file is gone.
func (r *pageRow) judge(ctx context.Context, s *view.Snapshot) error {
	f, ok, err := s.Index.FileByPath(r.Path)
	if err != nil || !ok {
		r.Path = ""
		return err
	}
	if r.Status == string(entity.Deprecated) {
		return nil
	}
	now, err := entity.APIHash(ctx, s, &f)
	if r.Status = string(entity.Active); now != r.API {
		r.Status = string(entity.Stale)
	}
	return err
}

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
