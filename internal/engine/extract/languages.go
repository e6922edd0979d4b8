package extract

import (
	"ken/internal/engine/extract/buildfile"
	"ken/internal/engine/extract/data"
	"ken/internal/engine/extract/page"
	"ken/internal/engine/extract/repair"
)

// languages lists the readers of all languages of which ken extracts facts, a dialect before its language.
func languages() []reader {
	return []reader{
		{lang: "go", direct: new(golang).read},
		{lang: "python", spec: pythonSpec(), walk: walkPython, head: headPython},
		{lang: "typescript", ext: ".tsx", spec: tsxSpec(), repairs: repair.Script(), walk: walkScript},
		{lang: "typescript", spec: typescriptSpec(), repairs: repair.Script(), walk: walkScript},
		{lang: "javascript", spec: javascriptSpec(), second: tsxSpec(), repairs: repair.Script(), walk: walkScript},
		{lang: "rust", spec: rustSpec(), repairs: []repair.Source{repair.Rust}, walk: walkRust},
		{lang: "java", spec: javaSpec(), walk: walkJava},
		{lang: "c", spec: cSpec(), walk: walkC, head: headC, mask: maskC, retries: cRetries()},
		{lang: "cpp", spec: cppSpec(), walk: walkC, head: headC, mask: maskC, retries: cRetries()},
		{lang: "kotlin", spec: kotlinSpec(), repairs: repair.Kotlin(), walk: walkKotlin},
		{lang: "scala", spec: scalaSpec(), repairs: repair.Scala(), walk: walkScala},
		{lang: "swift", spec: swiftSpec(), repairs: repair.Swift(), walk: walkSwift},
		{lang: "csharp", spec: csharpSpec(), repairs: []repair.Source{repair.CSharp}, retries: []retry{csharpFirstSides}, walk: walkCSharp},
		{lang: "php", spec: phpSpec(), repairs: []repair.Source{repair.PHP}, walk: walkPHP},
		{lang: "ruby", spec: rubySpec(), repairs: []repair.Source{repair.Ruby}, walk: walkRuby},
		{lang: "vue", spec: typescriptSpec(), second: tsxSpec(), inner: componentScripts("{{"), walk: walkVue},
		{lang: "svelte", spec: typescriptSpec(), second: tsxSpec(), inner: componentScripts("{"), walk: walkSvelte},
		htmlReader(),
		direct("css", page.ScanCSS),
		direct("scss", page.ScanSCSS),
		direct("less", page.ScanSCSS),
		direct("sql", data.ScanSQL),
		direct("proto", data.ScanProto),
		direct("hcl", buildfile.ScanHCL),
		direct("yaml", data.ScanYAML),
		direct("json", data.ScanJSON),
		direct("toml", data.ScanTOML),
		direct("markdown", page.ScanMarkdown),
		direct("makefile", buildfile.ScanMakefile),
		direct("dockerfile", buildfile.ScanDockerfile),
		{lang: "lua", spec: luaSpec(), walk: walkLua},
		{lang: "shell", spec: shellSpec(), walk: walkShell},
		{lang: "zig", spec: zigSpec(), walk: walkZig},
		{lang: "elixir", spec: elixirSpec(), walk: walkElixir},
		{lang: "ocaml", ext: ".mli", spec: ocamlInterfaceSpec(), walk: walkOCaml},
		{lang: "ocaml", spec: ocamlSpec(), walk: walkOCaml},
		{lang: "dart", spec: dartSpec(), walk: walkDart, refuse: nestsTooDeeplyDart},
		{lang: "haskell", spec: haskellSpec(), walk: walkHaskell, mask: maskHaskell},
	}
}
