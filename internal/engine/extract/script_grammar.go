package extract

import (
	tsjs "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	tsts "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

func typescriptSpec() *spec {
	return &spec{language: tsts.LanguageTypescript, kinds: []string{1: "program"}, fields: []string{1: "name"}}
}

func tsxSpec() *spec {
	return &spec{language: tsts.LanguageTSX, kinds: []string{1: "program"}, fields: []string{1: "name"}}
}

func javascriptSpec() *spec {
	return &spec{language: tsjs.Language, kinds: []string{1: "program"}, fields: []string{1: "name"}}
}
