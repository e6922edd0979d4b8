//go:build !unix

package process

import "os/exec"

// apart does nothing here: only the program itself is killed.
func apart(*exec.Cmd) {}

// detach does nothing here: programs outlive their parent.
func detach(*exec.Cmd) {}
