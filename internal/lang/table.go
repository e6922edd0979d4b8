package lang

import "ken/internal/code"

// Traits that several languages have in common.
var (
	scriptTests = TestNames{Names: []string{"test"}, Suffixes: []string{
		"_test", ".test", ".spec", ".e2e", ".cy", ".test-d", ".spec-d", ".e2e-spec",
		".test.d", ".spec.d", ".e2e.d", ".cy.d", ".test-d.d", ".spec-d.d", ".e2e-spec.d",
	}}
	snakeTests = TestNames{
		Prefixes: []string{"test_", "test-"}, Suffixes: []string{"_test", "_tests", "_unittest", "_spec", "_SUITE"}, Extensions: []string{".t", ".bats"},
	}
	pythonStrings    = Strings{Single: true, Long: []string{`"""`, `'''`}}
	scriptStrings    = Strings{Single: true, Long: []string{"`"}}
	textBlocks       = Strings{Long: []string{`"""`}}
	scriptImplicit   = []string{"constructor", "toString", "toJSON", "valueOf", "then"}
	jvmImplicit      = []string{"toString", "hashCode", "equals", "compareTo", "finalize", "iterator", "close", "readObject", "writeObject", "readResolve", "writeReplace"}
	scriptTestMarks  = []string{"describe", "it", "test", "suite", "context", "specify"}
	jvmTestMarks     = []string{"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate"}
	dotnetTestMarks  = []string{"Fact", "Theory", "Test", "TestCase", "TestMethod", "DataTestMethod"}
	scriptReflection = Reflection{
		Names: []string{"eval", "Reflect", "get", "apply"}, Marks: []string{"eval(", "Reflect.", "](", "keyof ", "Pick<", "Omit<"},
		Pattern: `\b(eval|Reflect\.get|Reflect\.apply)\(|\bkeyof |\b(Pick|Omit)<`, Computed: `[\w$)\]]\[[^\]"'\d][^\]]*\]\(`,
		Own: `this\[[^\]"'\d]`, Before: `[\w$)\]](\?\.)?\[\s*$`, Common: true,
	}
	enumMembers   = []code.Kind{code.KindEnumMember}
	fields        = []code.Kind{code.KindField}
	scriptUnnamed = []Unnamed{
		{Pattern: "\\bNAME\\s*(\\?\\.)?\\[\\s*[^\\]\"'`\\d\\s]|\\bObject\\.(keys|values|entries|assign)\\([^)]*\\bNAME\\b|\\.\\.\\.\\s*NAME\\b|\\bin\\s+NAME\\b"},
	}
	jvmUnnamed = []Unnamed{{
		Kinds:   enumMembers,
		Pattern: `\bNAME\.(values\(|valueOf\(|entries\b|class\b)|\benum(Values|ValueOf|Entries)<.*\bNAME>|\bEnumSet\.\w+\(NAME\b`,
		Home:    `(^|[^.\w])(values|valueOf)\(|(^|[^.\w])entries\b`,
	}}
	// cUnnamed matches an initializer without the names of fields: of a variable, a literal, or behind a sign.
	cUnnamed = []Unnamed{{Kinds: fields, Pattern: `\bNAME\s+\w+\s*(\[[^\]]*\]\s*)*(=\s*)?\{\s*\{?\s*[^.}\s\[{]|` +
		`\(\s*(struct\s+)?NAME\s*(\[[^\]]*\])?\s*\)\s*\{\s*[^.}\s]|(=|return|\(|,)\s*NAME\s*\{\s*[^.}\s]`}}
	jvmReflection = Reflection{
		Names: []string{"getMethod", "getDeclaredMethod", "getDeclaredMethods", "forName"},
		Marks: []string{"Method", "forName", "Field", "::class", "loadClass", "find"}, Common: true,
		Pattern: `\b(get(Declared)?(Methods?|Fields?)|Class\.forName|loadClass|find(Virtual|Static|Getter|Setter))\(|::class\.\w*([mM]embers|[fF]unctions|[pP]roperties)\b`,
	}
	// rustNamed matches the text before an argument of a derive macro that is the name of a function or type.
	rustNamed = `\b(default|with|serialize_with|deserialize_with|skip_serializing_if|getter|remote|from|into|try_from|validate|custom|parse|value_parser)\s*=\s*$`
	// cAssembly matches the text before a name in assembly, which is a string.
	cAssembly = `(^|\W)_{0,2}asm_{0,2}\b.*"|^\s*"\s*(call\w*|jmp|bl?|lea\w*)\s+\S*$`
	// cCalled matches the attributes of functions that the system calls.
	cCalled = `__attribute(__)?\s*\(\(.*\b_{0,2}(constructor|destructor|used|interrupt)_{0,2}\b|\[\[.*\b(constructor|destructor|used)\b`
	// programHooks are functions of C by which a system, a fuzzer or another language begins a program or loads a library.
	programHooks = []string{"WinMain", "wWinMain", "wmain", "DllMain", "_start", "JNI_On*", "Java_*_*", "LLVMFuzzer*", "PyInit_*", "luaopen_*", "Init_*"}
	cReflection  = Reflection{
		Names: []string{"dlsym", "dlvsym", "GetProcAddress"}, Marks: []string{"dlsym", "dlvsym", "GetProcAddress", "module_symbol", "alias", "ifunc", "weakref"},
		Pattern: `\b(\w*dlv?sym|GetProcAddress|\w*module_symbol|_{0,2}(alias|ifunc|weakref)_{0,2})\s*\(`,
	}
)

