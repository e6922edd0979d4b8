package engine_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
)

// rubyMiniature returns a gem with tests, a part of a Rails application and a second
// gem whose gemspec comes and goes.
func rubyMiniature() miniature {
	return miniature{"ruby", []string{"g.gemspec", "two/two.gemspec", "lib/c1.rb", "lib/c1/c2.rb", "lib/c1/c2/c3.rb", "lib/c2.rb", "test/helper.rb", "test/c1_test.rb", "test/c2.rb",
		"app/models/c3.rb", "app/models/concerns/c4.rb", "app/controllers/c1/c3.rb", "two/lib/c4.rb", "two/ext/c1.rb", "two/lib/c1/c4.rb", "tool"}, rubyContent}
}

func rubyContent(rnd *rand.Rand, p string) string {
	switch {
	case path.Ext(p) == ".gemspec":
		return pick(rnd, "s.name = 'g'\n", "s.require_paths = ['lib', 'ext']\n", "s.require_path = 'ext'\n")
	case p == "tool":
		return pick(rnd, "#!/usr/bin/env ruby\nrequire 'c1'\n", "#!/bin/sh\necho\n", "plain\n")
	}
	constant := func() string { return strings.Join([]string{name(rnd, "C"), name(rnd, "C")}[rnd.IntN(2):], "::") }
	var b strings.Builder
	b.WriteString(some(rnd, 3, func() string {
		return pick(rnd, "require 'c1'", "require 'helper'", "require_relative 'c2'", "require_relative '../c2'", "require 'c1/c4'", "require 'json'", "require 'gem/x'", "load 'c2.rb'",
			"autoload :C2, 'c1/c2'")
	}))
	head := pick(rnd, "module C1", "class C1 < "+constant(), "class "+constant(), "module C2\nclass C3", "class "+constant()+" < "+constant())
	b.WriteString(head + "\n")
	b.WriteString(some(rnd, 5, func() string {
		n := name(rnd, "f")
		switch rnd.IntN(7) {
		case 0:
			return fmt.Sprintf("  def %s(a = %s) = a.%s", n, constant(), name(rnd, "f"))
		case 1:
			return fmt.Sprintf("  def self.%s; x = %s.new; x.%s; %s; end", n, constant(), name(rnd, "f"), name(rnd, "f"))
		case 2:
			return "  include " + constant()
		case 3:
			return fmt.Sprintf("  attr_accessor :%s", n)
		case 4:
			return fmt.Sprintf("  %s = %s", strings.ToUpper(n), constant())
		case 5:
			return fmt.Sprintf("  %s.%s(:%s)", constant(), n, name(rnd, "f"))
		}
		return "  autoload :" + name(rnd, "C")
	}))
	b.WriteString(strings.Repeat("end\n", 1+strings.Count(head, "\n")))
	if rnd.IntN(3) == 0 {
		b.WriteString("def " + name(rnd, "f") + "; end\n")
	}
	return b.String()
}
