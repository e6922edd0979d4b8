package std

import "strings"

// JavaMade returns the type that a function of a type of the standard library creates, "" if that is not known.
func JavaMade(typ, name string) string {
	switch {
	case name == "getClass":
		return "Class"
	case !strings.Contains(JavaMakers, " "+name+" "):
		return ""
	case typ != "Arrays" && typ != "Collections":
		return typ
	case strings.HasSuffix(name, "Map"):
		return "Map"
	case strings.HasSuffix(name, "Set") || name == "singleton":
		return "Set"
	}
	return "List"
}
