package find_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ken/internal/ask/find"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

// paths are the files found for a query, best first.
func paths(p *enginetest.Project, query string) (out []string) {
	p.T.Helper()
	p.Ask(func(ctx context.Context, s *view.Snapshot) error {
		found, err := find.Find(ctx, s, query, find.SearchOptions{Limit: 40})
		out = nil
		if err == nil {
			for i := range found.Files {
				out = append(out, found.Files[i].Path)
			}
		}
		return err
	})
	return out
}

// TestTraceback: a file that a traceback names and that is no library's comes
// first, however many other files hold the words of the message.
func TestTraceback(t *testing.T) {
	const words = "export function updateComponent(component, instance) { /* component should update, props of undefined */ }\n"
	p := enginetest.New(t, map[string]string{
		"core/renderer.ts":                "export function patch() {}\n",
		"core/component.ts":               strings.Repeat(words, 9),
		"core/componentProps.ts":          strings.Repeat(words, 7),
		"core/componentUpdate.ts":         strings.Repeat(words, 8),
		"web/app.py":                      "def handle(): pass\n",
		"web/models.py":                   "def query_set_of_models_with_missing_key(): pass\n",
		"web/keys.py":                     "class KeyMissing: pass\n" + strings.Repeat("# missing key of a query set\n", 9),
		"vendor/lib/keys.js":              "module.exports = 1\n",
		"test/renderer.test.ts":           "test('component', () => { updateComponent() })\n",
		"tests/fixtures/core/renderer.ts": "",
	})
	for _, c := range []struct{ query, first string }{
		{"Component does not update\n\nTypeError: props of undefined in component\n    at updateComponent (core/renderer.ts:1280:9)\n    at run (<anonymous>:12:3)", "core/renderer.ts"},
		{"Component does not update\n\nTypeError: props of undefined in component\n    at get (/home/u/app/node_modules/lib/keys.js:3:1)\n    at updateComponent (/home/u/app/core/renderer.ts:1280:9)", "core/renderer.ts"},
		{"missing key of a query set\n\nTraceback (most recent call last):\n  File \"/srv/web/app.py\", line 1, in handle\n    y()\n" +
			"  File \"/usr/lib/python3/site-packages/orm/models.py\", line 12, in get\nKeyError: missing key", "web/app.py"},
		{"missing key of a query set, see /tmp/x/app.py:3", "web/keys.py"}, // somebody's own file of that name
	} {
		got := paths(p, c.query)
		if len(got) == 0 || got[0] != c.first {
			t.Errorf("%q: %v, want %s first", c.query, got, c.first)
		}
	}
}

// TestAside: what repeats the words of code without being what a change is made in
// comes after everything else, unless the query asks for it.
func TestAside(t *testing.T) {
	const said = "The invoice reminder could not be sent\n"
	text := strings.Repeat(said, 6)
	p := enginetest.New(t, map[string]string{
		"billing/send.py":                             "def remind(invoice):\n    raise Error('reminder could not be sent')\n",
		"billing/other.py":                            "def other():\n    return 'sent'\n",
		"locale/de/messages.po":                       "msgid \"The invoice reminder could not be sent\"\n" + strings.ReplaceAll(text, "The", "# The"),
		"web/i18n/de.json":                            `{"invoice reminder could not be sent": "Die Mahnung zur invoice reminder konnte nicht sent werden"}`,
		"web/i18n/loader.ts":                          "export function load() { /* invoice */ }\n",
		"third_party/mailer/reminder.py":              "def invoice_reminder_could_not_be_sent(): pass\n",
		"billing/migrations/0007_invoice_reminder.py": "class Migration:\n    invoice_reminder = 'could not be sent'\n",
		"billing/migrations/runner.py":                "def run_invoice():\n    pass\n",
		"conf/project_template/invoice_reminder.py":   "invoice_reminder = 'could not be sent'\n",
		"tests/fixtures/invoice_reminder.json":        `{"invoice": "reminder could not be sent"}`,
	})
	aside := []string{"locale/de/messages.po", "web/i18n/de.json", "third_party/mailer/reminder.py", "billing/migrations/0007_invoice_reminder.py",
		"conf/project_template/invoice_reminder.py", "tests/fixtures/invoice_reminder.json"}
	got := paths(p, "invoice reminder could not be sent")
	seen := 0
	for _, f := range got {
		if slices.Contains(aside, f) {
			seen++
		} else if seen > 0 {
			t.Errorf("%s comes after what was not asked for: %v", f, got)
		}
	}
	if got[0] != "billing/send.py" || seen != len(aside) {
		t.Errorf("found %v", got)
	}
	for _, c := range []struct{ query, first string }{
		{"german translation of the invoice reminder that could not be sent", "locale/de/messages.po web/i18n/de.json"},
		{"third-party invoice reminder could not be sent", "third_party/mailer/reminder.py"},
		{"migration for the invoice reminder", "billing/migrations/0007_invoice_reminder.py"},
		{"project template with invoice reminder", "conf/project_template/invoice_reminder.py"},
		{"invoice reminder path:third_party", "third_party/mailer/reminder.py"},
		{"tests/fixtures/invoice_reminder.json", "tests/fixtures/invoice_reminder.json"},
	} {
		got := paths(p, c.query)
		if len(got) == 0 || !slices.Contains(strings.Fields(c.first), got[0]) {
			t.Errorf("%q: %v, want %s first", c.query, got, c.first)
		}
	}
}

// TestFilters: filters alone list what passes them by rank, and they find what words rank low.
func TestFilters(t *testing.T) {
	files := map[string]string{
		"src/rate.service.ts": "import { db } from './db'\nexport class RateService { go() { return db } }\n",
		"src/auth.service.ts": "import { RateService } from './rate.service'\nimport { db } from './db'\nexport const auth = [RateService, db]\n",
		"src/db.ts":           "export const db = 1\n",
		"src/late.service.ts": "export function late() { return 'a rate among others' }\n",
		"README.md":           "# Authentication\n\nHow it works.\n",
	}
	for i := range 200 { // more than there are candidates
		files[fmt.Sprintf("src/rates/rate%d.ts", i)] = "export const rate = 'rate rate rate'\n"
	}
	p := enginetest.New(t, files)
	for _, c := range []struct{ query, want string }{
		{"type:service", "src/rate.service.ts src/auth.service.ts src/late.service.ts"},
		{"kind:class", "src/rate.service.ts"},
		{"path:src/db.ts lang:typescript", "src/db.ts"},
		{"rate type:service path:late", "src/late.service.ts"},
	} {
		if got := strings.Join(paths(p, c.query), " "); got != c.want {
			t.Errorf("%q: %s, want %s", c.query, got, c.want)
		}
	}
}

// TestDoubtful: an answer is in doubt where trees ranked it and its first file is unlikely.
func TestDoubtful(t *testing.T) {
	files := make([]find.FoundFile, 1)
	for _, c := range []struct {
		of   find.Found
		want bool
	}{
		{find.Found{Files: files, ByTrees: true, Chance: 0.39}, true},
		{find.Found{Files: files, ByTrees: true, Chance: 0.4}, false},
		{find.Found{Files: files}, false},
		{find.Found{ByTrees: true}, false},
	} {
		if got := c.of.IsDoubtful(); got != c.want {
			t.Errorf("%+v: %v", c.of, got)
		}
	}
}
