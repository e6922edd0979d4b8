package garbage

import (
	"regexp"
	"strings"

	"ken/internal/code"
)

// debugTable lists the rules by language; testdata/debug.txt has samples of each.
// An expression sees code without comments and with empty strings. Output through a
// logger, to a stream argument or to a file is no debug print, so that only the short
// ways to the terminal are here.
var debugTable = [...]struct {
	name, langs, expr, not string
	sure                   Sureness
	why                    string
}{
	{"js-console", "javascript typescript vue svelte astro coffeescript solidity", `\bconsole\.(log|debug|dir|table|trace|count|time|timeEnd)\s*(\(|[\w"])|(^|[(,]\s*)console\.(log|debug)\s*([,)]|$)`, `\b(spyOn|mock)\b`, Likely, "console.log and its like print to the developer's console"},
	{"js-debugger", "javascript typescript vue svelte astro coffeescript", `(^|[\s;{)])debugger\s*;?\s*(}|$)`, ``, Certain, "debugger stops the program"},
	{"js-alert", "javascript typescript vue svelte", `(^|[\s;{)])(window\.)?alert\s*\(`, ``, Possible, "alert stops the page"},
	{"go-print", "go", `\bfmt\.Print(ln|f)?\(`, ``, Likely, "fmt.Print writes to standard output"},
	{"go-builtin", "go", `(^|[\s;{:])print(ln)?\(`, `\bfunc\s[^{]*\bprint(ln)?\(`, Certain, "the builtin print is for bootstrapping"},
	{"go-dump", "go", `\b(spew\.(Dump|Fdump|Printf)|pp\.Print(ln)?|litter\.Dump|godump\.Dump|debug\.PrintStack)\(`, ``, Likely, "values are dumped"},
	{"go-log", "go", `(^|[\s;{:])log\.Print(ln|f)?\(`, ``, Likely, "the standard logger writes to the terminal, and the file did not use it"},
	{"debug-call", "go javascript typescript java csharp python", `\b[dD]ebug\.([lL]og|Printf?|Println|[dD]ump)\(`, ``, Likely, "its name says that it is for debugging, and the file did not use it"},
	{"py-print", "python starlark gdscript mojo", `(^|[:;]\s*)print\b\s*(\(|""|[A-Za-z_]|f""|$)|([(\[,]\s*|\b(and|or|else)\s+)print\s*\(`, `\bfile\s*=`, Likely, "print writes to standard output"},
	{"py-pprint", "python", `(^|[:;]\s*)(pprint(\.pprint)?|pp|ic)\(`, ``, Likely, "values are printed"},
	{"py-break", "python", `\b(i?pdb|pudb|rdb|wdb)\.(set_trace|post_mortem|runcall)\(|^(import|from) (i?pdb|pudb|ipdb|icecream)\b|(^|[:;]\s*)breakpoint\(|\bIPython\.embed\(|\bset_trace\(\)`, ``, Certain, "a breakpoint stops the program"},
	{"py-stderr", "python", `(^|[:;]\s*)sys\.(stdout|stderr)\.write\(`, ``, Possible, "standard output is written to"},
	{"rust-dbg", "rust", `\bdbg!\s*[\(\[{]`, ``, Certain, "dbg! is for debugging"},
	{"rust-print", "rust", `\be?print(ln)?!\s*[\(\[{]`, ``, Likely, "println! writes to the terminal"},
	{"java-print", "java kotlin scala groovy", `\bSystem\.(out|err)\.(print(ln|f)?|format)\s*\(|\bConsole\.(out|err)\.print|\bSystem\.(out|err)::print`, ``, Likely, "System.out is the terminal"},
	{"jvm-print", "kotlin scala groovy swift dart", `(^|[\s;{>(])(print(ln)?|debugPrint|dump)\s*\(|\(::println?\)`, `\b(fun|def|func|void)\s+(print|dump)`, Likely, "print writes to the terminal"},
	{"java-stack", "java kotlin scala groovy", `\.printStackTrace\(\)|\bThread\.dumpStack\(\)`, ``, Likely, "the trace of an error goes to the terminal"},
	{"cs-console", "csharp fsharp visual-basic", `\bConsole(\.Out|\.Error)?\.Write(Line)?\s*\(`, ``, Likely, "Console is the terminal"},
	{"cs-debug", "csharp fsharp visual-basic", `\b(Debug|Trace)\.(Write(Line)?(If)?|Print)\s*\(|\bDebugger\.(Break|Launch)\s*\(`, ``, Likely, "the debugger's output is written to"},
	{"php-dump", "php", `(^|[\s;{(@!=])(var_dump|dd|dump|ddd|ray|debug_print_backtrace|debug_zval_refcount|xdebug_break|xdebug_var_dump|kint|krumo)\s*\(`, `\bfunction\s|->\s*(dump|dd|ray)\s*\(`, Likely, "values are dumped"},
	{"php-print-r", "php", `(^|[\s;{(@])(print_r|var_export)\s*\(`, `,\s*(true|1)\b|\breturn\b|=\s*(print_r|var_export)`, Likely, "values are printed"},
	{"php-log", "php", `(^|[\s;{(@)])error_log\s*\(|^(rcube|rcmail|rcube_utils)::(console|write_log)\(|^console\(`, ``, Likely, "the log of errors is written to"},
	{"php-echo", "php", `(^|[;{)]\s*)(echo|print)\s*\(?\s*(""|\$|PHP_EOL)`, ``, Possible, "echo writes to the page"},
	{"ruby-print", "ruby", `(^|[;{]\s*|[{o]\s*\|[^|]*\|\s*|\b(do|then|else|return)\s+)(puts|p|pp|ap|print|awesome_print|jj)\b\s*(\(|""|[A-Za-z_@$:\[{*\\]|$)`, `^(p|print|pp)\s*(=|<<|\.|\|\||,)`, Likely, "puts and p write to the terminal"},
	{"ruby-stream", "ruby", `(^|[\s;])(\$stdout|\$stderr|STDOUT|STDERR)\.(puts|print|write|flush)\b`, ``, Likely, "the terminal is written to"},
	{"ruby-break", "ruby", `\bbinding\.(pry|irb|break|b|remote_pry)\b|^(byebug|debugger)\b|\brequire\s*\(?\s*""\s*;\s*(byebug|debugger)\b`, ``, Certain, "a breakpoint stops the program"},
	{"c-print", "c cpp objective-c cuda opencl", `(^|[\s;{)])(std::)?(printf|puts|perror|vprintf|wprintf|NSLog|OutputDebugString[AW]?)\s*\(|\bfprintf\s*\(\s*(stderr|stdout)\b|\bprintf\s*\(`, `\b[a-z]+[a-z_]+printf\b|#\s*define`, Likely, "printf writes to the terminal"},
	{"cpp-stream", "cpp c cuda", `\b(std::)?(cout|cerr|clog)\s*<<`, ``, Likely, "cout is the terminal"},
	{"cpp-print", "cpp cuda", `\bstd::print(ln)?\s*\(`, ``, Likely, "standard output is written to"},
	{"swift-log", "swift objective-c", `\bNSLog\s*\(`, ``, Likely, "NSLog writes to the console"},
	{"groovy-print", "groovy", `(^|[\s;{)])println?\s+[\w"$]`, `\b(def|void)\s`, Likely, "println writes to the terminal"},
	{"fsharp-print", "fsharp", `\be?printfn?\s+""`, ``, Likely, "printfn writes to the terminal"},
	{"clojure-print", "clojure", `\((println|prn|pprint|clojure\.pprint/pprint)[\s)]`, ``, Likely, "println writes to the terminal"},
	{"crystal-print", "crystal", `(^|[;{]\s*)(puts|p!?|pp!?|print)\s*(\(|""|[A-Za-z_@]|$)`, `^(p|print|pp)\s*(=|<<|\.|,)`, Likely, "puts and p write to the terminal"},
	{"d-print", "d", `(^|[\s;{)])write(f?ln|f)\s*\(`, ``, Likely, "writeln writes to the terminal"},
	{"elm-debug", "elm", `\bDebug\.(log|toString|todo)\b`, ``, Certain, "Debug is for debugging"},
	{"haxe-trace", "haxe", `(^|[\s;{)])trace\s*\(`, ``, Likely, "trace is for debugging"},
	{"gleam-debug", "gleam", `\bio\.(debug|println)\s*\(|^echo\b|\|>\s*(io\.debug|echo)\b`, ``, Likely, "io writes to the terminal"},
	{"v-print", "v", `(^|[\s;{])(e?println?|dump)\s*\(`, ``, Likely, "println writes to the terminal"},
	{"odin-print", "odin", `\bfmt\.e?print(ln|f|fln)?\s*\(`, ``, Likely, "fmt.print writes to standard output"},
	{"vala-print", "vala", `\b(stdout|stderr)\.printf\s*\(|(^|[\s;{])print\s*\(`, ``, Likely, "the terminal is written to"},
	{"lua-print", "lua", `(^|[\s;])print\s*(\(|""|\{)|\b(inspect|pl\.pretty\.dump|pretty\.dump)\s*\(`, `\.print\b|=\s*print\b`, Likely, "print writes to the terminal"},
	{"elixir-inspect", "elixir", `\bIO\.(inspect|puts|write)\b|\bdbg\s*\(|\|>\s*dbg\b`, ``, Likely, "IO.inspect is mostly for debugging"},
	{"elixir-break", "elixir", `\bIEx\.pry\b`, ``, Certain, "a breakpoint stops the program"},
	{"erlang-print", "erlang", `\b(io:(format|fwrite)|erlang:display)\s*\(`, ``, Likely, "io:format writes to the terminal"},
	{"haskell-trace", "haskell", `\b(trace(Show|ShowId|M|ShowM|Id)?|Debug\.Trace\.\w+)\b\s*([("$]|\w)`, ``, Likely, "Debug.Trace is for debugging"},
	{"haskell-print", "haskell", `(^|[\s;$])(putStrLn|print|putStr)\s+[("$\w]`, ``, Likely, "the terminal is written to"},
	{"ocaml-print", "ocaml", `\b(Printf\.e?printf|print_endline|prerr_endline|print_string|prerr_string|Format\.e?printf|Stdlib\.print_\w+)\b`, ``, Likely, "the terminal is written to"},
	{"zig-print", "zig", `\bstd\.debug\.(print|warn|dumpCurrentStackTrace)\s*\(|@compileLog\s*\(`, ``, Likely, "std.debug.print is for debugging"},
	{"perl-dump", "perl", `\bDumper\s*\(?|^print\s+STDERR\b|^warn\s+Dumper\b`, ``, Likely, "values are dumped"},
	{"shell-trace", "shell", `^set\s+-[a-z]*x[a-z]*\b`, ``, Likely, "set -x prints every command"},
	{"powershell-print", "powershell", `(^|[;{]\s*)Write-(Host|Debug)\b`, ``, Possible, "the terminal is written to"},
	{"nim-echo", "nim", `(^|[:;]\s*)(echo|debugEcho)\b`, ``, Likely, "echo writes to the terminal"},
	{"julia-print", "julia", `(^|;\s*)(@show|println|@info)\b`, ``, Likely, "the terminal is written to"},
	{"r-print", "r", `(^|[;{)]\s*)(print|cat|browser|str)\(`, ``, Possible, "the terminal is written to"},
	{"tcl-puts", "tcl", `(^|[;{]\s*)puts\b`, ``, Likely, "puts writes to the terminal"},
}

// debugRules returns the compiled rules of debugTable.
func debugRules() []debugRule {
	out := make([]debugRule, 0, len(debugTable))
	for _, row := range debugTable {
		r := debugRule{name: row.name, expr: regexp.MustCompile(row.expr), sure: row.sure, why: row.why}
		if row.not != "" {
			r.not = regexp.MustCompile(row.not)
		}
		for _, l := range strings.Fields(row.langs) {
			r.langs = append(r.langs, code.Lang(l))
		}
		out = append(out, r)
	}
	return out
}
