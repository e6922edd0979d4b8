// Package phaseid reads and compares phase numbers: 1, 01, 2.1, 3A, 12A.1.2, a number after a project code (CK-01), and names in
// the place of a number (LONGPROJECT-1, AUTH). It also reads them from the names of folders and files.
package phaseid

import (
	"cmp"
	"strconv"
	"strings"
)

// ID is a phase number. The zero value is no number.
type ID struct {
	Code     string // the project code before the number: "CK" of CK-01
	Digits   string // as written, with leading zeros
	Letter   string // as written
	Decimals []string
	Custom   string // a name instead of a number
}

// Parse reads a phase number. It returns false if s as a whole is not one. A text without a digit in the place of the number is a
// custom name.
func Parse(s string) (ID, bool) {
	s = strings.TrimSpace(s)
	id, rest := parsePrefix(s)
	if id.Digits != "" && rest == "" {
		return id, true
	}
	if !isCustom(s) {
		return ID{}, false
	}
	return ID{Custom: s}, true
}

// parsePrefix reads a phase number at the beginning of s and returns the text after it.
func parsePrefix(s string) (id ID, rest string) {
	if code, after, ok := strings.Cut(s, "-"); ok && after != "" && isDigit(after[0]) {
		switch {
		case code != "" && len(code) <= 6 && strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "": // a project code
			id.Code, s = code, after
		case strings.EqualFold(code, "phase"):
			s = after
		}
	}
	id.Digits, s = cutDigits(s)
	if id.Digits == "" {
		return ID{}, s
	}
	if s != "" && isLetter(s[0]) && (len(s) == 1 || !isWord(s[1])) {
		id.Letter, s = s[:1], s[1:]
	}
	for len(s) > 1 && s[0] == '.' && isDigit(s[1]) {
		var d string
		d, s = cutDigits(s[1:])
		id.Decimals = append(id.Decimals, d)
	}
	return id, s
}

func cutDigits(s string) (number, rest string) {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return s[:n], s[n:]
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) }

// isCustom reports whether s can be a custom phase name: LONGPROJECT-1, AUTH. A name begins with a letter and has a digit or is all
// capitals, so that an ordinary word is not one.
func isCustom(s string) bool {
	if s == "" || len(s) > 40 || !isLetter(s[0]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && !isDigit(c) && strings.IndexByte("-_.", c) < 0 {
			return false
		}
	}
	return strings.ContainsAny(s, "0123456789") || strings.ToUpper(s) == s
}

// IsNone reports whether id has neither a number nor a name.
func (id ID) IsNone() bool { return id.Digits == "" && id.Custom == "" }

// String returns the number as written.
func (id ID) String() string {
	if id.Custom != "" {
		return id.Custom
	}
	s := id.Number()
	if id.Code != "" {
		s = id.Code + "-" + s
	}
	return s
}

// Number returns the number as written, without the project code.
func (id ID) Number() string {
	if id.Custom != "" {
		return id.Custom
	}
	s := id.Digits + id.Letter
	for _, d := range id.Decimals {
		s += "." + d
	}
	return s
}

// PaddedNumber returns the number in the form of the names of folders and files: with at least two digits before the letter and decimals.
func (id ID) PaddedNumber() string {
	if len(id.Digits) == 1 {
		return "0" + id.Number()
	}
	return id.Number()
}

// Key returns a text that is equal for all spellings of a phase number: without project code and leading zeros, in lower case.
func (id ID) Key() string {
	if id.Custom != "" {
		return strings.ToLower(id.Custom)
	}
	s := trimZeros(id.Digits) + strings.ToLower(id.Letter)
	for _, d := range id.Decimals {
		s += "." + trimZeros(d)
	}
	return s
}

func trimZeros(s string) string {
	if s = strings.TrimLeft(s, "0"); s == "" {
		return "0"
	}
	return s
}

// IsBacklog reports whether the phase belongs to the backlog: 999 and its decimals, which are left out of all counts.
func (id ID) IsBacklog() bool { return id.Custom == "" && trimZeros(id.Digits) == "999" }

