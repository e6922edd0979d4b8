package code_test

import (
	"testing"

	"ken/internal/code"
)

func TestFirstSentence(t *testing.T) {
	for doc, want := range map[string]string{
		"Package x does y. It is small.":                                                        "Package x does y.",
		"Symbolic matrix\n\nCreates a symbol.":                                                  "Symbolic matrix",
		".. deprecated:: 1.2\n   Use z.\n\nPrints code.":                                        "Prints code.",
		"Collapse slices\n>>> X[1:2]\nX":                                                        "Collapse slices",
		"Builder for the {@link Http2FrameCodec}.\n@param x the x":                              "Builder for the Http2FrameCodec.",
		"A {@link Conditional @Conditional} of {@link Map#get(Object) getters} in {@code x y}.": "A @Conditional of getters in x y.",
		"Options of :class:`~flask.Flask` and :py:func:`run`, as :envvar:`FLASK_DEBUG`.":        "Options of flask.Flask and run, as FLASK_DEBUG.",
		"=====\nTitle\n=====\n\nThe text.":                                                      "The text.",
		"@deprecated":                                                                           "",
		"":                                                                                      "",
		"***":                                                                                   "",
	} {
		if got := code.FirstSentence(doc); got != want {
			t.Errorf("%q: got %q, want %q", doc, got, want)
		}
	}
}
