package lang

import "ken/internal/code"

// Tools are the commands and files of the tools that come with a language.
type Tools struct {
	TestRuns  []string   // commands that run tests, as the first words of a command
	Manifests []Manifest // files that declare a project and its dependencies
	Installs  []Install
	Generated []string // endings of the names of generated files
}

// Manifest is a file that declares a project.
type Manifest struct {
	Pattern   string // a pattern of path.Match for the base name
	Ecosystem string
}

// Install is a command that adds a dependency, and the manifest it writes it into.
type Install struct{ Command, Manifest string }

// TestCommands lists the commands that run the tests of any language.
func TestCommands() []string { return column(func(t *Tools) []string { return t.TestRuns }) }

// Manifests lists the manifests of all languages.
func Manifests() []Manifest { return column(func(t *Tools) []Manifest { return t.Manifests }) }

// Ecosystem returns the ecosystem, as Manifest names it, of the packages that code of a language imports; "" if none is known.
func Ecosystem(l code.Lang) string {
	switch l {
	case "typescript", "javascript", "vue", "svelte", "astro":
		return "npm"
	case "java", "kotlin", "scala":
		return "Maven"
	}
	if m := Of(l).Tools.Manifests; len(m) > 0 {
		return m[0].Ecosystem
	}
	return ""
}

// Installs lists the commands of all languages that add a dependency.
func Installs() []Install { return column(func(t *Tools) []Install { return t.Installs }) }

// GeneratedEndings lists the endings of the names of generated files of all languages.
func GeneratedEndings() []string { return column(func(t *Tools) []string { return t.Generated }) }

func column[T any](values func(t *Tools) []T) (all []T) {
	for i := range table {
		all = append(all, values(&table[i].Tools)...)
	}
	return all
}

// Tools that several languages have in common.
var (
	goTools = Tools{
		TestRuns:  []string{"go test", "gotestsum"},
		Manifests: []Manifest{{"go.mod", "Go"}},
		Installs:  []Install{{"go get", "go.mod"}},
		Generated: []string{".pb.go", ".pb.gw.go"},
	}
	scriptTools = Tools{
		TestRuns: []string{
			"npm test", "npm t", "npm run test", "yarn test", "yarn run test", "pnpm test", "pnpm run test", "bun test", "bun run test",
			"jest", "vitest", "mocha", "ava", "tap", "playwright test", "cypress run", "node --test", "deno test", "karma start",
		},
		Manifests: []Manifest{{"package.json", "npm"}, {"deno.json", "Deno"}, {"deno.jsonc", "Deno"}},
		Installs: []Install{
			{"npm install", "package.json"}, {"npm i", "package.json"}, {"npm add", "package.json"}, {"pnpm add", "package.json"},
			{"pnpm install", "package.json"}, {"yarn add", "package.json"}, {"bun add", "package.json"},
		},
		Generated: []string{"_pb.js", ".js.map", ".mjs.map"},
	}
	pythonTools = Tools{
		TestRuns: []string{"pytest", "py.test", "tox", "nox", "unittest", "nose2", "manage.py test", "django-admin test"},
		Manifests: []Manifest{
			{"pyproject.toml", "Python"}, {"requirements*.txt", "Python"}, {"setup.py", "Python"}, {"setup.cfg", "Python"}, {"Pipfile", "Python"},
		},
		Installs:  []Install{{"poetry add", "pyproject.toml"}, {"uv add", "pyproject.toml"}},
		Generated: []string{"_pb2.py", "_pb2_grpc.py", "_pb2.pyi"},
	}
	rustTools = Tools{
		TestRuns:  []string{"cargo test", "cargo nextest"},
		Manifests: []Manifest{{"Cargo.toml", "Cargo"}},
		Installs:  []Install{{"cargo add", "Cargo.toml"}},
	}
	javaTools = Tools{
		TestRuns:  []string{"mvn test", "mvn verify", "mvnw test", "mvnw verify", "gradle test", "gradle check", "gradlew test", "gradlew check"},
		Manifests: []Manifest{{"pom.xml", "Maven"}, {"build.gradle", "Gradle"}, {"build.gradle.kts", "Gradle"}},
	}
	csharpTools = Tools{
		TestRuns:  []string{"dotnet test"},
		Manifests: []Manifest{{"*.csproj", ".NET"}},
		Generated: []string{".designer.cs", ".Designer.cs", ".g.cs"},
	}
	phpTools = Tools{
		TestRuns:  []string{"phpunit", "pest", "composer test", "artisan test"},
		Manifests: []Manifest{{"composer.json", "Composer"}},
		Installs:  []Install{{"composer require", "composer.json"}},
	}
	rubyTools = Tools{
		TestRuns:  []string{"rspec", "rake test", "rails test"},
		Manifests: []Manifest{{"Gemfile", "Ruby"}, {"*.gemspec", "Ruby"}},
		Installs:  []Install{{"bundle add", "Gemfile"}},
	}
	dartTools = Tools{
		TestRuns:  []string{"dart test", "flutter test"},
		Manifests: []Manifest{{"pubspec.yaml", "Dart"}},
		Installs:  []Install{{"flutter pub add", "pubspec.yaml"}, {"dart pub add", "pubspec.yaml"}},
		Generated: []string{".g.dart", ".freezed.dart"},
	}
)