// IsDecimal reports whether the number has decimals, as 2.1 of a phase that was inserted after phase 2.
func (id ID) IsDecimal() bool { return len(id.Decimals) > 0 }

// Base returns the number without its decimals: 2 for 2.1 and for 2.1.3.
func (id ID) Base() ID {
	return ID{Code: id.Code, Digits: id.Digits, Letter: id.Letter, Custom: id.Custom}
}

// Compare compares phase numbers: 3 comes before 3A, 3A before 3B, and decimals are compared as numbers. Custom names come after all
// numbers.
func Compare(a, b ID) int {
	if a.Custom != "" || b.Custom != "" {
		if c := cmp.Compare(min(len(a.Custom), 1), min(len(b.Custom), 1)); c != 0 {
			return c
		}
		return cmp.Compare(a.Key(), b.Key())
	}
	if c := compareNumbers(a.Digits, b.Digits); c != 0 {
		return c
	}
	if c := cmp.Compare(strings.ToLower(a.Letter), strings.ToLower(b.Letter)); c != 0 {
		return c
	}
	for i := range min(len(a.Decimals), len(b.Decimals)) {
		if c := compareNumbers(a.Decimals[i], b.Decimals[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a.Decimals), len(b.Decimals))
}

// compareNumbers compares two texts of digits by their values, even if these are too large for an int.
func compareNumbers(a, b string) int {
	a, b = trimZeros(a), trimZeros(b)
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

// Same reports whether two ids mean the same phase.
func Same(a, b ID) bool { return a.Key() == b.Key() }

// ParseFolder reads the name of a phase folder: 01-setup, CK-01-setup, 02.1-fix, PROJ-42-login, or a number alone. The slug is the text
// after the number. It returns false for a name without a number.
func ParseFolder(name string) (id ID, slug string, ok bool) {
	id, rest := parsePrefix(name)
	if id.Digits != "" && (rest == "" || rest[0] == '-' || rest[0] == '_') {
		return id, strings.TrimLeft(rest, "-_"), true
	}
	// In LONGPROJECT-1-login the custom name ends before the first part in lower case.
	parts := strings.Split(name, "-")
	n := 0
	for n < len(parts) && isUpper(parts[n]) {
		n++
	}
	custom := strings.Join(parts[:n], "-")
	if n == 0 || !isCustom(custom) || !strings.ContainsAny(custom, "0123456789") {
		return ID{}, "", false
	}
	return ID{Custom: custom}, strings.Join(parts[n:], "-"), true
}

func isUpper(s string) bool {
	return s != "" && s == strings.ToUpper(s) && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// Slug returns s in the form of a part of a file name, at most most bytes long: in lower case, with one dash in the place of each run
// of characters other than ASCII letters and digits, and without a dash at either end.
func Slug(s string, most int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() > most {
			break
		}
	}
	s = b.String()
	return strings.TrimRight(s[:min(len(s), most)], "-")
}

// FolderName returns the name of the folder of a phase: the code of the project, if it has one, the padded number and the slug of the name.
func FolderName(code, number, slug string) string {
	if code != "" {
		number = code + "-" + number
	}
	return number + "-" + slug
}

// NextNumber returns the number after the largest in list. It ignores the backlog and custom names.
func NextNumber(list []ID) ID {
	most := 0
	for _, id := range list {
		if n, err := strconv.Atoi(id.Digits); err == nil && !id.IsBacklog() {
			most = max(most, n)
		}
	}
	return ID{Digits: strconv.Itoa(most + 1)}
}

// NextDecimal returns the number for a phase to insert after base: the one after its largest decimal in list, such as 2.3 after 2.1
// and 2.2. It fills no gap, because commits and notes may contain a number that was used before.
func NextDecimal(base ID, list []ID) ID {
	most := 0
	for _, id := range list {
		if len(id.Decimals) == len(base.Decimals)+1 && strings.HasPrefix(id.Key(), base.Key()+".") {
			if n, err := strconv.Atoi(id.Decimals[len(base.Decimals)]); err == nil {
				most = max(most, n)
			}
		}
	}
	base.Decimals = append(base.Decimals[:len(base.Decimals):len(base.Decimals)], strconv.Itoa(most+1))
	return base
}
