package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// swiftMiniature is two packages of SwiftPM and a directory outside of both.
func swiftMiniature() miniature {
	return miniature{"swift", []string{"Package.swift", "Sources/A/a1.swift", "Sources/A/x/a2.swift", "Sources/B/b.swift", "Tests/ATests/t.swift", "Source/c.swift", "Source/x/d.swift",
		"top.swift", "lib/Package.swift", "lib/Sources/B/b.swift", "lib/Sources/L/l.swift"}, swiftContent}
}

func swiftContent(rnd *rand.Rand, p string) string {
	if strings.HasSuffix(p, "Package.swift") {
		return pick(rnd, "let package = Package(name: \"A\")\n", "let p = [.target(name: \"C\", path: \"Source\"), .target(name: \"A\")]\n", "let p = [.target(name: \"C\", path: \"Source/x\")]\n", "// nothing\n")
	}
	t := func() string { return pick(rnd, name(rnd, "T"), name(rnd, "T"), "T1.In", "A.T1") }
	f := func() string { return fmt.Sprintf("f%d", 1+rnd.IntN(3)) }
	var b strings.Builder
	b.WriteString(some(rnd, 3, func() string {
		return "import " + pick(rnd, "A", "B", "C", "L", "Foundation", "NIO", "struct A.T1", "Source")
	}))
	b.WriteString(some(rnd, 5, func() string {
		switch rnd.IntN(7) {
		case 0:
			return fmt.Sprintf("/// A class.\nclass %s: %s, %s {\n  let x: %s\n  func m1() { x.m2(); %s(); self.m1(); %s().m1() }\n  struct In {}\n}", name(rnd, "T"), t(), t(), t(), f(), t())
		case 1:
			return fmt.Sprintf("extension %s: %s { func m2() { m1() } }", t(), t())
		case 2:
			return fmt.Sprintf("protocol %s: %s { func m1() }", name(rnd, "T"), t())
		case 3:
			return fmt.Sprintf("func %s(_ a: %s) { a.m1(); %s(%s()) }", f(), t(), f(), t())
		case 4:
			return fmt.Sprintf("enum %s { case a, b(%s) }", name(rnd, "T"), t())
		case 5:
			return fmt.Sprintf("private struct %s { static let y = %s.y }", name(rnd, "T"), t())
		}
		return fmt.Sprintf("typealias %s = %s", name(rnd, "T"), t())
	}))
	return b.String()
}
