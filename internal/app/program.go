package app

import (
	"io"
)

// Program is one run of ken.
type Program struct {
	Self           string   // path of the running program, to start it in the background; "" if it must not be started
	Args           []string // without the program's name
	Getenv         func(string) string
	Dir            string // absolute working directory
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Heap           *Collector // of the process; may be nil
}
