//go:build !unix

package git

import "os/exec"

// killGroup does nothing here, so that cancellation ends only git itself and not the programs that it started.
func killGroup(*exec.Cmd) {}
