//go:build !linux

package main

import (
	"errors"
	"os/exec"
)

// terminal is a program in a terminal. It is known for Linux only.
type terminal struct{}

func startInTerminal(*exec.Cmd) (*terminal, error) {
	return nil, errors.New("a terminal can be made on Linux only")
}

func (*terminal) screen() string       { return "" }
func (*terminal) shows(...string) bool { return false }
func (*terminal) enter(string) error   { return nil }
func (*terminal) stop() error          { return nil }
