package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// defines are the ends of names of PHP constants that hold secrets, and the shapes of their values.
var defines = [...]struct {
	suffix string
	shape  look.Property
}{
	{"PASSWORD", look.Login}, {"PASS", look.Login}, {"PASSWD", look.Login}, {"PWD", look.Login}, {"PASSPHRASE", look.Login},
	{"_KEY", look.ApplicationKey}, {"_SALT", look.ApplicationKey}, {"_SECRET", look.ApplicationKey}, {"_TOKEN", look.ApplicationKey},
}

// scanDefine finds the keys, salts and passwords of PHP's define('NAME', 'value'), as WordPress keeps them. They may contain any mark,
// and blanks.
func scanDefine(text []byte, _, hi int) (int, int, bool) {
	i := look.SkipBlank(text, hi)
	if !look.IsAt(text, i, look.Quote) {
		return 0, 0, false
	}
	end := look.RunEnd(text, i+1, maxName, look.Name)
	name := bytes.ToUpper(text[i+1 : end])
	if i = look.SkipBlank(text, end+1); look.At(text, i) != ',' {
		return 0, 0, false
	}
	var a assignment
	if !a.readQuoted(text, look.SkipBlank(text, i+1)) {
		return 0, 0, false
	}
	v := look.New(text[a.start:a.end], true)
	for _, d := range defines {
		if bytes.HasSuffix(name, []byte(d.suffix)) {
			return a.start, a.end, v.Has(d.shape)
		}
	}
	return 0, 0, false
}
