package code_test

import (
	"testing"

	"ken/internal/code"
)

func TestFirstSentence(t *testing.T) {
	for doc, want := range map[string]string{
		"Package x does y. It is small.":                                                                  "Package x does y.",
		"Symbolic matrix\n\nCreates a symbol.":                                                            "Symbolic matrix",
		".. deprecated:: 1.2\n   Use z.\n\nPrints code.":                                                  "Prints code.",
		"Collapse slices\n>>> X[1:2]\nX":                                                                  "Collapse slices",
		"Builder for the {@link Http2FrameCodec}.\n@param x the x":                                        "Builder for the Http2FrameCodec.",
		"A {@link Conditional @Conditional} of {@link Map#get(Object) getters} in {@code x y}.":           "A @Conditional of getters in x y.",
		"Options of :class:`~flask.Flask` and :py:func:`run`, as :envvar:`FLASK_DEBUG`.":                  "Options of flask.Flask and run, as FLASK_DEBUG.",
		"=====\nTitle\n=====\n\nThe text.":                                                                "The text.",
		"Define [`Command`] line [arguments][`Arg`] of [x](https://y.z). Then [Turbine].":                 "Define `Command` line arguments of x.",
		"A [Turbine] for `JSON Web Key <https://x.y/z>`_ of a[i].":                                        "A Turbine for JSON Web Key of a[i].",
		"Module for pipes (`... | tqdm | ...`). More.":                                                    "Module for pipes (`... | tqdm | ...`).",
		"Reads (see a. b) x. Then":                                                                        "Reads (see a. b) x.",
		"Reads (see a. b never closed":                                                                    "Reads (see a.",
		"[![github]](https://x)\u2002[<img alt=\"y\">](z)\n[github]: https://x/y\n\nFlexible error type.": "Flexible error type.",
		"Prevented attack::   CSRF\nSupported browsers:: all\n\nThis middleware checks tokens.":           "This middleware checks tokens.",
		"Provides the :class:`Arrow <arrow.arrow.Arrow>` class.":                                          "Provides the Arrow class.",
		"@deprecated": "",
		"":            "",
		"***":         "",
	} {
		if got := code.FirstSentence(doc); got != want {
			t.Errorf("%q: got %q, want %q", doc, got, want)
		}
	}
}
