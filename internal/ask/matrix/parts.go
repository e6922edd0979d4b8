package matrix

import (
	"cmp"
	"slices"
	"strings"

	"ken/internal/code"
)

// divide chooses the parts of a folder, by name, and returns the part of each file, -1 for none. It divides the part with the most files,
// as often as there are no more parts than wanted; a divided folder that has files itself is a part of these.
func divide(files []string, folder string, most int) (parts []Part, of []int) {
	count := map[string]int{} // files in and below a folder
	own := map[string]int{}   // in it
	children := map[string][]string{}
	for _, p := range files {
		if p == "" {
			continue
		}
		dir := code.Dir(p)
		own[dir]++
		for ; ; dir = code.Dir(dir) {
			count[dir]++
			if dir == folder {
				break
			}
			if up := code.Dir(dir); count[dir] == 1 {
				children[up] = append(children[up], dir)
			}
		}
	}
	if count[folder] == 0 {
		return nil, slices.Repeat([]int{-1}, len(files))
	}
	list := []string{folder}
	divided := map[string]bool{}
	for {
		best := -1
		for i, f := range list {
			n := len(children[f]) - 1
			if own[f] > 0 {
				n++
			}
			mayBe := !divided[f] && len(children[f]) > 0 && (len(list)+n <= most || f == folder)
			if mayBe && (best < 0 || cmp.Or(cmp.Compare(count[f], count[list[best]]), strings.Compare(list[best], f)) > 0) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		f := list[best]
		divided[f] = true
		if own[f] == 0 {
			list = slices.Delete(list, best, best+1)
		}
		list = append(list, children[f]...)
	}
	return collect(files, folder, list, count, most)
}

// collect makes the parts of a list of folders. If there are too many, the smallest become one.
func collect(files []string, folder string, list []string, count map[string]int, most int) (parts []Part, of []int) {
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b)) })
	kept := len(list)
	if kept > most {
		kept = most - 1
	}
	slices.Sort(list[:kept])
	at := map[string]int{}
	for i, f := range list {
		if at[f] = min(i, kept); i < kept {
			parts = append(parts, Part{Folder: f})
		}
	}
	if kept < len(list) {
		parts = append(parts, Part{Folder: Rest})
	}
	for _, p := range files {
		part, found := -1, false
		for dir := p; dir != "" && dir != folder && !found; {
			dir = code.Dir(dir)
			if i, ok := at[dir]; ok {
				part, found = i, true
			}
		}
		of = append(of, part)
	}
	return parts, of
}
