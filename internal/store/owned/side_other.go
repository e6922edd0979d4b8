//go:build !unix

package owned

// planted would compare owners and modes, which say nothing here.
func planted(string) bool { return false }
