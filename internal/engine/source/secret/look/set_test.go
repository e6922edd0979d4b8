package look

import (
	"testing"
)

// TestSets holds members of each set, and bytes beside them that are none.
func TestSets(t *testing.T) {
	for _, c := range []struct {
		name     string
		set      Set
		yes, not string
	}{
		{"Letter", Letter, "azAZ", "`{@[09_ "},
		{"Alnum", Alnum, "azAZ09", "`{@[/:_"},
		{"Hex", Hex, "09afAF", "gG`@:/"},
		{"Name", Name, "azAZ09_-.", "~+/ :"},
		{"Token", Token, "aZ9_-.~", "+/= "},
		{"Base64", Base64, "aZ9+/=", "-_. "},
		{"Key", Key, "aZ9_-+/=.~!@#$%^&*:?|", " \"'`,;<>()[]{}\\"},
		{"Join", Join, "-.", "_~"},
		{"Blank", Blank, " \t", "\n\r\x00"},
		{"Line", Line, "\n\r", " \t"},
		{"Space", Space, "\x00\t\n\r \x1f", "!\x7f"},
		{"Print", Print, " !~az", "\x1f\x7f\x80\n"},
		{"Quote", Quote, "\"'`", "\\´"},
		{"Close", Close, ")]}", "([{>"},
		{"BareEnd", BareEnd, "\"'`,;<>)}]|&", "([{:= "},
		{"Vowel", Vowel, "aeiouyAEIOUY", "bwBW"},
		{"Base32Digit", Base32Digit, "27", "1890a"},
		{"Mask", Mask, "xX*", "yY+#"},
		{"Bound", Bound, " \n\x00\"'`\\&;", "|,:"},
		{"Splice", Splice, " \t\r\n+.\\&", ",-"},
		{"URLEnd", URLEnd, "\"'`<>\\(),", "/:@"},
	} {
		for _, b := range []byte(c.yes) {
			if !Is(b, c.set) {
				t.Errorf("%s lacks %q", c.name, b)
			}
		}
		for _, b := range []byte(c.not) {
			if Is(b, c.set) {
				t.Errorf("%s has %q", c.name, b)
			}
		}
	}
}

// TestSearch looks from a place in a text, with and without reaching a bound.
func TestSearch(t *testing.T) {
	text := []byte("one  two\n\tthree=4")
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"run to its end", RunEnd(text, 0, 9, Lower), 3},
		{"run to the bound", RunEnd(text, 0, 2, Lower), 2},
		{"run to the end of the text", RunEnd(text, 16, 9, Digit), 17},
		{"no run", RunEnd(text, 3, 9, Lower), 3},
		{"run behind the text", RunEnd(text, 20, 9, Lower), 20},
		{"run back", RunStart(text, 15, 9, Lower), 10},
		{"run back to the bound", RunStart(text, 15, 2, Lower), 13},
		{"run back to the beginning", RunStart(text, 3, 9, Lower), 0},
		{"no run back", RunStart(text, 4, 9, Lower), 4},
		{"blanks", SkipBlank(text, 3), 5},
		{"blanks at a line's end", SkipBlank(text, 8), 8},
		{"blanks and line ends", SkipSpace(text, 8), 10},
		{"line start", LineStart(text, 12, 99), 9},
		{"line start, bound", LineStart(text, 12, 2), 10},
		{"line start of the first line", LineStart(text, 4, 99), 0},
		{"line end", LineEnd(text, 2, 99), 8},
		{"line end, bound", LineEnd(text, 2, 3), 5},
		{"line end of the last line", LineEnd(text, 12, 99), 17},
		{"one of two", FindAny(text, 0, 99, "=w"), 6},
		{"none", FindAny(text, 0, 99, "#"), 17},
		{"none within the bound", FindAny(text, 0, 6, "w"), 6},
		{"behind the text", FindAny(text, 30, 6, "w"), 30},
		{"first of a list", AnyAt(text, 5, []string{"tw", "two"}), 2},
		{"none of a list", AnyAt(text, 5, []string{"one", "twos"}), 0},
		{"clipped at both ends", len(Clip(text, -5, 99)), 17},
		{"clipped behind the text", len(Clip(text, 30, 40)), 0},
		{"clipped to nothing", len(Clip(text, 5, 3)), 0},
		{"byte", int(At(text, 15)), '='},
		{"byte before the text", int(At(text, -1)), 0},
		{"byte behind the text", int(At(text, 17)), 0},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, not %d", c.what, c.got, c.want)
		}
	}
	for _, c := range []struct {
		what      string
		got, want bool
	}{
		{"in a set", IsAt(text, 16, Digit), true},
		{"not in a set", IsAt(text, 16, Lower), false},
		{"before the text", IsAt(text, -1, Space), false},
		{"behind the text", IsAt(text, 17, Space), false},
		{"goes on", HasAt(text, 10, "three"), true},
		{"goes on otherwise", HasAt(text, 10, "threw"), false},
		{"goes on behind the text", HasAt(text, 15, "=4 "), false},
		{"all", All([]byte("abc"), Lower), true},
		{"not all", All([]byte("abC"), Lower), false},
		{"all of nothing", All(nil, Lower), true},
		{"end of a line", EndsLine(text, 8), true},
		{"blanks before the end of a line", EndsLine([]byte("a \t\r"), 1), true},
		{"end of the text", EndsLine(text, 17), true},
		{"within a line", EndsLine(text, 3), false},
		{"one of", IsIn('b', "abc"), true},
		{"none of", IsIn('d', "abc"), false},
		{"equal but for case", EqualFold([]byte("tHree"), "three"), true},
		{"longer", EqualFold([]byte("threes"), "three"), false},
		{"other", EqualFold([]byte("threE"), "thred"), false},
		{"in it", Contains(text, "two"), true},
		{"not in it", Contains(text, "Two"), false},
		{"one in it", ContainsAny(text, []string{"six", "two"}), true},
		{"none in it", ContainsAny(text, []string{"six"}), false},
		{"in it but for case", ContainsAnyFold([]byte("xTWOx"), []string{"two"}), true},
		{"in it, too far on", ContainsAnyFold([]byte("0123456789012345678901234567890123456789two"), []string{"two"}), false},
		{"listed but for case", EqualsAnyFold([]byte("Two"), []string{"one", "two"}), true},
		{"not listed", EqualsAnyFold([]byte("tw"), []string{"one", "two"}), false},
		{"listed exactly", EqualsAny([]byte("two"), []string{"one", "two"}), true},
		{"listed in another case", EqualsAny([]byte("Two"), []string{"one", "two"}), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, not %v", c.what, c.got, c.want)
		}
	}
	if got := Fold(make([]byte, 3), []byte("AbCd")); string(got) != "abc" {
		t.Errorf("folded to %q", got)
	}
	if got := ToLower('É' & 0xff); got != 'É'&0xff {
		t.Errorf("a byte that is no ASCII became %q", got)
	}
}
