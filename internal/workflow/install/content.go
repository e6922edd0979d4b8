package install

// item is one file of a plan.
type item interface {
	// base is the record of a file with nothing but the values of the plan.
	base() record
	// add returns the content with the additions of the plan. old is the manifest's record, or nil.
	add(cur content, old *record) (edited, error)
}

// content is the content of a file, if it exists.
type content struct {
	data   []byte
	exists bool
}

func (c content) equal(o content) bool {
	return c.exists == o.exists && string(c.data) == string(o.data)
}

// edited is the result of add.
type edited struct {
	content
	record record // the data needed to remove it again
	note   string // for the user, or ""
}
