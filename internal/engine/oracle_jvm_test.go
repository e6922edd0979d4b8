package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// kotlinMiniature mixes Kotlin and Java: they share packages.
func kotlinMiniature() miniature {
	return miniature{"kotlin", []string{"src/main/kotlin/p/T1.kt", "src/main/kotlin/p/funs.kt", "src/main/kotlin/q/T2.kt", "src/main/java/p/T3.java", "src/main/java/q/T1.java",
		"src/test/kotlin/p/T1Test.kt", "other/flat.kt", "other/T4.kt", "x/T2.kts"}, kotlinContent}
}

func kotlinContent(rnd *rand.Rand, p string) string {
	if strings.HasSuffix(p, ".java") {
		return strings.ReplaceAll(javaContent(rnd, p), "p.q", "q") + pick(rnd, "", "class Extra { void m1() { FunsKt.f1(); T2.Companion.m1(); } }\n")
	}
	var b strings.Builder
	b.WriteString(pick(rnd, "", "package p\n", "package p\n", "package p\n", "package q\n", "package q\n", "package p.T1\n"))
	t := func() string { return pick(rnd, name(rnd, "T"), name(rnd, "T"), "p."+name(rnd, "T"), "In", "L1") }
	f := func() string { return fmt.Sprintf("f%d", 1+rnd.IntN(3)) }
	b.WriteString(some(rnd, 4, func() string {
		return "import " + pick(rnd, "p."+name(rnd, "T"), "q."+name(rnd, "T"), "p."+f(), "q."+f(), "p.*", "q.*", "p."+name(rnd, "T")+".m1", "p.T1.*", "q."+name(rnd, "T")+" as L1", "p.T1.Companion.m1", "java.util.List", "org.junit.Test", "p.T1.In")
	}))
	b.WriteString(some(rnd, 5, func() string {
		switch rnd.IntN(7) {
		case 0:
			return fmt.Sprintf("/** Class. */\nclass %s(val x: %s) : %s(x), %s {\n  fun m1() { x.m2(); %s(); m2() }\n  companion object {\n    fun m1() = %s()\n  }\n}", name(rnd, "T"), t(), t(), t(), f(), t())
		case 1:
			return fmt.Sprintf("interface %s : %s { fun m2(): %s }", name(rnd, "T"), t(), t())
		case 2:
			return fmt.Sprintf("object %s { fun m1() = %s.m1()\n class In }", name(rnd, "T"), t())
		case 3:
			return fmt.Sprintf("fun %s.%s(a: %s) { a.m1(); m2(); %s() }", t(), f(), t(), f())
		case 4:
			return fmt.Sprintf("fun %s() = %s().%s()", f(), t(), f())
		case 5:
			return fmt.Sprintf("enum class %s { A, B }\nval v%d = %s.A", name(rnd, "T"), rnd.IntN(3), t())
		}
		return fmt.Sprintf("typealias %s = %s\nfun broken( {", name(rnd, "T"), t())
	}))
	return b.String()
}

// scalaMiniature is of packages within packages, whose names need not be written whole.
func scalaMiniature() miniature {
	return miniature{"scala", []string{"src/main/scala/p/T1.scala", "src/main/scala/p/q/T2.scala", "src/main/scala/q/T2.scala", "src/main/scala/p/package.scala", "src/main/java/p/T3.java",
		"src/test/scala/p/T1Test.scala", "other/flat.scala", "other/T4.scala"}, scalaContent}
}

func scalaContent(rnd *rand.Rand, p string) string {
	if strings.HasSuffix(p, ".java") {
		return strings.ReplaceAll(javaContent(rnd, p), "p.q", "q")
	}
	var b strings.Builder
	b.WriteString(pick(rnd, "", "package p\n", "package p\n", "package p.q\n", "package p\npackage q\n", "package p\npackage q\n", "package q\n", "package p\npackage object q { def f1 = T1 }\n"))
	t := func() string {
		return pick(rnd, name(rnd, "T"), name(rnd, "T"), "p."+name(rnd, "T"), "q."+name(rnd, "T"), "low", "L1")
	}
	b.WriteString(some(rnd, 4, func() string {
		return "import " + pick(rnd, "p."+name(rnd, "T"), "q."+name(rnd, "T"), name(rnd, "T")+".m1", "q._", "p.q._", "_root_.q._", "p.{T1, T2 => L1, _}", "low._", "q.low._", "low.m1",
			"p.q.low", "_root_.p.T1", name(rnd, "T")+"._", "q, q.T2", "java.util.List", "org.scalatest.Suite", "p.q.*")
	}))
	b.WriteString(some(rnd, 5, func() string {
		switch rnd.IntN(6) {
		case 0:
			return fmt.Sprintf("/** Class. */\nclass %s(val x: %s) extends %s(x) with %s {\n  import x._\n  def m1 = { x.m2(); m2(); %s.m1 }\n}", name(rnd, "T"), t(), t(), t(), t())
		case 1:
			return fmt.Sprintf("trait %s extends %s { def m2: %s }", name(rnd, "T"), t(), t())
		case 2:
			return fmt.Sprintf("object %s { def m1 = %s.m1\n class In }", pick(rnd, name(rnd, "T"), "low"), t())
		case 3:
			return fmt.Sprintf("package q {\n  import %s\n  class %s { def m1: %s = new %s }\n}", pick(rnd, "low._", "q.T1", "T2.m1"), name(rnd, "T"), t(), t())
		case 4:
			return fmt.Sprintf("enum %s { case A, B }\nval v%d = %s.A", name(rnd, "T"), rnd.IntN(3), t())
		}
		return fmt.Sprintf("type %s = %s\ndef broken( {", name(rnd, "T"), t())
	}))
	return b.String()
}
