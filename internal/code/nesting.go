package code

// Declarations can nest as deeply as a file is long, and each is kept with the names of
// all around it, so that what a file adds to the index would grow with the square of its
// length. Code that people write is far below these bounds: in 88,000 files of fifty
// public repositories nesting is at most 7 deep, the names around a symbol have at most
// 254 bytes, and those around all symbols of a file 16 KiB and 0.4 of its bytes.
const (
	MaxNesting        = 16   // symbols around a symbol; deeper ones count as members of the last
	MaxContainer      = 1000 // bytes of the names around a symbol; beyond, it is kept without them
	containersBase    = 16 << 10
	containersPerByte = 1
)

// Containers counts the bytes of names that a file's facts keep around something.
type Containers int

// Take counts so many, and reports whether a file of a size may have them.
func (c *Containers) Take(bytes, size int) bool {
	*c += Containers(bytes)
	return bytes <= MaxContainer && int(*c) <= containersBase+containersPerByte*size
}

// Under is the qualified name of a symbol in a container, without the container if the
// names in a file of a size repeat too much.
func (c *Containers) Under(container, name string, size int) string {
	if container == "" || !c.Take(len(container), size) {
		return name
	}
	return container + "." + name
}

// BoundNesting holds the symbols of a file of so many bytes to the bounds, whichever
// way they were found. Parents come before their children.
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
