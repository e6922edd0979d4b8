package main

// options are the parts to run and their sizes.
type options struct {
	ken, work    string
	parts        []string
	trees        []int
	runs         int
	seed         uint64
	short        bool
	busy         bool // processor time decides
	states, many int  // projects that start, hooks at once
	rounds       int  // of hooks at once
	settings     int  // settings files a scope
}

// minTree is how many files a tree has at least, so that there is one of 500 lines.
const minTree = 200
