package engine_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
)

// csharpMiniature returns a world of C#: namespaces that do not follow directories,
// projects that refer to each other, usings of files and of projects.
func csharpMiniature() miniature {
	return miniature{"csharp", []string{"a/A.csproj", "a/T1.cs", "a/T2.cs", "a/x/T3.cs", "a/x/T1.Part.cs", "a/GlobalUsings.cs", "b/B.csproj", "b/T1.cs", "b/T4.cs", "b/Usings.cs",
		"b/x/Usings.cs", "b/test/BTests.csproj", "b/test/T1Tests.cs", "b/test/T2.cs", "T5.cs", "Directory.Build.props"}, csharpContent}
}

func csharpContent(rnd *rand.Rand, p string) string {
	switch path.Ext(p) {
	case ".csproj", ".props":
		var b strings.Builder
		b.WriteString("<Project><ItemGroup>\n")
		b.WriteString(some(rnd, 3, func() string {
			return pick(rnd, `<ProjectReference Include="..\a\A.csproj" />`, `<ProjectReference Include="..\B.csproj" />`, `<ProjectReference Include="..\b\B.csproj" />`,
				`<Using Include="N.M" />`, `<Using Remove="N.M" />`, `<ImplicitUsings>enable</ImplicitUsings>`, `<Compile Include="..\b\x\Usings.cs" />`, `<Using Include="N.T1" Static="true" />`, `<PackageReference Include="Lib.Two" />`, `<PackageReference Include="N.Q" />`)
		}))
		return b.String() + "</ItemGroup></Project>\n"
	}
	t := func() string {
		return pick(rnd, name(rnd, "T"), name(rnd, "T"), "N."+name(rnd, "T"), "N.M."+name(rnd, "T"), "M."+name(rnd, "T"), "In", "L1")
	}
	var b strings.Builder
	global := ""
	if strings.Contains(p, "Usings") || rnd.IntN(8) == 0 {
		global = "global "
	}
	b.WriteString(some(rnd, 3, func() string {
		return global + pick(rnd, "using N;", "using N.M;", "using N.Q;", "using Lib.Two;", "using System;", "using static N."+name(rnd, "T")+";", "using L1 = N.M."+name(rnd, "T")+";",
			"using L1 = N."+name(rnd, "T")+".In;", "using Xunit;", "using static N.M.T3.In;")
	}))
	space := pick(rnd, "N", "N", "N.M", "N.M", "N.Q", "", "System")
	if space != "" {
		b.WriteString("namespace " + space + ";\n")
	}
	class := strings.TrimSuffix(path.Base(p), ".cs")
	if i := strings.IndexByte(class, '.'); i >= 0 || rnd.IntN(4) == 0 {
		class = name(rnd, "T")
	}
	fmt.Fprintf(&b, "/// <summary>Class. More.</summary>\npublic %s %s %s {\n", pick(rnd, "class", "partial class", "static class", "interface", "struct"), class, pick(rnd, "", ": "+t(), ": "+t()+", I"+name(rnd, "T")))
	b.WriteString(some(rnd, 4, func() string {
		return pick(rnd, fmt.Sprintf("  %s f%d;", t(), rnd.IntN(3)), fmt.Sprintf("  public void M%d(%s x) { x.M1(); M2(); this.M1(); new %s(); base.M0(); }", rnd.IntN(3), t(), t()),
			fmt.Sprintf("  public class In : %s { public static void M%d() {} }", t(), rnd.IntN(3)), fmt.Sprintf("  [Fact] public void Test%d() { %s.M1(); }", rnd.IntN(3), name(rnd, "T")),
			fmt.Sprintf("  public static int M1(this T%d t) { return %d; }", 1+rnd.IntN(3), rnd.IntN(9)))
	}))
	b.WriteString("}\n")
	if rnd.IntN(4) == 0 {
		fmt.Fprintf(&b, "public interface I%s { void M1(); }\n", name(rnd, "T"))
	}
	return b.String()
}

// phpMiniature returns a world of PHP: classes where composer.json says, and where it
// does not.
func phpMiniature() miniature {
	return miniature{"php", []string{"composer.json", "sub/composer.json", "src/T1.php", "src/T2.php", "src/M/T3.php", "src/M/T1.php", "lib/T1.php", "lib/T4.php", "lib/functions.php",
		"sub/src/T2.php", "sub/src/T5.php", "tests/T1Test.php", "T6.php", "old/N/T3.php"}, phpContent}
}

func phpContent(rnd *rand.Rand, p string) string {
	if strings.HasSuffix(p, ".json") {
		return pick(rnd, `{"autoload":{"psr-4":{"N\\":"src/"}}}`, `{"autoload":{"psr-4":{"N\\":["src/","lib"],"N\\M\\":"lib/"}}}`, `{"autoload":{"psr-0":{"N\\":"old/"},"classmap":["lib/"]}}`, `{"autoload":{"psr-4":{"":"src/"}}}`, `{"name":"a/b"}`)
	}
	t := func() string {
		return pick(rnd, name(rnd, "T"), name(rnd, "T"), `\N\`+name(rnd, "T"), `M\`+name(rnd, "T"), `\`+name(rnd, "T"), "L1", `namespace\`+name(rnd, "T"))
	}
	var b strings.Builder
	b.WriteString("<?php\n")
	if space := pick(rnd, "N", "N", `N\M`, `N\M`, "", "Lib"); space != "" {
		b.WriteString("namespace " + space + ";\n")
	}
	b.WriteString(some(rnd, 3, func() string {
		return pick(rnd, `use N\`+name(rnd, "T")+";", `use N\M\`+name(rnd, "T")+";", `use N\M\`+name(rnd, "T")+" as L1;", `use N\M;`, `use function N\f1;`, `use Lib\{T1, T2 as L1};`, "use Exception;", `use PHPUnit\Framework\TestCase;`,
			"require __DIR__ . '/../lib/functions.php';", "require 'lib/T4.php';", "include __DIR__ . '/T2.php';", "use "+name(rnd, "T")+";")
	}))
	class := strings.TrimSuffix(path.Base(p), ".php")
	if class == "functions" || rnd.IntN(4) == 0 {
		class = name(rnd, "T")
	}
	fmt.Fprintf(&b, "/** Class. More. */\n%s %s %s {\n", pick(rnd, "class", "class", "abstract class", "interface", "trait"), class, pick(rnd, "", "extends "+t(), "implements "+t(), "extends "+t()+" implements "+t()))
	b.WriteString(some(rnd, 4, func() string {
		return pick(rnd, fmt.Sprintf("  private %s $f%d;", t(), rnd.IntN(3)), fmt.Sprintf("  public function m%d(%s $x) { $x->m1(); $this->m2(); self::m1(); return new %s(); }", rnd.IntN(3), t(), t()),
			"  use "+t()+";", fmt.Sprintf("  public function test%d() { f1(); %s::m1(); parent::m0(); }", rnd.IntN(3), t()), fmt.Sprintf("  const C%d = %d;", rnd.IntN(3), rnd.IntN(9)))
	}))
	b.WriteString("}\n")
	b.WriteString(some(rnd, 2, func() string {
		return pick(rnd, fmt.Sprintf("function f%d(%s $a) { return C1; }", rnd.IntN(3), t()), fmt.Sprintf("const C%d = 1;", rnd.IntN(3)), "class "+name(rnd, "T")+" {}", "f1(); f2(new "+t()+");", "$v1 = 2;")
	}))
	return b.String()
}
