package resolve

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// Config describes one kind of configuration file that changes how imports are resolved.
type Config struct {
	names  []string    // whole names, or a star and an extension
	Langs  []code.Lang // languages whose imports the file can redirect
	digest func(content []byte) []byte
}

// canonicalDigest returns a function that parses a file and renders the parsed values, so that files with equal values give equal bytes.
func canonicalDigest[T any](parse func([]byte) T) func([]byte) []byte {
	return func(content []byte) []byte { return canonical(parse(content)) }
}

// configs lists all kinds of configuration files.
var configs = []Config{
	{names: []string{"go.mod", "go.work"}, Langs: []code.Lang{langGo}, digest: canonicalDigest(parseGoMod)},
	{names: []string{"package.json"}, Langs: scriptLangs, digest: canonicalDigest(parsePackageJSON)},
	{names: []string{"pnpm-workspace.yaml"}, Langs: scriptLangs, digest: canonicalDigest(parsePnpm)},
	{names: []string{"lerna.json"}, Langs: scriptLangs, digest: canonicalDigest(parseLerna)},
	{names: []string{"Cargo.toml"}, Langs: []code.Lang{langRust}, digest: canonicalDigest(parseCargo)},
	{names: []string{"pyproject.toml"}, Langs: []code.Lang{langPython}, digest: canonicalDigest(parsePyproject)},
	{names: []string{"setup.cfg"}, Langs: []code.Lang{langPython}, digest: canonicalDigest(parseSetupCfg)},
	{names: []string{"setup.py"}, Langs: []code.Lang{langPython}, digest: canonicalDigest(parseSetupPy)},
	{names: []string{"*.gemspec"}, Langs: []code.Lang{langRuby}, digest: canonicalDigest(parseGemspec)},
	{names: []string{"Package.swift"}, Langs: []code.Lang{langSwift}, digest: canonicalDigest(parseSwiftPackage)},
	{names: []string{"*.csproj", "Directory.Build.props", "Directory.Build.targets"}, Langs: []code.Lang{langCSharp}, digest: canonicalDigest(parseMSBuild)},
	{names: []string{"composer.json"}, Langs: []code.Lang{langPHP}, digest: canonicalDigest(parseComposer)},
	{names: []string{"compile_commands.json"}, Langs: []code.Lang{langC, langCPP}, digest: canonicalDigest(parseCompileCommands)},
	{names: []string{"pubspec.yaml"}, Langs: []code.Lang{langDart}, digest: canonicalDigest(parsePubspec)},
	{names: []string{"mix.exs"}, Langs: []code.Lang{langElixir}, digest: canonicalDigest(func([]byte) struct{} { return struct{}{} })}, // only its existence matters
	{names: []string{"*.cabal"}, Langs: []code.Lang{langHaskell}, digest: canonicalDigest(parseCabal)},
}

// configTS describes tsconfig.json and its variants. They are recognised by a part of the name.
var configTS = Config{Langs: scriptLangs, digest: canonicalDigest(parseTSConfig)}

// csharpExt is the end of the names of C# files.
const csharpExt = ".cs"

// configUsings describes C# files with global usings, which count for all files of a project. Only their existence matters: a change of
// what such a file passes on is noticed as of any other.
var configUsings = Config{Langs: []code.Lang{langCSharp}, digest: canonicalDigest(func([]byte) struct{} { return struct{}{} })}

// SourceConfigAt returns the kind of configuration file that a source file at a path is if IsSourceConfig holds for its facts, else nil.
func SourceConfigAt(p string) *Config {
	if strings.HasSuffix(p, csharpExt) {
		return &configUsings
	}
	return nil
}

// IsSourceConfig reports whether a source file counts as a configuration file because of what it holds: a C# file with a global using. Its
// content as a configuration is empty.
func IsSourceConfig(p string, f *code.Facts) bool {
	return SourceConfigAt(p) != nil && slices.ContainsFunc(f.Imports, func(m code.Import) bool { return m.Kind == code.ImportReexport })
}

// configsByName maps names, or a star and an extension, to kinds of configuration files.
var configsByName = func() map[string]*Config {
	byName := map[string]*Config{}
	for i := range configs {
		for _, n := range configs[i].names {
			byName[n] = &configs[i]
		}
	}
	return byName
}()

// ConfigAt returns the kind of configuration file at a path, nil if the file is not one.
func ConfigAt(p string) *Config {
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

// Digest returns the part of a configuration file that matters to resolution, in a canonical form: if an edit leaves
// it unchanged, no import changes its target. It is never nil, so that a missing file (nil) differs from an empty one.
func (c *Config) Digest(content []byte) []byte {
	if len(content) > maxConfig {
		content = nil
	}
	return c.digest(content)
}
