package install

// item is one file of a plan.
type item interface {
	// base is the record of a file that nothing is known of but what the plan says.
	base() record
	// add is the content with what the plan wants. old is what the manifest knows, nil
	// if nothing.
	add(cur content, old *record) (edited, error)
}

// content is what a file holds, if it is there.
type content struct {
	data   []byte
	exists bool
}

func (c content) equal(o content) bool {
	return c.exists == o.exists && string(c.data) == string(o.data)
}

// edited is what add made.
type edited struct {
	content
	record record // what is to be known to take it out
	note   string // for the user, "" if there is nothing to say
}
