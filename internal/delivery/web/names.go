package web

import (
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"

	"ken/internal/operation"
)

// text is a text out of the repository. A page shows it with control characters and the like spelled out; string(t) is the text itself,
// for links.
type text string

// String returns the text as it is shown.
func (t text) String() string { return operation.Escape(string(t)) }

// line is a line of source, in which tabs stay.
type line string

// String returns the line as it is shown.
func (l line) String() string { return operation.EscapeLine(string(l)) }

// link returns the address of a view with arguments: link "file" "path" P.
func link(view string, pairs ...any) string {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		value := ""
		switch x := pairs[i+1].(type) {
		case text:
			value = string(x)
		default:
			value = fmt.Sprint(x)
		}
		if value != "" {
			v.Set(fmt.Sprint(pairs[i]), value)
		}
	}
	if len(v) == 0 {
		return "./" + view
	}
	return "./" + view + "?" + v.Encode()
}

// pairs makes a map of names and values, for a template that has several.
func pairs(list ...any) map[string]any {
	out := map[string]any{}
	for i := 0; i+1 < len(list); i += 2 {
		out[fmt.Sprint(list[i])] = list[i+1]
	}
	return out
}

// shortNumber writes a number in at most three characters.
func shortNumber(n int) string {
	if n > 999 {
		return strconv.Itoa(n/1000) + "k"
	}
	return strconv.Itoa(n)
}

func base(p any) text { return text(path.Base(asString(p))) }

func dir(p any) text { return text(path.Dir(asString(p))) }

func asString(v any) string {
	if t, ok := v.(text); ok {
		return string(t)
	}
	return fmt.Sprint(v)
}

func toInt(n any) int {
	switch v := n.(type) {
	case int64:
		return int(v)
	case int:
		return v
	}
	return 0
}

func percent(part, whole any) string {
	if toInt(whole) == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(toInt(part))/float64(toInt(whole)))
}

// dateOnly returns the day of a time.
func dateOnly(t text) text {
	day, _, _ := strings.Cut(string(t), "T")
	return text(day)
}

// tierName has a letter for a confidence, because colour alone is no sign.
type tierName struct{ Class, Letter, Name, Help string }

// tier describes how sure something is.
func tier(confidence any) tierName {
	name := asString(confidence)
	switch name {
	case "exact":
		return tierName{"exact", "E", name, "exact: a type checker or the scope of the name proves it"}
	case "import-resolved":
		return tierName{"import", "I", name, "import-resolved: imports lead to this declaration"}
	case "unique-name":
		return tierName{"unique", "U", name, "unique-name: only one declaration has this name"}
	case "ambiguous":
		return tierName{"ambiguous", "A", name, "ambiguous: several declarations could be meant"}
	}
	return tierName{"other", "·", operation.Escape(name), operation.Escape(name)}
}
