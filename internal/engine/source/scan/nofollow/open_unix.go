//go:build unix && !linux

package nofollow

// openBeneath opens path below dir without following a link in any element.
func openBeneath(dir int, path string, flags int) (int, error) { return openSteps(dir, path, flags) }
