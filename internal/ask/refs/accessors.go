package refs

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/lang"
)

// Properties and their accessors on the JVM: Java calls getName() for the property name of Kotlin, Kotlin writes name for the getName()
// of Java, and Lombok makes getName() for the field name. Such a use has another name than the declaration.
// Source: the Kotlin documentation, "Calling Java from Kotlin" and "Calling Kotlin from Java"; the Lombok documentation, @Getter and @With.

// accessor is another name of a declaration in the files of a language.
type accessor struct {
	name string
	lang code.Lang
}

// accessors returns the other names of a declaration. generated is set if a library makes accessors for the fields of its file.
func accessors(d *graph.Def, generated bool) (out []accessor) {
	traits := lang.Of(d.File.Lang)
	isProperty := d.Kind == code.KindField || d.Kind == code.KindVariable && d.Container == ""
	switch {
	case isProperty && generated:
		x := capital(d.Name)
		out = append(out, accessor{d.Name, d.File.Lang}) // of a builder
		for _, prefix := range []string{"get", "set", "is", "with"} {
			out = append(out, accessor{prefix + x, d.File.Lang})
		}
		if s, ok := strings.CutPrefix(x, "Is"); ok && s != "" { // of a boolean field isOpen: isOpen, setOpen
			out = append(out, accessor{"set" + s, d.File.Lang}, accessor{"is" + s, d.File.Lang})
		}
	case isProperty && traits.PropertyAccessors != "" && !strings.Contains(d.Signature, "private "):
		if s, ok := strings.CutPrefix(d.Name, "is"); ok && capital(s) == s && s != "" {
			return []accessor{{"set" + s, traits.PropertyAccessors}}
		}
		x := capital(d.Name)
		return []accessor{{"get" + x, traits.PropertyAccessors}, {"set" + x, traits.PropertyAccessors}}
	case d.Kind == code.KindMethod && traits.AccessorProperties != "" && !strings.Contains(d.Signature, "static "):
		for _, p := range kotlinProperties(d.Name) {
			out = append(out, accessor{p, traits.AccessorProperties})
		}
	}
	return out
}

// declaredAs returns the names of declarations that a name may mean as an accessor, the reverse of accessors; nil in a language in which
// no declaration has another name.
func declaredAs(l code.Lang, name string) (out []string) {
	if lang.Of(l).AccessorLibrary != "" {
		for _, prefix := range []string{"get", "set", "is", "with"} {
			if s, ok := strings.CutPrefix(name, prefix); ok && s != "" && s == capital(s) {
				first, n := utf8.DecodeRuneInString(s)
				out = append(out, string(unicode.ToLower(first))+s[n:], "is"+s, s)
			}
		}
	}
	if lang.Of(l).PropertyAccessors != "" {
		words := capital(name)
		n := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLower(r) })
		if n < 0 {
			n = len(name)
		}
		out = append(out, "get"+words, "set"+words, "set"+strings.TrimPrefix(name, "is"))
		if caps := strings.ToUpper(name[:n]) + name[n:]; caps != words {
			out = append(out, "get"+caps, "set"+caps)
		}
	}
	return out
}

// capital returns a name with its first letter in upper case.
func capital(name string) string {
	first, n := utf8.DecodeRuneInString(name)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + name[n:]
}

// kotlinProperties returns the properties as which Kotlin has a method of Java: url for getURL, name for getName and setName, isOpen, too,
// for setOpen. The property of isOpen has its name.
func kotlinProperties(method string) []string {
	for _, prefix := range []string{"get", "set"} {
		s, ok := strings.CutPrefix(method, prefix)
		if !ok || s == "" || s != capital(s) {
			continue
		}
		n := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsUpper(r) })
		switch {
		case n < 0:
			n = len(s)
		case n > 1:
			n-- // the last capital begins the next word
		}
		list := []string{strings.ToLower(s[:n]) + s[n:]}
		if prefix == "set" {
			list = append(list, "is"+s)
		}
		return list
	}
	return nil
}
