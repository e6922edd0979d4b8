package extract

import (
	"strings"
	"testing"
	"time"

	"ken/internal/code"
)

// TestRubyHostile reads source made to cost more than its length: nesting, long
// chains and long names, each at two sizes.
func TestRubyHostile(t *testing.T) {
	e := testExtractor(t)
	long := strings.Repeat("Q", 900)
	for name, make := range map[string]func(n int) string{
		"nested classes":   func(n int) string { return strings.Repeat("class A\n def a; B; c end\n", n/24) },
		"nested long":      func(n int) string { return strings.Repeat("class "+long+"\n", 40) + strings.Repeat("B;C::D;e\n", n/9) },
		"constant chain":   func(n int) string { return "A" + strings.Repeat("::A", n/3) },
		"call chain":       func(n int) string { return "a" + strings.Repeat(".a", n/2) },
		"new chain":        func(n int) string { return "A" + strings.Repeat(".new", n/4) },
		"private chain":    func(n int) string { return strings.Repeat("private ", n/8) + "def a; end" },
		"visibility":       func(n int) string { return "class A\n" + strings.Repeat("private :a, [[:b]]\n", n/19) },
		"parameters":       func(n int) string { return "def a(" + strings.Repeat("a = (b), ", n/9) + "z) end" },
		"nested defaults":  func(n int) string { return strings.Repeat("def a(b = (", n/11) },
		"patterns":         func(n int) string { return strings.Repeat("case a; in ^(", n/13) },
		"comments":         func(n int) string { return strings.Repeat("# c\n", n/8) + strings.Repeat("def a;end\n", n/20) },
		"blocks":           func(n int) string { return strings.Repeat("a { |b| b.c = ", n/14) },
		"heredocs":         func(n int) string { return strings.Repeat("a <<~A, <<~A\n#{b}\nA\n", n/20) },
		"struct members":   func(n int) string { return "A = Struct.new(" + strings.Repeat(":a, ", n/4) + ":b)" },
		"unclosed strings": func(n int) string { return strings.Repeat("\"#{", n/3) },
		"masgn":            func(n int) string { return "class A\n" + strings.Repeat("A, ", n/3) + "B = 1" },
		"requires":         func(n int) string { return strings.Repeat("require File.join(__dir__, 'a', 'b')\n", n/36) },
	} {
		size := 200_000
		src := []byte(make(size))
		var facts *code.Facts
		took := effort(func() { facts = e.Extract("a.rb", "ruby", src) })
		checkFacts(t, src, facts)
		if took > 4*time.Second {
			t.Errorf("%s: %v for %d bytes", name, took, len(src))
		}
		t.Logf("%s: %v, %d symbols, %d refs %s", name, took.Round(time.Millisecond), len(facts.Symbols), len(facts.Refs), facts.Problem)
	}
}

// TestRubyGuard reads source that made the grammar's scanner abort the process or write
// past its buffer: words of here-documents that are too long, and too many of them.
func TestRubyGuard(t *testing.T) {
	e := testExtractor(t)
	long := strings.Repeat("A", 300)
	for _, src := range []string{
		"<<" + long + "\n#{1}\n" + long + "\ndef f; end\n",
		"<<~'" + long + " x'\n#{1}\n" + long + "\ndef f; end\n",
		strings.Repeat("a <<"+strings.Repeat("B", 250)+", ", 8) + "\n",
		strings.Repeat("<<"+strings.Repeat("C", 100)+"\n#{\n", 40),
		strings.Repeat("<<''\n#{", 400),
		strings.Repeat("%w[#{", 300) + "<<" + long,
	} {
		for n := range 4 { // around the size of the buffer
			facts := e.Extract("a.rb", "ruby", []byte("x = <<"+strings.Repeat("D", 250+n)+"; "+src))
			checkFacts(t, []byte("x = <<"+strings.Repeat("D", 250+n)+"; "+src), facts)
		}
	}
	if facts := e.Extract("a.rb", "ruby", []byte("x = <<~A\n  #{y}\nA\ndef f; end\n")); len(facts.Symbols) != 1 || facts.ErrorBytes > 0 {
		t.Errorf("an ordinary here-document: %+v", facts)
	}
}
