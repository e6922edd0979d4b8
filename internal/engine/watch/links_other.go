//go:build !unix

package watch

// HardLinked returns those of the files that have more than one name; on this system it finds none.
func HardLinked(string, []string) []string { return nil }
