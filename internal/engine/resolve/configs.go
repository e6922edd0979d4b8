package resolve

import (
	"path"
	"strings"

	"ken/internal/code"
)

// configKind is how one sort of configuration file is read.
type configKind struct {
	names  []string // whole names, or with a star in front the extension
	langs  []code.Lang
	digest func(content []byte) []byte
}

// digestOf returns the canonical form of the part of a file that its reader keeps.
func digestOf[T any](parse func([]byte) T) func([]byte) []byte {
	return func(content []byte) []byte { return canonical(parse(content)) }
}

// configKinds are all sorts of configuration files.
var configKinds = []configKind{
	{names: []string{"go.mod", "go.work"}, langs: []code.Lang{langGo}, digest: digestOf(parseGoMod)},
	{names: []string{"package.json"}, langs: scriptLangs, digest: digestOf(parsePackageJSON)},
	{names: []string{"pnpm-workspace.yaml"}, langs: scriptLangs, digest: digestOf(parsePnpm)},
	{names: []string{"lerna.json"}, langs: scriptLangs, digest: digestOf(parseLerna)},
	{names: []string{"Cargo.toml"}, langs: []code.Lang{langRust}, digest: digestOf(parseCargo)},
	{names: []string{"pyproject.toml"}, langs: []code.Lang{langPython}, digest: digestOf(parsePyproject)},
	{names: []string{"setup.cfg"}, langs: []code.Lang{langPython}, digest: digestOf(parseSetupCfg)},
	{names: []string{"setup.py"}, langs: []code.Lang{langPython}, digest: digestOf(parseSetupPy)},
	{names: []string{"*.gemspec"}, langs: []code.Lang{langRuby}, digest: digestOf(parseGemspec)},
	{names: []string{"Package.swift"}, langs: []code.Lang{langSwift}, digest: digestOf(parseSwiftPackage)},
	{names: []string{"*.csproj", "Directory.Build.props", "Directory.Build.targets"}, langs: []code.Lang{langCSharp}, digest: digestOf(parseMSBuild)},
	{names: []string{"composer.json"}, langs: []code.Lang{langPHP}, digest: digestOf(parseComposer)},
	{names: []string{"compile_commands.json"}, langs: []code.Lang{langC, langCPP}, digest: digestOf(parseCompileCommands)},
	{names: []string{"pubspec.yaml"}, langs: []code.Lang{langDart}, digest: digestOf(parsePubspec)},
	{names: []string{"mix.exs"}, langs: []code.Lang{langElixir}, digest: digestOf(func([]byte) struct{} { return struct{}{} })}, // that it is there says all
	{names: []string{"*.cabal"}, langs: []code.Lang{langHaskell}, digest: digestOf(parseCabal)},
}

// configTS is tsconfig.json and its like, known by a part of the name.
var configTS = configKind{langs: scriptLangs, digest: digestOf(parseTSConfig)}

// configsByName are the rows by name, or by a star and the extension.
var configsByName = func() map[string]*configKind {
	byName := map[string]*configKind{}
	for i := range configKinds {
		for _, n := range configKinds[i].names {
			byName[n] = &configKinds[i]
		}
	}
	return byName
}()

// kindOf is how a file is read as configuration, nil if it is not one.
func kindOf(p string) *configKind {
	base := path.Base(p)
	ext := path.Ext(base)
	if k, ok := configsByName[base]; ok {
		return k
	}
	if k, ok := configsByName["*"+ext]; ok {
		return k
	}
	if ext == ".json" && (strings.Contains(base, "tsconfig") || strings.Contains(base, "jsconfig")) {
		return &configTS
	}
	return nil
}

// IsConfig reports whether the content of a file matters to resolution.
func IsConfig(path string) bool { return kindOf(path) != nil }

// Ecosystem returns the languages whose imports a configuration file can redirect,
// nil if path is not one.
func Ecosystem(path string) []code.Lang {
	if k := kindOf(path); k != nil {
		return k.langs
	}
	return nil
}

// Digest returns the part of a configuration file that matters to resolution, in a
// canonical form: an edit that leaves it equal changes no result. It is never
// nil for a configuration file, so that a missing file (nil) differs from an
// empty one; it is nil for any other file.
func Digest(path string, content []byte) []byte {
	k := kindOf(path)
	if k == nil {
		return nil
	}
	if len(content) > maxConfig {
		content = nil
	}
	return k.digest(content)
}
