package fleet

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/mod/semver"
)

// TestVersions has versions of each manager in ascending order; = stands between equal ones.
func TestVersions(t *testing.T) {
	for manager, order := range map[string]string{
		"go":       "v0.9.0 v1.0.0-alpha v1.0.0-alpha.1 v1.0.0-alpha.beta v1.0.0-rc.1 v1.0.0 v1.2.0 v1.10.0 v2.0.0+incompatible",
		"npm":      "1.0.0-0 1.0.0-beta.2 1.0.0-beta.11 1.0.0 = v1.0.0 1.0.1 10.0.0",
		"cargo":    "0.1.9 0.1.10 0.2.0",
		"nuget":    "1.0 = 1.0.0 = 1.0.0.0 1.0.0.1 1.0.1-preview1 1.0.1",
		"pypi":     "1.0.dev1 1.0a1.dev1 1.0a1 1.0b2 1.0rc1 = 1.0c1 1.0 = 1.0.0 = v1.0 1.0+local.1 1.0.post1.dev2 1.0.post1 = 1.0-1 1.1 1!0.1",
		"maven":    "1-alpha 1-alpha-2 = 1a2 1-beta 1-milestone 1-rc 1-SNAPSHOT 1 = 1.0 = 1-ga = 1.final 1-sp 1-abc 1-1 1.0.1 1.1 1.10 2",
		"gem":      "1.0.a 1.0.b1 1.0.b2 1.0 = 1.0.0 1.0.1 1.10",
		"composer": "v1.0.0-beta1 1.0.0-beta10 v1.0.0 = 1.0 1.2.0",
	} {
		words := strings.Fields(order)
		for i := 0; i+1 < len(words); i++ {
			a, b, want := words[i], words[i+1], -1
			if b == "=" {
				b, want = words[i+2], 0
				i++
			}
			if got, ok := CompareVersions(manager, a, b); got != want || !ok {
				t.Errorf("%s: %s and %s are %d, %v, want %d", manager, a, b, got, ok, want)
			}
			if got, _ := CompareVersions(manager, b, a); got != -want {
				t.Errorf("%s: %s and %s are %d, want %d", manager, b, a, got, -want)
			}
		}
	}
	for _, bad := range []string{"", "x", "${version}", "dev-main", "1.*", "[1,2)", strings.Repeat("1", 300)} {
		for _, manager := range []string{"go", "pypi", "gem"} {
			if _, ok := CompareVersions(manager, bad, "1.0"); ok {
				t.Errorf("%s: %.20q is a version", manager, bad)
			}
		}
	}
}

// made returns a version made of pieces drawn from a list.
func made(r *rand.Rand, pieces []string) string {
	s := fmt.Sprint(r.IntN(3))
	for range r.IntN(4) {
		s += pieces[r.IntN(len(pieces))]
	}
	return s
}

func TestSemver(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	version := func() string {
		s := fmt.Sprintf("v%d.%d.%d", r.IntN(3), r.IntN(12), r.IntN(3))
		for i := range r.IntN(4) {
			s += []string{"-", ".", ".", "."}[i] + []string{"alpha", "rc", "1", "2", "10", "a-b"}[r.IntN(6)]
		}
		return s
	}
	for range 20000 {
		a, b := version(), version()
		if got, ok := CompareVersions("npm", a, b); !ok || got != semver.Compare(a, b) {
			t.Fatalf("%s and %s are %d, %v, want %d", a, b, got, ok, semver.Compare(a, b))
		}
	}
}

// TestVersionOracles compares random versions with Python's packaging and Maven: KEN_MAVEN is the class path of
// maven-artifact, else that of Debian's package is used.
func TestVersionOracles(t *testing.T) {
	if os.Getenv("KEN_ORACLE") == "" {
		t.Skip("KEN_ORACLE is not set")
	}
	r := rand.New(rand.NewPCG(3, 4))
	pairs := func(pieces ...string) (list [][2]string) {
		for range 5000 {
			list = append(list, [2]string{made(r, pieces), made(r, pieces)})
		}
		return list
	}
	compare := func(manager string, list [][2]string, out []byte) {
		lines := strings.Fields(string(out))
		if len(lines) != len(list) {
			t.Fatalf("%s: %d answers", manager, len(lines))
		}
		judged, wrong := 0, 0
		for i, p := range list {
			if lines[i] == "?" {
				continue
			}
			judged++
			if got, ok := CompareVersions(manager, p[0], p[1]); !ok || fmt.Sprint(got) != lines[i] {
				if wrong++; wrong < 10 {
					t.Errorf("%s: %s and %s are %d, %v, want %s", manager, p[0], p[1], got, ok, lines[i])
				}
			}
		}
		t.Logf("%s: %d pairs judged, %d wrong", manager, judged, wrong)
	}
	ask := func(list [][2]string, name string, args ...string) []byte {
		cmd := exec.Command(name, args...)
		var in strings.Builder
		for _, p := range list {
			in.WriteString(p[0] + " " + p[1] + "\n")
		}
		cmd.Stdin = strings.NewReader(in.String())
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(name, err)
		}
		return out
	}
	py := pairs(".0", ".1", ".10", "a1", "b2", "rc1", ".post1", ".dev2", "-1", "+l.1", "+2", "!1", "c1")
	compare("pypi", py, ask(py, "python3", "-c", `import sys
from packaging.version import Version
for l in sys.stdin:
    try:
        a, b = map(Version, l.split()); print((a > b) - (a < b))
    except Exception: print("?")`))
	path := cmp.Or(os.Getenv("KEN_MAVEN"), "/usr/share/java/maven3-artifact.jar:/usr/share/java/commons-lang3.jar")
	if _, err := exec.LookPath("java"); err == nil {
		mv := pairs(".0", ".1", ".10", "-alpha", "-rc1", "-SNAPSHOT", "-1", ".final", "-sp", "b2", "-x", ".x", "-0", "m3", "-ga", "cr1")
		var args []string
		for _, p := range mv {
			args = append(args, p[0], p[1])
		}
		out, err := exec.Command("java", append([]string{"-cp", path, "org.apache.maven.artifact.versioning.ComparableVersion"}, args...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		compare("maven", mv, mavenVerdicts(string(out)))
	}
}

// mavenVerdicts reads what ComparableVersion prints: between two versions a line with the sign of their order, of which every second one
// is between the versions of a pair.
func mavenVerdicts(text string) []byte {
	var out strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) != 3 || !strings.Contains("<>==", words[1]) {
			continue
		}
		if n++; n%2 == 1 {
			out.WriteString(map[string]string{"<": "-1", ">": "1", "==": "0"}[words[1]] + "\n")
		}
	}
	return []byte(out.String())
}
