package install

// planItem is one file of a plan: a whole file, a block, lines or settings.
type planItem interface {
	// newRecord is the record of a file with nothing but the values of the plan.
	newRecord() record
	// addTo returns the content with the additions of the plan. old is the manifest's record, or nil.
	addTo(cur fileContent, old *record) (addResult, error)
}

// fileContent is the content of a file, if it exists.
type fileContent struct {
	data   []byte
	exists bool
}

func (c fileContent) equal(o fileContent) bool {
	return c.exists == o.exists && string(c.data) == string(o.data)
}

// addResult is a file's content after addTo, with the record of the additions.
type addResult struct {
	fileContent
	record record // the data needed to remove it again
	note   string // for the user, or ""
	text   []byte // of ken's, in a file that is its alone; nil if that stays as it is
	exec   bool   // the file is a program
	aside  []byte // the user's version that is replaced, nil if there is none
}
