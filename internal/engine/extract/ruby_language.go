package extract

// #include "ruby_guard.h"
import "C"

import (
	"unsafe"

	tsruby "github.com/tree-sitter/tree-sitter-ruby/bindings/go"
)

// rubyLanguage is the Ruby grammar with a guard around its scanner, which some
// source could make abort the process.
func rubyLanguage() unsafe.Pointer {
	return unsafe.Pointer(C.ken_ruby_guarded(tsruby.Language()))
}
