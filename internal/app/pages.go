package app

import (
	"encoding/json"

	"ken/internal/delivery/injection"
	"ken/internal/engine"
	"ken/internal/engine/store"
	"ken/internal/knowledge/entity"
)

// maxNodePages is how much of written pages the index holds for its views, in bytes.
const maxNodePages = 1 << 20

// writtenPages returns the pages written about files, as store.MetaPages holds them. Text
// worded as an order to an agent is left out, and apparent credentials are masked, because
// other programs read the views.
func writtenPages(root string, e *engine.Engine) string {
	list, err := entity.Folder{Root: root}.List()
	if err != nil {
		return "" // the folder cannot be used: other commands name it
	}
	rows := []store.NodePage{}
	size := 0
	for _, k := range list {
		if k.Page == nil || len(injection.Scan(k.Page.String())) > 0 {
			continue
		}
		h := &k.Page.Head
		r := store.NodePage{Path: h.Path, Type: e.Hide(h.Type), Purpose: e.Hide(entity.FirstSentence(k.Page))}
		r.Status, r.Entity = string(entity.Active), "current"
		if h.Status == entity.Stale {
			r.Entity = "stale"
		}
		if h.Status == entity.Stale || h.Status == entity.Deprecated {
			r.Status = string(h.Status)
		}
		if size += len(r.Path) + len(r.Purpose) + 100; size > maxNodePages {
			break
		}
		rows = append(rows, r)
	}
	b, err := json.Marshal(rows)
	if err != nil || len(rows) == 0 {
		return ""
	}
	return string(b)
}