// table is the list of languages. An extension or name is in one row only
// (a test sees to it); ambiguous decides by content where languages share one.
var table = []Info{
	// Read in full: references, imports and their resolution.
	{Name: "go", Norm: Norm{Functions: "camelCase", Constants: "camelCase", Files: "snake_case"}, Tier: Full, Extensions: []string{".go"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "braces", Strings: Strings{Long: []string{"`"}}, Tools: goTools, Traits: Traits{LineStrings: true,
		Scope: ClauseScope, ModuleName: PackageClause, Implicit: []string{"String", "Error", "GoString", "Format"}, PackageImports: true, DetachedMethods: true, ImplicitInterfaces: true,
		EntryFunction: "main", EntryPackage: "main", LoadFunctions: []string{"init"}, InternalDirs: true, Directive: `^//(export|go:linkname \S+|go:wasmexport)\s.*`,
		Unnamed: []Unnamed{{Kinds: fields, Pattern: `\bNAME\{\s*[^{}:,]+[,}]|\]NAME\{([^{}]*:)?\s*\{\s*[^{}:,]+[,}]`}}, CalledMarks: "`[^`\n]*\\w:\"[^`\n]*`",
		Tests: TestNames{Suffixes: []string{"_test"}}, ExamplePrefix: "Example", TestFilesOnly: true, CapitalExports: true, HiddenSuffix: "_test.go", TestClause: "_test", TypeChecked: true, Columns: UTF8,
		Reflection: Reflection{Names: []string{"MethodByName", "FieldByName"}, Marks: []string{"ByName("}, Pattern: `\.(MethodByName|FieldByName)\(`},
	}},
	{Name: "typescript", Norm: Norm{Functions: "camelCase"}, Tier: Full, Extensions: []string{".ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts"}, Interpreters: []string{"deno", "ts-node", "tsx", "bun"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "braces", Strings: scriptStrings, Tools: Tools{Generated: []string{"_pb.d.ts"}}, Traits: Traits{
		RelativeImports: true, DefaultExports: true, ShortFields: true, StructuralTypes: true, CompilerSpace: "JSX",
		OpenMembers: true, ExportLists: true, DeclarationStem: ".d",
		Family: "script", GlobalScripts: true, ObjectMethods: true, Tests: scriptTests, TestMarks: scriptTestMarks, Minified: true, Implicit: scriptImplicit, Unnamed: scriptUnnamed, Reflection: scriptReflection, SCIP: "TypeScript",
	}},
	{Name: "javascript", Norm: Norm{Functions: "camelCase"}, Tier: Full, Extensions: []string{".js", ".jsx", ".mjs", ".cjs", ".es6", ".jsm"}, Names: []string{"Jakefile"}, Interpreters: []string{"node", "nodejs"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "braces", Strings: scriptStrings, Tools: scriptTools, Traits: Traits{
		RelativeImports: true, DefaultExports: true, ShortFields: true,
		OpenMembers: true, Untyped: true, ExportLists: true, DeclarationStem: ".d",
		Family: "script", GlobalScripts: true, ObjectMethods: true, Tests: scriptTests, TestMarks: scriptTestMarks, Minified: true, Implicit: scriptImplicit, Unnamed: scriptUnnamed, Reflection: scriptReflection, SCIP: "JavaScript",
	}},
	{Name: "python", Norm: Norm{Functions: "snake_case", Constants: "UPPER_CASE", Files: "snake_case"}, Tier: Full, Extensions: []string{".py", ".pyi", ".pyw", ".pyx", ".pxd", ".wsgi"}, Names: []string{"SConstruct", "SConscript", "wscript"}, Interpreters: []string{"python", "pypy"}, Line: []string{"#"}, Code: "python", Strings: pythonStrings, Tools: pythonTools, Traits: Traits{FindsTypes: true, SubtypeHooks: []string{"__init_subclass__"}, SubtypeLists: []string{"__subclasses__"}, Metaclass: "metaclass=", Positional: "NamedTuple",
		RelativeImports: true, NamedTypes: true, Directive: `^\s*(>>>|\.\.\.)\s.*`,
		OpenMembers: true, ExportLists: true,
		Unnamed: []Unnamed{
			{Kinds: enumMembers, Pattern: `\bin\s+NAME\b|\b(list|set|tuple|sorted|iter|len)\(NAME\b|(?m:^|[=(,\[{:.]|\breturn|\bin)\s*NAME[\[(]|\bNAME\.__members__`, Home: `\bin\s+cls\b|\bcls[\[(]`},
			{Pattern: `\b(getattr|vars|dir)\(\s*NAME\s*(,\s*[^"'\s)]|\))|\bNAME\.__dict__`},
		},
		ModuleName: FirstSegment, PassesImports: true, PackageFiles: []string{"__init__.py", "__init__.pyi"}, DunderMethods: true,
		EntryFiles: []string{"__main__.py", "manage.py"}, Columns: UTF32,
		Tests: TestNames{Names: []string{"conftest", "tests", "test"}, Prefixes: []string{"test_"}, Suffixes: []string{"_test"}}, TestPrefix: "test_",
		Reflection: Reflection{
			Names: []string{"getattr", "globals", "eval", "import_module", "__import__"}, Marks: []string{"attr", "globals(", "eval(", "import", "methodcaller"}, Pattern: `\b(getattr|hasattr|globals|eval|import_module|__import__|methodcaller|attrgetter)\(`,
			Own: `getattr\(\s*(self|cls|type\(self\))\s*,\s*[^"'\s]`, OwnOnly: true, Common: true,
		},
	}},
	{Name: "rust", Norm: Norm{Functions: "snake_case", Constants: "UPPER_CASE", Files: "snake_case"}, Tier: Full, Extensions: []string{".rs"}, Interpreters: []string{"rust-script"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "braces", Tools: rustTools, Traits: Traits{
		CallsMethods: true, ShortFields: true,
		Privacy:      PrivateInModule,
		EnumPayloads: true, ReceiverName: "self", Overriding: ImplBlock, Implicit: []string{"drop", "deref", "deref_mut"},
		EntryFunction: "main", InlineTests: true, DocTests: true,
		CalledMarks: `#\[\s*(unsafe\s*\(\s*)?(no_mangle|export_name|test|bench|used|link_section|panic_handler|alloc_error_handler|global_allocator|proc_macro\w*|lang|start)\b`,
		Columns:     UTF8,
		Tests:       TestNames{Names: []string{"tests", "test"}, Suffixes: []string{"_test", "_tests"}},
		Reflection:  Reflection{Before: rustNamed},
	}},
	{Name: "java", Norm: Norm{Functions: "camelCase", Constants: "UPPER_CASE", Files: "PascalCase"}, Tier: Full, Extensions: []string{".java"}, Interpreters: []string{"java"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "semicolons", Strings: textBlocks, Tools: javaTools, Traits: Traits{LineStrings: true, Privacy: PrivateInFile, FindsTypes: true, LoneMembers: true, HidesFields: true,
		Overriding: OverrideAnnotation, Family: "jvm", Scope: PackageScope, PackageImports: true, TypeWildcards: true, BareMembers: true, TopLevelMethods: true,
		EntryFunction: "main", EntryInType: true, TypeNamesFile: true, SourceSets: true, Positional: "record ", AccessorProperties: "kotlin", AccessorLibrary: "lombok", Tests: TestNames{Camel: true}, TestMarks: jvmTestMarks, Implicit: jvmImplicit, Unnamed: jvmUnnamed, Reflection: jvmReflection,
	}},
	{Name: "c", Norm: Norm{Functions: "snake_case", Constants: "UPPER_CASE", Files: "snake_case"}, Tier: Full, Extensions: []string{".c", ".h"}, Interpreters: []string{"tcc"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "semicolons", Traits: Traits{LineStrings: true, Privacy: PrivateInUnit, LoneMembers: true, LoadFunctions: programHooks, BracketAttributes: true, Family: "c", Reflection: cReflection, MacroOption: "D", Unnamed: cUnnamed, Directive: cAssembly, CalledMarks: cCalled, Prototypes: true, EntryFunction: "main", Tests: snakeTests, Columns: UTF8}},
	{Name: "cpp", Tier: Full, Extensions: []string{".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".cppm", ".ixx"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "semicolons", Tools: Tools{Generated: []string{".pb.cc", ".pb.h"}}, Traits: Traits{LineStrings: true, Privacy: PrivateInUnit, LoneMembers: true, LoadFunctions: programHooks, BracketAttributes: true, Family: "c", Reflection: cReflection, MacroOption: "D", Unnamed: cUnnamed, Directive: cAssembly, CalledMarks: cCalled, StaticsHide: true, Prototypes: true, Implicit: []string{"begin", "end"}, EntryFunction: "main", Tests: snakeTests, Columns: UTF8, SCIP: "CPP"}},
	{Name: "kotlin", Norm: Norm{Functions: "camelCase", Constants: "UPPER_CASE", Files: "PascalCase"}, Tier: Full, Extensions: []string{".kt", ".kts", ".ktm"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "braces", Strings: textBlocks, Traits: Traits{LineStrings: true, Privacy: PrivateInFile, FindsTypes: true, LoneMembers: true,
		Overriding: OverrideModifier, Family: "jvm", Scope: PackageScope, PackageImports: true, TypeWildcards: true, BareMembers: true, TopLevelMethods: true,
		EntryFunction: "main", EntryInType: true, SourceSets: true, Tests: TestNames{Camel: true}, TestMarks: jvmTestMarks, Implicit: jvmImplicit, Unnamed: jvmUnnamed, Reflection: jvmReflection,
		Platforms: true, BuildScript: ".gradle.kts", Directive: `^\s*(/?\*+\s*)?@sample\s+[\w.]*$`, DirectivePaths: true, Positional: "data class", PropertyAccessors: "java", Facade: "Kt",
	}},
	{Name: "scala", Norm: Norm{Functions: "camelCase", Constants: "PascalCase", Files: "PascalCase"}, Tier: Full, Extensions: []string{".scala", ".sc", ".sbt"}, Interpreters: []string{"scala"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "braces", Strings: textBlocks, Tools: Tools{TestRuns: []string{"sbt test"}, Manifests: []Manifest{{"build.sbt", "sbt"}}}, Traits: Traits{LoneMembers: true, FindsTypes: true,
		EnumPayloads: true, Positional: "case class",
		Family: "jvm", Scope: PackageScope, PackageImports: true, TypeWildcards: true, BareMembers: true, TopLevelMethods: true, GuessedPaths: true,
		EntryFunction: "main", EntryInType: true, SourceSets: true, Tests: TestNames{Camel: true}, TestMarks: jvmTestMarks, Implicit: []string{"apply", "unapply", "unapplySeq", "update", "toString", "hashCode", "equals", "compareTo"}, Unnamed: jvmUnnamed, Reflection: jvmReflection,
	}},
	{Name: "swift", Norm: Norm{Functions: "camelCase", Constants: "camelCase", Files: "PascalCase"}, Tier: Full, Extensions: []string{".swift"}, Interpreters: []string{"swift"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "braces", Strings: textBlocks, Tools: Tools{TestRuns: []string{"swift test"}, Manifests: []Manifest{{"Package.swift", "Swift"}}}, Traits: Traits{Privacy: PrivateInFile, EnumPayloads: true, Scope: NamespaceScope, BareMembers: true, EntryFiles: []string{"main.swift"}, CodedTypes: `[:,&]\s*(Codable|Decodable|Encodable|NSManagedObject)\b`, CalledMarks: `@(IBAction|IBOutlet|IBSegueAction|IBInspectable|NSManaged|main|UIApplicationMain|NSApplicationMain|_cdecl)\b`,
		Unnamed: []Unnamed{{Kinds: enumMembers, Pattern: `\bNAME\.allCases\b|\bNAME\(rawValue:`, Home: `(^|[^.\w])allCases\b|\bSelf\.allCases\b`}}, Implicit: []string{"init", "deinit", "description", "hash", "encode", "body"}, Tests: TestNames{Camel: true}}},
	{Name: "csharp", Norm: Norm{Functions: "PascalCase", Constants: "PascalCase", Files: "PascalCase"}, Tier: Full, Extensions: []string{".cs", ".csx"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "semicolons", Strings: textBlocks, Tools: csharpTools, Traits: Traits{LineStrings: true, Privacy: PrivateInParts, FindsTypes: true, LoneMembers: true, BracketAttributes: true, StaticsHide: true, StaticsByType: true, MarkSuffix: "Attribute", MarkedTests: true, Overriding: OverrideOrInterface, Positional: "record ", EntryFunction: "Main", EntryInType: true,
		Unnamed:   []Unnamed{{Kinds: enumMembers, Pattern: `\bEnum\.\w+(<NAME>)?\(.*\bNAME\b|\bEnum\.\w+<NAME>`}},
		Directive: `\[.*\bDebuggerDisplay\(.*\{[\w.]*$`,
		Scope:     NamespaceScope, PrivateWildcards: true, StaticTypes: true, BareMembers: true, Fallback: OuterNamespaces,
		Implicit:          []string{"ToString", "Equals", "GetHashCode", "Dispose", "DisposeAsync", "GetEnumerator", "GetAsyncEnumerator", "Deconstruct", "CompareTo", "Add", "GetAwaiter"},
		ProjectReferences: true, ExtensionCalls: true, TypeArity: true, Tests: TestNames{Camel: true}, TestMarks: dotnetTestMarks, SCIP: "CSharp",
		Reflection: Reflection{
			Names: []string{"GetMethod", "GetMethods", "InvokeMember", "GetProperty", "GetField"}, Marks: []string{"GetM", "InvokeMember", "GetProperty", "GetField", "GetEvent", "GetType"},
			Pattern: `\b(GetMethods?|InvokeMember|GetMembers?|GetProperty|GetField|GetEvent|Type\.GetType)\(`, Common: true,
		},
	}},
	{Name: "php", Norm: Norm{Functions: "camelCase", Constants: "UPPER_CASE", Files: "PascalCase"}, Tier: Full, Extensions: []string{".php", ".phtml", ".php3", ".php4", ".php5", ".phpt"}, Interpreters: []string{"php"}, Line: []string{"//", "#"}, Block: [2]string{`/*`, `*/`}, Code: "semicolons php", Strings: Strings{Single: true, Attributes: true}, Tools: phpTools, Traits: Traits{Privacy: PrivateInType, Rebinding: []string{"bind", "bindTo", "call"}, FindsTypes: true,
		Scope: NamespaceScope, SeparateNames: true, TypeNamesFile: true, Fallback: GlobalFallback, Tests: TestNames{Camel: true}, SCIP: "PHP",
		StringCalls: true, ArrowKeys: true, AliasCall: "class_alias", DirectiveMembers: true,
		Directive: `^\s*/?\*+\s*@(dataProvider|depends)\s+[\w\\:]*$|^\s*#\[.*\b(DataProvider|Depends)\(\s*['"]$`,
		Unnamed:   []Unnamed{{Kinds: enumMembers, Pattern: `\bNAME::(cases|from|tryFrom)\(`, Home: `\b(self|static)::(cases|from|tryFrom)\(`}},
		Implicit: []string{"__construct", "__destruct", "__call", "__callStatic", "__get", "__set", "__isset", "__unset", "__sleep", "__wakeup",
			"__serialize", "__unserialize", "__toString", "__invoke", "__set_state", "__clone", "__debugInfo"},
		Reflection: Reflection{
			Names: []string{"call_user_func", "call_user_func_array", "ReflectionMethod"}, Marks: []string{"call_user_func", "ReflectionMethod", "$", "method_exists"}, Pattern: `\b(call_user_func|call_user_func_array|ReflectionMethod)\b`, Computed: `(->|::)\$\w+\(|\bmethod_exists\(`,
			Own: `\$this->(\$|\{)|\[\$this, *\$|\bstatic::\$\w+\(`, Before: `(\[|\barray\()[^\[\]]*,\s*$`, Common: true,
		},
	}},
	{Name: "ruby", Norm: Norm{Functions: "snake_case", Constants: "UPPER_CASE", Files: "snake_case"}, Tier: Full, Extensions: []string{".rb", ".rake", ".gemspec", ".ru", ".rbi", ".podspec"}, Names: []string{"Gemfile", "Rakefile", "Guardfile", "Vagrantfile", "Podfile", "Brewfile", "Capfile", "Fastfile", "Berksfile"}, Interpreters: []string{"ruby", "rbx", "jruby"}, Line: []string{"#"}, Block: [2]string{`=begin`, `=end`}, Code: "ruby", Strings: Strings{Single: true}, Tools: rubyTools, Traits: Traits{FieldAccessors: `^(c|m)?attr(_reader|_writer|_accessor)?\b`, FindsTypes: true, SubtypeHooks: []string{"inherited", "included", "extended", "prepended"}, SubtypeLists: []string{"subclasses", "descendants"},
		OpenMembers: true, NameSymbols: true, ArrowKeys: true,
		Unnamed: []Unnamed{{Kinds: []code.Kind{code.KindConstant, code.KindClass, code.KindModule}, Pattern: `\bNAME\.(constants|const_get)\b`, Home: `(^|[^.\w])constants\b`}},
		Implicit: []string{"initialize", "method_missing", "respond_to_missing?", "const_missing", "to_s", "to_str", "to_a", "to_ary", "to_h", "to_hash", "to_proc", "inspect", "each", "<=>", "==", "===",
			"hash", "eql?", "coerce", "call", "inherited", "included", "extended", "prepended", "method_added"},
		GuessedPaths: true, Autoload: true, Tests: TestNames{Prefixes: []string{"test_"}, Suffixes: []string{"_test", "_spec"}}, TestPrefix: "test_",
		Reflection: Reflection{
			Names: []string{"send", "public_send", "method_missing", "const_get"}, Marks: []string{"send", "method_missing", "const_get"}, Pattern: `\b(send|public_send|__send__|method_missing|const_get)\b`,
			Own: `(^|[^.\w]|\bself\.)(send|public_send|__send__)[ (]\s*[^:"'\s)]`, Common: true,
		},
	}},

	// Programming languages, listed and searchable.
	{Name: "objective-c", Extensions: []string{".m", ".mm"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "semicolons", Traits: Traits{MayUse: "c swift"}},
	{Name: "groovy", Extensions: []string{".groovy", ".gradle", ".gvy"}, Names: []string{"Jenkinsfile"}, Interpreters: []string{"groovy"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "braces", Strings: pythonStrings, Traits: Traits{MayUse: "jvm", SourceSets: true, Tests: TestNames{Camel: true}, TestMarks: jvmTestMarks}},
	{Name: "dart", Norm: Norm{Functions: "camelCase", Constants: "camelCase", Files: "snake_case"}, Tier: Symbols, Extensions: []string{".dart"}, Interpreters: []string{"dart"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "semicolons", Strings: pythonStrings, Tools: dartTools, Traits: Traits{Tests: snakeTests}},
	{Name: "lua", Tier: Symbols, Extensions: []string{".lua", ".rockspec"}, Interpreters: []string{"lua", "luajit", "texlua"}, Line: []string{"--"}, Block: [2]string{`--[[`, `]]`}, Code: "lua", Strings: Strings{Single: true}, Tools: Tools{TestRuns: []string{"busted"}}, Traits: Traits{Tests: snakeTests}},
	{Name: "perl", Extensions: []string{".pl", ".pm", ".t", ".pod", ".psgi"}, Names: []string{"cpanfile", "Makefile.PL", "Build.PL"}, Interpreters: []string{"perl"}, Line: []string{"#"}, Block: [2]string{`=pod`, `=cut`}, Strings: Strings{Single: true}, Tools: Tools{TestRuns: []string{"prove"}}, Traits: Traits{Tests: snakeTests}},
	{Name: "r", Extensions: []string{".r", ".rprofile"}, Names: []string{".Rprofile"}, Interpreters: []string{"Rscript", "rscript"}, Line: []string{"#"}, Strings: Strings{Single: true}, Traits: Traits{Tests: snakeTests}},
	{Name: "julia", Extensions: []string{".jl"}, Interpreters: []string{"julia"}, Line: []string{"#"}, Block: [2]string{`#=`, `=#`}, Code: "ruby", Strings: textBlocks, Traits: Traits{Tests: snakeTests}},
	{Name: "elixir", Norm: Norm{Functions: "snake_case", Files: "snake_case"}, Tier: Symbols, Extensions: []string{".ex", ".exs"}, Names: []string{"mix.lock"}, Interpreters: []string{"elixir"}, Line: []string{"#"}, Code: "elixir", Strings: Strings{Single: true, Long: []string{`"""`}}, Tools: Tools{TestRuns: []string{"mix test"}, Manifests: []Manifest{{"mix.exs", "Elixir"}}}, Traits: Traits{Tests: snakeTests}},
	{Name: "erlang", Extensions: []string{".erl", ".hrl", ".escript", ".app.src"}, Names: []string{"rebar.config"}, Interpreters: []string{"escript"}, Line: []string{"%"}, Traits: Traits{Tests: snakeTests}},
	{Name: "haskell", Tier: Symbols, Extensions: []string{".hs", ".lhs", ".hsc"}, Interpreters: []string{"runghc", "runhaskell", "stack"}, Line: []string{"--"}, Block: [2]string{`{-`, `-}`}, Code: "haskell", Tools: Tools{TestRuns: []string{"cabal test", "stack test"}, Manifests: []Manifest{{"*.cabal", "Haskell"}}}, Traits: Traits{Tests: TestNames{Suffixes: []string{"Spec", "Test"}}}},
	{Name: "ocaml", Tier: Symbols, Extensions: []string{".ml", ".mli", ".mll", ".mly"}, Interpreters: []string{"ocaml", "ocamlrun"}, Block: [2]string{`(*`, `*)`}, Code: "ocaml", Tools: Tools{TestRuns: []string{"dune test", "dune runtest"}}, Traits: Traits{SCIP: "OCaml"}},
	{Name: "fsharp", Extensions: []string{".fs", ".fsi", ".fsx"}, Line: []string{"//"}, Block: [2]string{`(*`, `*)`}, Code: "ocaml", Traits: Traits{BracketAttributes: true, MayUse: "csharp"}},
	{Name: "clojure", Extensions: []string{".clj", ".cljs", ".cljc", ".edn", ".bb"}, Interpreters: []string{"clojure", "bb"}, Line: []string{";"}, Tools: Tools{TestRuns: []string{"lein test"}}, Traits: Traits{MayUse: "jvm"}},
	{Name: "lisp", Extensions: []string{".lisp", ".lsp", ".cl", ".asd"}, Interpreters: []string{"sbcl"}, Line: []string{";"}, Block: [2]string{`#|`, `|#`}},
	{Name: "emacs-lisp", Extensions: []string{".el"}, Names: []string{".emacs"}, Interpreters: []string{"emacs"}, Line: []string{";"}},
	{Name: "scheme", Extensions: []string{".scm", ".ss", ".rkt", ".sld"}, Interpreters: []string{"guile", "racket"}, Line: []string{";"}, Block: [2]string{`#|`, `|#`}},
	{Name: "nim", Extensions: []string{".nim", ".nims", ".nimble"}, Interpreters: []string{"nim"}, Line: []string{"#"}, Block: [2]string{`#[`, `]#`}, Code: "python", Traits: Traits{MayUse: "c", Tests: snakeTests}},
	{Name: "zig", Tier: Symbols, Extensions: []string{".zig", ".zon"}, Line: []string{"//"}, Code: "braces", Tools: Tools{TestRuns: []string{"zig build test"}}, Traits: Traits{MayUse: "c", Tests: snakeTests}},
	{Name: "crystal", Extensions: []string{".cr"}, Interpreters: []string{"crystal"}, Line: []string{"#"}, Code: "ruby", Traits: Traits{Tests: snakeTests}},
	{Name: "d", Extensions: []string{".d", ".di"}, Interpreters: []string{"rdmd"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "semicolons", Traits: Traits{MayUse: "c"}},
	{Name: "v", Extensions: []string{".vsh"}, Interpreters: []string{"v"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "verilog", Extensions: []string{".v", ".vh", ".sv", ".svh"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "vhdl", Extensions: []string{".vhd", ".vhdl"}, Line: []string{"--"}},
	{Name: "pascal", Extensions: []string{".pas", ".dpr", ".lpr", ".pp"}, Line: []string{"//"}, Block: [2]string{`{`, `}`}, Traits: Traits{MayUse: "c"}},
	{Name: "ada", Extensions: []string{".adb", ".ads"}, Line: []string{"--"}, Traits: Traits{MayUse: "c"}},
	{Name: "fortran", Extensions: []string{".f", ".f77", ".f90", ".f95", ".f03", ".f08", ".for"}, Line: []string{"!"}, Traits: Traits{MayUse: "c"}},
	{Name: "cobol", Extensions: []string{".cob", ".cbl", ".cpy"}, Line: []string{"*>"}},
	{Name: "assembly", Extensions: []string{".s", ".asm", ".nasm"}, Line: []string{";", "#", "//"}, Block: [2]string{`/*`, `*/`}, Traits: Traits{MayUse: "c go"}},
	{Name: "matlab", Extensions: []string{".mat"}, Interpreters: []string{"octave"}, Line: []string{"%"}, Block: [2]string{`%{`, `%}`}},
	{Name: "visual-basic", Extensions: []string{".vb", ".bas", ".vbs"}, Line: []string{"'"}, Traits: Traits{MayUse: "csharp"}},
	{Name: "powershell", Extensions: []string{".ps1", ".psm1", ".psd1"}, Interpreters: []string{"pwsh", "powershell"}, Line: []string{"#"}, Block: [2]string{`<#`, `#>`}},
	{Name: "shell", Tier: Symbols, Extensions: []string{".sh", ".bash", ".zsh", ".ksh", ".bats", ".fish", ".command"}, Names: []string{".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".envrc", "PKGBUILD", "APKBUILD", "gradlew", "mvnw", "configure"}, Interpreters: []string{"sh", "bash", "zsh", "ksh", "dash", "ash", "fish", "bats", "busybox"}, Line: []string{"#"}, Code: "shell", Strings: Strings{Single: true}, Tools: Tools{TestRuns: []string{"bats"}}, Traits: Traits{Tests: snakeTests, SCIP: "ShellScript"}},
	{Name: "batch", Extensions: []string{".bat", ".cmd"}, Line: []string{"REM", "::"}},
	{Name: "awk", Extensions: []string{".awk"}, Interpreters: []string{"awk", "gawk", "mawk", "nawk"}, Line: []string{"#"}},
	{Name: "sed", Extensions: []string{".sed"}, Interpreters: []string{"sed"}, Line: []string{"#"}},
	{Name: "tcl", Extensions: []string{".tcl", ".tm"}, Interpreters: []string{"tclsh", "wish", "expect"}, Line: []string{"#"}},
	{Name: "vim", Extensions: []string{".vim", ".vimrc"}, Names: []string{".vimrc", ".gvimrc", "_vimrc"}},
	{Name: "sql", Tier: Symbols, Extensions: []string{".sql", ".ddl", ".dml", ".psql", ".plsql", ".pgsql"}, Line: []string{"--"}, Block: [2]string{`/*`, `*/`}, Traits: Traits{Tables: true, SCIP: "SQL"}},
	{Name: "solidity", Extensions: []string{".sol"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "move", Extensions: []string{".move"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "cuda", Extensions: []string{".cu", ".cuh"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Traits: Traits{MayUse: "c"}},
	{Name: "opencl", Extensions: []string{".opencl"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Traits: Traits{MayUse: "c"}},
	{Name: "glsl", Extensions: []string{".glsl", ".vert", ".frag", ".geom", ".comp", ".tesc", ".tese"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "hlsl", Extensions: []string{".hlsl", ".fx"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "wgsl", Extensions: []string{".wgsl"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "metal", Extensions: []string{".metal"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Traits: Traits{MayUse: "c"}},
	{Name: "module-definition", Extensions: []string{".def"}, Line: []string{";"}, Traits: Traits{MayUse: "c"}},
	{Name: "qml", Extensions: []string{".qml"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Traits: Traits{MayUse: "c script"}},
	{Name: "webassembly", Extensions: []string{".wat", ".wast"}, Line: []string{";;"}, Block: [2]string{`(;`, `;)`}},
	{Name: "llvm", Extensions: []string{".ll"}, Line: []string{";"}},
	{Name: "coffeescript", Extensions: []string{".coffee", ".litcoffee"}, Names: []string{"Cakefile"}, Interpreters: []string{"coffee"}, Line: []string{"#"}, Block: [2]string{`###`, `###`}, Strings: pythonStrings, Traits: Traits{MayUse: "script"}},
	{Name: "elm", Extensions: []string{".elm"}, Line: []string{"--"}, Block: [2]string{`{-`, `-}`}},
	{Name: "purescript", Extensions: []string{".purs"}, Line: []string{"--"}, Block: [2]string{`{-`, `-}`}, Traits: Traits{MayUse: "script"}},
	{Name: "rescript", Extensions: []string{".res", ".resi", ".re", ".rei"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Traits: Traits{MayUse: "script"}},
	{Name: "haxe", Extensions: []string{".hx"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "gdscript", Extensions: []string{".gd"}, Line: []string{"#"}},
	{Name: "apex", Extensions: []string{".apex"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "prolog", Extensions: []string{".pro", ".prolog"}, Interpreters: []string{"swipl"}, Line: []string{"%"}, Block: [2]string{`/*`, `*/`}},
	{Name: "coq", Extensions: []string{".coq"}, Block: [2]string{`(*`, `*)`}},
	{Name: "lean", Extensions: []string{".lean"}, Interpreters: []string{"lean"}, Line: []string{"--"}, Block: [2]string{`/-`, `-/`}},
	{Name: "agda", Extensions: []string{".agda"}, Line: []string{"--"}, Block: [2]string{`{-`, `-}`}},
	{Name: "idris", Extensions: []string{".idr"}, Line: []string{"--"}, Block: [2]string{`{-`, `-}`}},
	{Name: "mojo", Extensions: []string{".mojo"}, Interpreters: []string{"mojo"}, Line: []string{"#"}, Traits: Traits{MayUse: "python"}},
	{Name: "odin", Extensions: []string{".odin"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Traits: Traits{MayUse: "c"}},
	{Name: "gleam", Extensions: []string{".gleam"}, Line: []string{"//"}},
	{Name: "vala", Extensions: []string{".vala", ".vapi"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Traits: Traits{MayUse: "c"}},
	{Name: "ragel", Extensions: []string{".rl"}, Line: []string{"#"}, Traits: Traits{MayUse: "c"}},
	{Name: "yacc", Extensions: []string{".y", ".yy"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Traits: Traits{MayUse: "c"}},
	{Name: "lex", Extensions: []string{".l", ".lex"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Traits: Traits{MayUse: "c"}},
	{Name: "antlr", Extensions: []string{".g4"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "pest", Extensions: []string{".pest"}, Line: []string{"//"}},
	{Name: "ungrammar", Extensions: []string{".ungram"}, Line: []string{"//"}},
	{Name: "smali", Extensions: []string{".smali"}, Line: []string{"#"}},

	// Building and deploying.
	{Name: "starlark", Extensions: []string{".bzl", ".bazel", ".star"}, Names: []string{"BUILD", "WORKSPACE", "BUCK", "Tiltfile"}, Line: []string{"#"}, Tools: Tools{TestRuns: []string{"bazel test"}}},
	{Name: "makefile", Builds: true, Tier: Symbols, Extensions: []string{".mk", ".mak", ".make"}, Names: []string{"Makefile", "GNUmakefile", "BSDmakefile", "Kbuild"}, Interpreters: []string{"make"}, Line: []string{"#"}, Tools: Tools{TestRuns: []string{"make test", "make check"}}},
	{Name: "cmake", Builds: true, Extensions: []string{".cmake"}, Names: []string{"CMakeLists.txt"}, Interpreters: []string{"cmake"}, Line: []string{"#"}, Block: [2]string{`#[[`, `]]`}, Tools: Tools{TestRuns: []string{"ctest"}, Manifests: []Manifest{{"CMakeLists.txt", "CMake"}}}},
	{Name: "meson", Names: []string{"meson.build", "meson_options.txt"}, Line: []string{"#"}},
	{Name: "ninja", Extensions: []string{".ninja"}, Line: []string{"#"}},
	{Name: "just", Extensions: []string{".just"}, Names: []string{"justfile", ".justfile"}, Interpreters: []string{"just"}, Line: []string{"#"}, Tools: Tools{TestRuns: []string{"just test"}}},
	{Name: "autoconf", Extensions: []string{".ac", ".m4"}, Names: []string{"configure.ac"}, Line: []string{"dnl", "#"}},
	{Name: "dockerfile", Tier: Symbols, Extensions: []string{".dockerfile", ".containerfile"}, Names: []string{"Dockerfile", "Containerfile"}, Line: []string{"#"}},
	{Name: "hcl", Tier: Symbols, Extensions: []string{".tf", ".tfvars", ".hcl", ".nomad"}, Line: []string{"#", "//"}, Block: [2]string{`/*`, `*/`}, Traits: Traits{Scope: DirectoryScope}},
	{Name: "nix", Extensions: []string{".nix"}, Line: []string{"#"}, Block: [2]string{`/*`, `*/`}},
	{Name: "puppet", Extensions: []string{".epp"}, Names: []string{"Puppetfile"}, Line: []string{"#"}},
	{Name: "jsonnet", Extensions: []string{".jsonnet", ".libsonnet"}, Line: []string{"//", "#"}, Block: [2]string{`/*`, `*/`}},
	{Name: "cue", Extensions: []string{".cue"}, Line: []string{"//"}},
	{Name: "rego", Extensions: []string{".rego"}, Line: []string{"#"}},
	{Name: "dhall", Extensions: []string{".dhall"}, Line: []string{"--"}, Block: [2]string{`{-`, `-}`}},

	// Interface definitions.
	{Name: "proto", Tier: Symbols, Extensions: []string{".proto"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Traits: Traits{SCIP: "Protobuf"}},
	{Name: "thrift", Extensions: []string{".thrift"}, Line: []string{"//", "#"}, Block: [2]string{`/*`, `*/`}},
	{Name: "graphql", Extensions: []string{".graphql", ".gql", ".graphqls"}, Line: []string{"#"}, Traits: Traits{SCIP: "GraphQL"}},
	{Name: "prisma", Extensions: []string{".prisma"}, Line: []string{"//"}},
	{Name: "smithy", Extensions: []string{".smithy"}, Line: []string{"//"}},
	{Name: "avro", Extensions: []string{".avdl"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "capnp", Extensions: []string{".capnp"}, Line: []string{"#"}},
	{Name: "flatbuffers", Extensions: []string{".fbs"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "wit", Extensions: []string{".wit"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},

	{Name: "jvm-api", Sort: Data, Extensions: []string{".api"}, Line: []string{"//"}, Traits: Traits{BinaryNames: true, WholeFiles: true}},

	// Data and settings.
	{Name: "json", Tier: Symbols, Sort: Data, Extensions: []string{".json", ".jsonc", ".json5", ".geojson", ".webmanifest", ".har", ".jsonl", ".ndjson", ".map", ".ipynb", ".avsc", ".code-workspace", ".sarif"}, Names: []string{".babelrc", ".eslintrc", ".prettierrc", ".swcrc", ".jshintrc", ".watchmanconfig", "composer.lock", "Pipfile.lock", "flake.lock", ".arcconfig"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Traits: Traits{Settings: true, WholeFiles: true, SCIP: "JSON"}},
	{Name: "yaml", Tier: Symbols, Sort: Data, Extensions: []string{".yaml", ".yml", ".sublime-syntax", ".cff"}, Names: []string{".clang-format", ".clang-tidy", ".clangd", ".gemrc", "OWNERS", "OWNERS_ALIASES", "CITATION.cff", "yarn.lock"}, Line: []string{"#"}, Traits: Traits{Settings: true, WholeFiles: true, SCIP: "YAML"}},
	{Name: "toml", Tier: Symbols, Sort: Data, Extensions: []string{".toml"}, Names: []string{"Cargo.lock", "poetry.lock", "Pipfile", "uv.lock", "pdm.lock", "Gopkg.lock"}, Line: []string{"#"}, Traits: Traits{Settings: true, WholeFiles: true, SCIP: "TOML"}},
	{Name: "ini", Sort: Data, Extensions: []string{".ini", ".cfg", ".conf", ".properties", ".desktop", ".service", ".editorconfig", ".env", ".reg", ".npmrc"}, Names: []string{".editorconfig", ".gitconfig", ".gitmodules", ".npmrc", ".yarnrc", ".flake8", ".pylintrc", ".coveragerc", ".env", ".hgrc"}, Line: []string{"#", ";"}, Traits: Traits{WholeFiles: true}},
	{Name: "go-module", Sort: Data, Names: []string{"go.mod", "go.work", "go.sum", "go.work.sum"}, Line: []string{"//"}},
	{Name: "ignore", Sort: Data, Extensions: []string{".gitignore", ".ignore"}, Names: []string{".gitignore", ".dockerignore", ".npmignore", ".eslintignore", ".prettierignore", ".kenignore", ".helmignore", ".vscodeignore", ".git-blame-ignore-revs"}, Line: []string{"#"}},
	{Name: "gitattributes", Sort: Data, Extensions: []string{".gitattributes"}, Names: []string{".gitattributes", ".mailmap", "CODEOWNERS"}, Line: []string{"#"}},
	{Name: "csv", Sort: Data, Extensions: []string{".csv", ".tsv", ".psv"}},
	{Name: "xml", Sort: Data, Extensions: []string{".xml", ".xsd", ".xsl", ".xslt", ".wsdl", ".svg", ".plist", ".rss", ".atom", ".csproj", ".vbproj", ".fsproj", ".vcxproj", ".props", ".targets", ".resx", ".nuspec", ".pom", ".xhtml", ".storyboard", ".xib", ".iml", ".qrc", ".ui"}, Block: [2]string{`<!--`, `-->`}, Traits: Traits{WholeFiles: true, SCIP: "XML"}},
	{Name: "diff", Sort: Data, Extensions: []string{".diff", ".patch"}},
	{Name: "gettext", Sort: Data, Extensions: []string{".po", ".pot"}, Line: []string{"#"}},
	{Name: "pem", Sort: Data, Extensions: []string{".pem", ".crt", ".cer", ".csr", ".key", ".pub"}},

	// Pages and their styles.
	{Name: "html", Tier: Symbols, Sort: Markup, Extensions: []string{".html", ".htm", ".shtml", ".tmpl.html"}, Block: [2]string{`<!--`, `-->`}, Traits: Traits{Actions: "{{ }} {% %} <% %> <? ?> ${ } #{ } [[ ]] [( )]", MayUse: "*", WholeFiles: true, SCIP: "HTML"}},
	{Name: "vue", Tier: Full, Sort: Markup, Extensions: []string{".vue"}, Line: []string{"//"}, Block: [2]string{`<!--`, `-->`}, Code: "braces", Strings: scriptStrings, Traits: Traits{OpenMembers: true, DeclarationStem: ".d", Family: "script", Tests: scriptTests, TestMarks: scriptTestMarks, Implicit: scriptImplicit, Unnamed: scriptUnnamed, Reflection: scriptReflection}},
	{Name: "svelte", Tier: Full, Sort: Markup, Extensions: []string{".svelte"}, Line: []string{"//"}, Block: [2]string{`<!--`, `-->`}, Code: "braces", Strings: scriptStrings, Traits: Traits{OpenMembers: true, DeclarationStem: ".d", ExportLists: true, Family: "script", Tests: scriptTests, TestMarks: scriptTestMarks, Implicit: scriptImplicit, Unnamed: scriptUnnamed, Reflection: scriptReflection}},
	{Name: "astro", Sort: Markup, Extensions: []string{".astro"}, Line: []string{"//"}, Block: [2]string{`<!--`, `-->`}, Traits: Traits{MayUse: "*"}},
	{Name: "css", Tier: Symbols, Sort: Markup, Extensions: []string{".css", ".pcss", ".postcss"}, Block: [2]string{`/*`, `*/`}, Tools: Tools{Generated: []string{".css.map"}}, Traits: Traits{Minified: true, WholeFiles: true, SCIP: "CSS"}},
	{Name: "scss", Tier: Symbols, Sort: Markup, Extensions: []string{".scss"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "semicolons", Traits: Traits{WholeFiles: true, SCIP: "SCSS"}},
	{Name: "sass", Sort: Markup, Extensions: []string{".sass"}, Line: []string{"//"}},
	{Name: "less", Tier: Symbols, Sort: Markup, Extensions: []string{".less"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}, Code: "semicolons"},
	{Name: "stylus", Sort: Markup, Extensions: []string{".styl"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "handlebars", Sort: Markup, Extensions: []string{".hbs", ".handlebars", ".mustache"}, Block: [2]string{`{{!--`, `--}}`}, Traits: Traits{Actions: "{{ }}", MayUse: "*"}},
	{Name: "ejs", Sort: Markup, Extensions: []string{".ejs"}, Block: [2]string{`<!--`, `-->`}, Traits: Traits{Actions: "<% %>", MayUse: "*"}},
	{Name: "erb", Sort: Markup, Extensions: []string{".erb"}, Block: [2]string{`<%#`, `%>`}, Traits: Traits{Actions: "<% %>", MayUse: "ruby"}},
	{Name: "jinja", Sort: Markup, Extensions: []string{".j2", ".jinja", ".jinja2"}, Block: [2]string{`{#`, `#}`}, Traits: Traits{Actions: "{# #} {{ }} {% %}", MayUse: "*"}},
	{Name: "liquid", Sort: Markup, Extensions: []string{".liquid"}, Traits: Traits{Actions: "{{ }} {% %}", MayUse: "*"}},
	{Name: "twig", Sort: Markup, Extensions: []string{".twig"}, Block: [2]string{`{#`, `#}`}, Traits: Traits{Actions: "{# #} {{ }} {% %}", MayUse: "php"}},
	{Name: "blade", Sort: Markup, Extensions: []string{".blade.php"}, Block: [2]string{`{{--`, `--}}`}, Traits: Traits{MayUse: "php"}},
	{Name: "pug", Sort: Markup, Extensions: []string{".pug", ".jade"}, Line: []string{"//"}, Traits: Traits{MayUse: "*"}},
	{Name: "haml", Sort: Markup, Extensions: []string{".haml"}, Line: []string{"-#"}, Traits: Traits{MayUse: "ruby"}},
	{Name: "slim", Sort: Markup, Extensions: []string{".slim"}, Line: []string{"/"}, Traits: Traits{MayUse: "ruby"}},
	{Name: "razor", Sort: Markup, Extensions: []string{".cshtml", ".razor"}, Block: [2]string{`@*`, `*@`}, Traits: Traits{MayUse: "*"}},
	{Name: "xaml", Sort: Markup, Extensions: []string{".xaml", ".axaml"}, Block: [2]string{`<!--`, `-->`}, Traits: Traits{MayUse: "csharp"}},
	{Name: "jsp", Sort: Markup, Extensions: []string{".jsp", ".jspx", ".ftl"}, Block: [2]string{`<%--`, `--%>`}, Traits: Traits{Actions: "<% %> ${ } #{ } <# > <@ >", MayUse: "jvm"}},
	{Name: "go-template", Sort: Markup, Extensions: []string{".tmpl", ".gotmpl", ".gohtml", ".tpl"}, Block: [2]string{`{{/*`, `*/}}`}, Traits: Traits{Actions: "{{ }}", MayUse: "*"}},
	{Name: "graphviz", Sort: Markup, Extensions: []string{".dot", ".gv"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "mermaid", Sort: Markup, Extensions: []string{".mmd", ".mermaid"}, Line: []string{"%%"}},
	{Name: "plantuml", Sort: Markup, Extensions: []string{".puml", ".plantuml"}, Line: []string{"'"}},

	// Prose.
	{Name: "markdown", Tier: Symbols, Sort: Prose, Extensions: []string{".md", ".markdown", ".mdown", ".mkd", ".mdc"}, Block: [2]string{`<!--`, `-->`}, Traits: Traits{Components: true, MayUse: "script", WholeFiles: true}},
	{Name: "mdx", Sort: Prose, Extensions: []string{".mdx"}, Block: [2]string{`{/*`, `*/}`}, Traits: Traits{Actions: "{ }", MayUse: "script"}},
	{Name: "rst", Sort: Prose, Extensions: []string{".rst", ".rest"}, Line: []string{".."}},
	{Name: "asciidoc", Sort: Prose, Extensions: []string{".adoc", ".asciidoc", ".asc"}, Line: []string{"//"}, Block: [2]string{`////`, `////`}},
	{Name: "org", Sort: Prose, Extensions: []string{".org"}, Line: []string{"#"}},
	{Name: "tex", Sort: Prose, Extensions: []string{".tex", ".sty", ".bib", ".ltx", ".dtx"}, Line: []string{"%"}},
	{Name: "typst", Sort: Prose, Extensions: []string{".typ"}, Line: []string{"//"}, Block: [2]string{`/*`, `*/`}},
	{Name: "roff", Sort: Prose, Extensions: []string{".man", ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8"}},
	{Name: "text", Sort: Prose, Extensions: []string{".txt", ".text", ".log"}, Names: []string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "CONTRIBUTORS", "MAINTAINERS", "PATENTS", "README", "CHANGELOG", "CHANGES", "NEWS", "TODO", "INSTALL", "HISTORY", "THANKS", "VERSION"}, Traits: Traits{WholeFiles: true, PlainText: true}},
}
