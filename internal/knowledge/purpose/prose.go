package purpose

// SameName reports whether names are equal without regard to the style of a language: DataSource, data_source and
// data-source are.
func SameName(a, b string) bool {
	mark := func(c byte) bool { return c == '_' || c == '-' || c == '.' }
	i, j := 0, 0
	for {
		for i < len(a) && mark(a[i]) {
			i++
		}
		for j < len(b) && mark(b[j]) {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if lowerByte(a[i]) != lowerByte(b[j]) {
			return false
		}
		i, j = i+1, j+1
	}
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
