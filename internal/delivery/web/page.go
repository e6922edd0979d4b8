package web

import (
	"net/url"
	"strconv"
	"strings"
)

// request holds the arguments of a view.
type request struct{ values url.Values }

func (r *request) get(key string) string { return strings.TrimSpace(r.values.Get(key)) }

// number returns a number between bounds; first stands for one that is missing or none.
func (r *request) number(key string, first, most int) int {
	n, err := strconv.Atoi(r.get(key))
	if err != nil || n < 1 {
		return first
	}
	return min(n, most)
}

// page is a filled view.
type page struct {
	Title    string
	Data     any
	Answers  []*answer
	Revision int64
	status   int // 0 stands for 200
}
