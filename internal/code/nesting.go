package code

// Declarations can nest as deeply as a file is long, and each is kept with the names of
// all declarations around it, so that the index would grow with the square of the file's
// length. Code that people write is far below these bounds: in 88,000 files of fifty
// public repositories nesting is at most 7 deep, the names around a symbol have at most
// 254 bytes, and those around all symbols of a file 16 KiB and 0.4 of its bytes.
const (
	MaxNesting        = 16   // symbols around a symbol; deeper ones count as members of the last
	MaxContainer      = 1000 // bytes of the names around a symbol; beyond, it is kept without them
	containersBase    = 16 << 10
	containersPerByte = 1
)

// Containers counts the bytes that the names of enclosing declarations take in a file's facts.
type Containers int

// Take adds bytes to the count, and reports whether a file of size bytes may have so many.
func (c *Containers) Take(bytes, size int) bool {
	*c += Containers(bytes)
	return bytes <= MaxContainer && int(*c) <= containersBase+containersPerByte*size
}

// Under returns the qualified name of a symbol in a container, such as "Outer.name".
// It leaves the container out if Take does not allow its bytes.
func (c *Containers) Under(container, name string, size int) string {
	if container == "" || !c.Take(len(container), size) {
		return name
	}
	return container + "." + name
}

// BoundNesting changes the symbols of a file of size bytes so that they are within the
// bounds. Parents must come before their children.
func BoundNesting(symbols []Symbol, size int) {
	var spent Containers
	levels := make([]uint8, len(symbols))
	for i := range symbols {
		s := &symbols[i]
		container := s.Qualified[:max(0, len(s.Qualified)-len(s.Name)-1)]
		moved := false
		if s.Parent >= 0 {
			if moved = levels[s.Parent] == MaxNesting; moved {
				s.Parent = symbols[s.Parent].Parent
				container = symbols[s.Parent].Qualified
			}
			levels[i] = levels[s.Parent] + 1
		}
		switch {
		case container == "":
		case !spent.Take(len(container), size):
			s.Qualified = s.Name
		case moved:
			s.Qualified = container + "." + s.Name
		}
	}
}
