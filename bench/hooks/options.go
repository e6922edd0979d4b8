package main

// options are the parts to run and their sizes.
type options struct {
	ken, work    string
	parts        []string
	trees        []int // their numbers of files
	runs         int
	short        bool
	busy         bool // processor time decides
	states, many int  // projects that start, hooks at once
	rounds       int  // of hooks at once
	settings     int  // settings files a scope
}
