package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

func cMiniature() miniature {
	return miniature{"c", []string{"compile_commands.json", "include/p/a.h", "include/p/b.h", "include/a.h", "src/a.c", "src/b.c", "src/a.h", "src/p/b.cc", "src/main.c", "src/a_test.c", "lib/c.hpp", "lib/c.cpp", "lib/a.h", "x/y/b.h",
		"src/t.inc", "a.h"}, cContent}
}

func cContent(rnd *rand.Rand, p string) string {
	if p == "compile_commands.json" {
		return pick(rnd, `[{"directory":"/w","file":"src/a.c","command":"cc -Ilib -c src/a.c"}]`, `[{"directory":"/w","file":"src/b.c","arguments":["cc","-Iinclude","-I","x/y"]},{"directory":"/w","file":"lib/c.cpp","command":"c++"}]`, `[]`)
	}
	cpp := !strings.HasSuffix(p, ".c") && rnd.IntN(2) == 0
	var b strings.Builder
	b.WriteString(some(rnd, 4, func() string {
		return pick(rnd, `#include "a.h"`, `#include "b.h"`, `#include "p/a.h"`, `#include <p/b.h>`, `#include "../lib/c.hpp"`, `#include "c.hpp"`, `#include <stdio.h>`, `#include "t.inc"`, `#include "lib/a.h"`, `#include <zlib.h>`, `#include "gone.h"`)
	}))
	t := func() string { return name(rnd, "T") }
	f := func() string { return fmt.Sprintf("f%d", rnd.IntN(4)) }
	b.WriteString(some(rnd, 6, func() string {
		if cpp {
			switch rnd.IntN(5) {
			case 0:
				return fmt.Sprintf("namespace n { class %s : public %s { public: void %s(); int x; }; }", t(), pick(rnd, t(), "n::"+t()), f())
			case 1:
				return fmt.Sprintf("void %s::%s() { %s(); this->%s(); n::%s(); }", t(), f(), f(), f(), f())
			}
		}
		switch rnd.IntN(9) {
		case 0:
			return fmt.Sprintf("struct %s { int x; struct %s *next; };", t(), t())
		case 1:
			return fmt.Sprintf("int %s(struct %s *p);", f(), t())
		case 2:
			return fmt.Sprintf("int %s(struct %s *p) { p->x = %s(p); return %d; }", f(), t(), f(), rnd.IntN(9))
		case 3:
			return fmt.Sprintf("#define M%d(a) %s(a)", rnd.IntN(3), f())
		case 4:
			return fmt.Sprintf("static void %s(void) { %s(0); M1(0); }", f(), f())
		case 5:
			return fmt.Sprintf("extern struct %s v%d;", t(), rnd.IntN(2))
		case 6:
			return fmt.Sprintf("typedef struct %s %s;", t(), t())
		case 7:
			return fmt.Sprintf("#ifdef A%d\nint %s(void) {\n#else\nint %s(int a) {\n#endif\n return 0; }", rnd.IntN(2), f(), f())
		}
		return fmt.Sprintf("%s v%d;", t(), rnd.IntN(2))
	}))
	return b.String()
}
