package bind

// Definition finds the definition that is a symbol of a file, for bindings that
// were not guessed but are known.
func (b *Binder) Definition(file int64, ord int32) (int, bool) {
	for _, i := range b.byFile[file] {
		if b.defs[i].Ord == ord {
			return i, true
		}
	}
	return 0, false
}
