package look

import "bytes"

// Values of kilobytes. The readers of package secret look a bounded number of bytes far, so that the work at a keyword is bounded, and the
// shapes of values are tables of the measures of short ones. So a long run of the characters of values is shortened to its beginning
// and its end, between which a value continues, and the text around it is searched once more in this form.

// Limits of long runs.
const (
	// MinLong is the length from which a run is shortened. It is less than the number of bytes that any reader looks far.
	MinLong = 300
	// keptHead and keptTail are the bytes of a shortened run. Together they are less than MinLong, and more than the shapes of short
	// values allow.
	keptHead = 216
	keptTail = 48
	// around is the number of bytes before and after a run in which its name, its quotes or its host are searched.
	around = 512
	// maxRegion is the number of bytes of one shortened text, of which each run has a part.
	maxRegion = 64 << 10
)

// inRun are the characters of long values: those of hex, base64 and its form for URLs, percent signs, and the marks of passwords that are
// not written around a value: an @ follows a password, a colon precedes it.
const inRun = Alnum | RunMark

// InLongRun reports whether a value has only characters of long runs.
func InLongRun(v []byte) bool { return All(v, inRun) }

// FindLong calls found with the text around each run of at least MinLong characters of values, in which all such runs are shortened,
// until found returns true.
func FindLong(text []byte, found func(d Decoded) (done bool)) {
	var buf []byte
	runs := longRuns{text: text}
	for i := MinLong - 1; i < len(text); i += MinLong {
		if !Is(text[i], inRun) {
			continue
		}
		lo, hi := runs.at(i)
		if hi-lo < MinLong {
			i = max(i, hi-1)
			continue
		}
		buf = buf[:0]
		d := longRegion{start: max(0, lo-around)}
		for d.start > 0 && d.start < lo && Is(text[d.start-1], inRun) {
			d.start++ // not within a word
		}
		at := d.start
		for {
			buf = append(buf, text[at:lo+keptHead]...)
			d.cuts = append(d.cuts, [2]int{len(buf), hi - keptTail - lo - keptHead})
			buf = append(buf, text[hi-keptTail:hi]...)
			at = hi
			if lo, hi = runs.next(at); hi == 0 || len(buf) > maxRegion {
				break
			}
		}
		buf = append(buf, Clip(text, at, at+around)...)
		if found(Decoded{Text: buf, span: d.span}) {
			return
		}
		i = max(i, at-1)
	}
}

// longRuns finds the runs of a text, one after the other.
type longRuns struct {
	text []byte
	done int // no later run begins before it
	end  int // of the run that contains done, with the tokens that it ends before
}

// at returns the run that contains i. A run ends before the payload of a JSON Web Token.
func (r *longRuns) at(i int) (lo, hi int) {
	if i >= r.end {
		r.done = RunStart(r.text, i, i-max(r.done, r.end), inRun)
		r.end = RunEnd(r.text, i, len(r.text), inRun)
	}
	if lo = r.done; r.end-lo < MinLong {
		r.done = r.end
		return lo, r.end
	}
	for from := lo; from < r.end; {
		n := bytes.Index(r.text[from:r.end], []byte(".ey"))
		if n < 0 {
			break
		}
		dot := from + n
		if from = dot + 1; AnyAt(r.text, RunStart(r.text, dot, dot-lo, Word|Dash), []string{"eyJ", "eyI"}) == 0 {
			continue // the text before is no header
		}
		if r.done = dot; dot > i {
			return lo, dot
		}
		lo = dot
	}
	r.done = r.end
	return lo, r.end
}

// next returns the first long run that begins within the bytes around the end of another, or zeros if there is none.
func (r *longRuns) next(at int) (lo, hi int) {
	for i := at; i < min(len(r.text), at+around); i++ {
		if !Is(r.text[i], inRun) {
			continue
		}
		if lo, hi = r.at(i); hi-lo >= MinLong && lo >= at {
			return lo, hi
		}
		i = max(i, hi-1)
	}
	return 0, 0
}

// longRegion is the place of a shortened text.
type longRegion struct {
	start int
	cuts  [][2]int // places in the shortened text, and the number of bytes left out there
}

func (d *longRegion) span(lo, hi int) (start, end int) {
	start, end = d.start+lo, d.start+hi
	for _, c := range d.cuts {
		if lo >= c[0] {
			start += c[1]
		}
		if hi > c[0] {
			end += c[1]
		}
	}
	return start, end
}
