package extract

// #include "ruby_guard.h"
import "C"

import (
	"unsafe"

	tsruby "github.com/alexaandru/go-sitter-forest/ruby"
)

// rubyLanguage returns the Ruby grammar with a guard around its scanner, because some source
// could make that abort the process.
func rubyLanguage() unsafe.Pointer {
	return unsafe.Pointer(C.ken_ruby_guarded(tsruby.GetLanguage()))
}
