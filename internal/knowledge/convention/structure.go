package convention

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// The topics about the structure of code. They take more agreement than names, because a newcomer follows them without a look at more code.
const (
	ErrorBases Topic = "error types extend"
	Results    Topic = "asynchronous functions return"
	Injection  Topic = "dependencies"
	Middleware Topic = "first middleware of routes"
	DataAccess Topic = "the database is used through"
)

var structural = []Topic{ErrorBases, Results, Injection, Middleware, DataAccess}

// minStructural is the least percentage of samples that agree for a convention about structure.
const minStructural = 80

// structurePatterns are the expressions by which structure is read from signatures and texts.
type structurePatterns struct{ wrapped, role, injected, route *regexp.Regexp }

var structure = sync.OnceValue(func() *structurePatterns {
	return &structurePatterns{
		// the type of the results of an asynchronous function: Promise<Result<User>>
		wrapped: regexp.MustCompile(`\b(Promise|Task|ValueTask|Future|Mono)<\s*(?:(Result|Either|Outcome|ErrorOr|OneOf)<)?`),
		role:    regexp.MustCompile(`(?:Service|Controller|Handler|Repository|UseCase|Resolver|Presenter|ViewModel)$`),
		// a parameter with a type of a name in capitals: "users: UserService", "IUserService users"
		injected: regexp.MustCompile(`[(,]\s*(?:@\w+(?:\([^()]*\))?\s*)*` +
			`(?:(?:private|protected|public|readonly|internal|val|var|final|override)\s+)*` +
			`(?:\w+\??\s*:\s*([A-Z]\w+)|([A-Z]\w+)(?:<[^<>]*>)?\s+\$?\w+)`),
		route: regexp.MustCompile(`\b(?:router|app|server|api|routes?)\.(?:get|post|put|patch|delete)\(` +
			"\\s*['\"`]([^'\"`\n]*)['\"`]\\s*,\\s*([\\w.]+)(?:\\([^()\n]*\\))?\\s*,"),
	}
})

// plainTypes are types in capitals whose values are no dependencies.
var plainTypes = strings.Fields("String Int Integer Long Double Float Boolean Bool Number Byte Short Char Character Object Any Date " +
	"Array List Map Set Optional Guid UUID Uri URL Duration Instant DateTime CancellationToken Promise Record Partial")

// countStructure counts the structure of one declaration: bases of error types, results, and parameters of constructors. list holds the
// declarations of the file.
func countStructure(t *voteCount, f *source, list []view.Symbol, i int) {
	y := &list[i]
	switch {
	case y.Parent < 0 && y.Kind.IsType():
		t.types[y.Name] = true
		for _, ending := range [...]string{"Error", "Exception"} {
			if !strings.HasSuffix(y.Name, ending) || y.Name == ending {
				continue
			}
			if base := baseName(y.Signature, f.Lang); base != "" {
				t.addChoice(key{topic: ErrorBases, lang: f.Lang}, f.Path+": "+y.Name, base)
			}
		}
		countInjection(t, f, list, i)
	case y.Kind.IsFunction() && y.Exported:
		m := structure().wrapped.FindStringSubmatch(y.Signature)
		if m == nil {
			return
		}
		pattern := m[1] + "<…>"
		if m[2] != "" {
			pattern = m[1] + "<" + m[2] + "<…>>"
		}
		t.addChoice(key{topic: Results, lang: f.Lang}, f.Path+": "+y.Name, pattern)
	}
}

// countInjection counts whether a class with a role gets what it needs through its constructor.
func countInjection(t *voteCount, f *source, list []view.Symbol, i int) {
	y := &list[i]
	if y.Kind != code.KindClass || !structure().role.MatchString(y.Name) || strings.Contains(y.Signature, "abstract ") {
		return
	}
	texts := []string{y.Signature}
	for k := i + 1; k < len(list); k++ {
		c := &list[k]
		isConstructor := c.Kind == code.KindConstructor || slices.Contains([]string{"__init__", "__construct", "constructor"}, c.Name)
		if c.Parent == int32(i) && isConstructor {
			texts = append(texts, c.Signature)
		}
	}
	pattern := "made where they are used"
	for _, text := range texts {
		for _, m := range structure().injected.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(plainTypes, m[1]+m[2]) {
				pattern = "through constructors"
			}
		}
	}
	t.addChoice(key{topic: Injection, lang: f.Lang}, f.Path+": "+y.Name, pattern)
}

