package extract

import "strings"

// isXMLDoc reports whether a comment is documentation of the declaration below it.
func isXMLDoc(s string) bool {
	return strings.HasPrefix(s, "///") && !strings.HasPrefix(s, "////") || isJavadoc(s)
}

// xmlDoc returns the text of a documentation comment without XML tags. An element that
// refers to a name (see cref, paramref) becomes that name, and the text of a param
// follows its name.
func xmlDoc(s string) string {
	if strings.IndexByte(s, '<') < 0 {
		return s
	}
	var b strings.Builder
	for s != "" {
		open := strings.IndexByte(s, '<')
		if open < 0 {
			break
		}
		end := strings.IndexByte(s[open:], '>')
		if end < 0 {
			break
		}
		b.WriteString(s[:open])
		b.WriteString(xmlTag(s[open+1 : open+end]))
		s = s[open+end+1:]
	}
	b.WriteString(s)
	return xmlLines(xmlEntities(b.String()))
}

// xmlTag returns the text that replaces a tag.
func xmlTag(tag string) string {
	name, attrs, _ := strings.Cut(tag, " ")
	switch name {
	case "param", "typeparam", "exception":
		return xmlAttribute(attrs) + ": "
	}
	if strings.HasSuffix(tag, "/") {
		return xmlAttribute(strings.TrimSuffix(attrs, "/"))
	}
	return ""
}

// xmlAttribute returns the value of the first attribute, a cref without its kind and
// parameters.
func xmlAttribute(attrs string) string {
	_, value, ok := strings.Cut(attrs, "=")
	if !ok || len(value) < 2 {
		return ""
	}
	value, _, _ = strings.Cut(value[1:], value[:1])
	if len(value) > 2 && value[1] == ':' {
		value = value[2:]
	}
	return value
}

func xmlEntities(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&").Replace(s)
}

// xmlLines trims lines and drops the empty ones at the ends of elements.
func xmlLines(s string) string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
