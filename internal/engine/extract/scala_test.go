package extract

import (
	"strings"
	"testing"
)

// TestScalaWork reads an ordinary file with long lines. The grammar's scanner asks for
// the column of most tokens, for which the runtime goes back to the beginning of the
// line; the limits of a parse must allow for that.
func TestScalaWork(t *testing.T) {
	const member = "  /**\n   * Adds.\n   */\n  @inline final def additive[A](implicit ev: Group[A]): Group[A] =\n    ev.additive\n\n"
	src := "package p\n\nobject Group extends Functions[Group] {\n" + strings.Repeat(member, 150) + "}\n"
	facts := testExtractor(t).Extract("a.scala", "scala", []byte(src))
	if facts.Problem != "" || len(facts.Symbols) != 151 {
		t.Errorf("problem %q, %d symbols; want none and 151", facts.Problem, len(facts.Symbols))
	}
}

// TestScalaMissingName reads source in which the parser inserts names of no length.
func TestScalaMissingName(t *testing.T) {
	e := testExtractor(t)
	for _, src := range []string{"object A { x match { case => 1 } }", "object A { x match { case (a, ) | B( => 1; case y @ => 2; case : T => } }",
		"object A { for { <- xs; = 1 } yield 2; val = 1; val (a, , = 2 }", "object A { def = 1; class { val x: = } }"} {
		checkFacts(t, []byte(src), e.Extract("a.scala", "scala", []byte(src)))
	}
}
