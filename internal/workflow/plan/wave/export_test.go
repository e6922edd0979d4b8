package wave

// Page returns the text of an answer about a run.
func Page(a *RunAnswer) string { return a.page() }