// baseName returns the first type that a declaration extends, by its signature; "" if there is none.
func baseName(signature string, l code.Lang) string {
	rest := ""
	switch row := lang.Of(l); {
	case strings.Contains(signature, " extends "):
		_, rest, _ = strings.Cut(signature, " extends ")
	case strings.Contains(signature, " < "):
		_, rest, _ = strings.Cut(signature, " < ")
	case row.Code == "python":
		_, rest, _ = strings.Cut(signature, "(")
	default: // ": Base" behind the parameters
		depth := 0
		for i, c := range signature {
			switch c {
			case '(', '<', '[':
				depth++
			case ')', '>', ']':
				depth--
			case ':':
				if depth == 0 && rest == "" {
					rest = strings.TrimSpace(signature[i+1:])
				}
			}
		}
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return !isNameRune(r) })
	if end < 0 {
		end = len(rest)
	}
	name := rest[:end]
	return name[strings.LastIndexAny(name, `.:\`)+1:]
}

func isNameRune(r rune) bool {
	return strings.ContainsRune(`_.:\`, r) || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// drivers are packages that speak to a database, by the name that files import.
var drivers = strings.Fields("pg mysql mysql2 sqlite3 better-sqlite3 mongodb mongoose knex ioredis redis @prisma/client drizzle-orm psycopg2 psycopg " +
	"asyncpg pymysql pymongo sqlalchemy sqlx rusqlite tokio-postgres diesel github.com/jmoiron/sqlx github.com/lib/pq github.com/jackc/pgx gorm.io/gorm")

// webFrameworks are packages whose routes name their middleware.
var webFrameworks = []string{"express", "@koa/router", "koa-router", "hono"}

// countImports notes who imports a driver of a database, and counts the first middleware of routes.
func countImports(ctx context.Context, t *voteCount, s *view.Snapshot, f *source, imports []view.ResolvedImport) error {
	hasRoutes := false
	for i := range imports {
		m := &imports[i]
		if slices.Contains(drivers, m.External) {
			t.drivers[m.External] = append(t.drivers[m.External], f.Path)
		}
		for _, to := range m.Targets {
			if users := t.users[to]; len(users) == 0 || users[len(users)-1] != f.Path {
				t.users[to] = append(users, f.Path)
			}
		}
		hasRoutes = hasRoutes || slices.Contains(webFrameworks, m.External)
	}
	if !hasRoutes {
		return nil
	}
	text, err := s.Text(ctx, f.Path)
	for _, m := range structure().route.FindAllSubmatch(text, -1) {
		t.addChoice(key{topic: Middleware, lang: f.Lang}, f.Path+": "+string(m[1]), string(m[2]))
	}
	return err
}

// addDataAccess adds a convention for each driver that one file imports for several others: all of them are its samples.
func (t *voteCount) addDataAccess() {
	seen := map[string]bool{}
	for _, importers := range t.drivers {
		slices.Sort(importers)
		importers = slices.Compact(importers)
		if len(importers) != 1 || seen[importers[0]] {
			continue
		}
		seen[importers[0]] = true
		for _, user := range t.users[importers[0]] {
			t.addChoice(key{topic: DataAccess, part: importers[0]}, user, importers[0])
		}
	}
}

// holds reports whether a convention about structure has a pattern that is worth a line: bases that the project declares, results and
// dependencies in the form that is not everywhere.
func (t *voteCount) holds(c *Convention) bool {
	if !slices.Contains(structural, c.Topic) {
		return true
	}
	switch {
	case c.Agree*100 < minStructural*c.Samples:
		return false
	case c.Topic == ErrorBases:
		return t.types[c.Pattern]
	case c.Topic == Results:
		return strings.HasSuffix(c.Pattern, "<…>>")
	case c.Topic == Injection:
		return c.Pattern == "through constructors"
	case c.Topic == Middleware:
		return path.Base(c.Pattern) != "async"
	}
	return true
}
