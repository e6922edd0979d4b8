//go:build !unix

package git

import "os/exec"

// killGroup leaves cancellation to exec: only git itself is ended.
func killGroup(*exec.Cmd) {}
