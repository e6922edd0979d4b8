package render

import (
	"math"

	"ken/internal/ask/filename"
	"ken/internal/ask/impact"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

// companion is a file that goes with a target by its name.
type companion struct {
	Path   operation.Path `json:"file" doc:"file"`
	Of     operation.Path `json:"of" doc:"target it goes with"`
	Reason string         `json:"reason" doc:"how near their places are"`
}

// Companions are the files that go with a change, by purpose.
type Companions struct {
	Subjects     []companion `json:"subjects,omitempty" doc:"what a target tests, mocks, …"`
	Tests        []companion `json:"tests,omitempty" doc:"tests"`
	Headers      []companion `json:"headers,omitempty" doc:"C and C++: header, or source of a header"`
	Types        []companion `json:"types,omitempty" doc:"type declarations: .d.ts, .pyi, .mli, .rbs"`
	Generated    []companion `json:"generated,omitempty" doc:"generated from it, or what it is generated from"`
	Factories    []companion `json:"factories,omitempty" doc:"makers of test data"`
	Fixtures     []companion `json:"fixtures,omitempty" doc:"test data"`
	Mocks        []companion `json:"mocks,omitempty" doc:"mocks, stubs and fakes"`
	Snapshots    []companion `json:"snapshots,omitempty" doc:"recorded output"`
	Migrations   []companion `json:"migrations,omitempty" doc:"changes of a database table"`
	Seeders      []companion `json:"seeders,omitempty" doc:"first content of a table"`
	Stories      []companion `json:"stories,omitempty" doc:"component stories"`
	Styles       []companion `json:"styles,omitempty" doc:"style sheets"`
	Templates    []companion `json:"templates,omitempty" doc:"markup"`
	Translations []companion `json:"i18n,omitempty" doc:"translations"`
	Variants     []companion `json:"variants,omitempty" doc:"the same for another platform"`
	Layers       []companion `json:"layers,omitempty" doc:"another layer of the same thing: controller, service, …"`
	Benchmarks   []companion `json:"benchmarks,omitempty" doc:"measurements"`
	Examples     []companion `json:"examples,omitempty" doc:"uses shown"`
	Documents    []companion `json:"documents,omitempty" doc:"documentation of that name"`
	Counterparts []companion `json:"counterparts,omitempty" doc:"the same name at the same place of another tree"`
}

// listOfKind returns the list for companions of a kind, such as tests.
func (n *Companions) listOfKind(kind string) *[]companion {
	switch kind {
	case filename.CompanionSubject:
		return &n.Subjects
	case filename.CompanionTest:
		return &n.Tests
	case filename.CompanionHeader:
		return &n.Headers
	case filename.CompanionTypes:
		return &n.Types
	case filename.CompanionGenerated:
		return &n.Generated
	case filename.CompanionFactory:
		return &n.Factories
	case filename.CompanionFixture:
		return &n.Fixtures
	case filename.CompanionMock:
		return &n.Mocks
	case filename.CompanionSnapshot:
		return &n.Snapshots
	case filename.CompanionMigration:
		return &n.Migrations
	case filename.CompanionSeeder:
		return &n.Seeders
	case filename.CompanionStory:
		return &n.Stories
	case filename.CompanionStyle:
		return &n.Styles
	case filename.CompanionTemplate:
		return &n.Templates
	case filename.CompanionTranslated:
		return &n.Translations
	case filename.CompanionVariant:
		return &n.Variants
	case filename.CompanionLayer:
		return &n.Layers
	case filename.CompanionBenchmark:
		return &n.Benchmarks
	case filename.CompanionExample:
		return &n.Examples
	case filename.CompanionDoc:
		return &n.Documents
	}
	return &n.Counterparts
}

// mentionLine is a line of a document.
type mentionLine struct {
	Line    uint32 `json:"line" doc:"line"`
	Content string `json:"content" doc:"its text, secrets masked"`
	Keyword string `json:"keyword" doc:"what it mentions"`
}

// mentioningFile is a document that mentions the change.
type mentioningFile struct {
	Path     operation.Path `json:"file" doc:"document"`
	Matches  int            `json:"match_count" doc:"number of mentions"`
	Keywords []string       `json:"keywords" doc:"which keywords"`
	Samples  []mentionLine  `json:"sample_lines" doc:"at most 3 lines"`
}

// Mentions are the documents that mention the change.
type Mentions struct {
	Files    []mentioningFile `json:"files" doc:"at most 20, most keywords first; changelogs last, because they are about the past"`
	Keywords []string         `json:"keywords_searched" doc:"at most 10: what --change quotes, what it names, names of the targets, names of files"`
	Total    int              `json:"total" doc:"documents that mention one"`
	Searched int              `json:"documents_searched" doc:"documents that were read"`
	Left     int              `json:"documents_left" doc:"documents that were not: 8 MB of text are read, of changelogs and other records of the past 1 MB"`
}

// companionPlaces describe where a companion is, by Companion.Near.
var companionPlaces = [...]string{"elsewhere", "a place of the same end", "the same place of another tree", "beside it"}

// CompanionRows returns the rows of companions.
func CompanionRows(list []filename.Companion) (out Companions) {
	for i := range list {
		c := &list[i]
		of := out.listOfKind(c.Kind)
		*of = append(*of, companion{Path: operation.Path(c.Path), Of: operation.Path(c.Of), Reason: companionPlaces[c.Near]})
	}
	return out
}

// MentionRows returns the rows of documents that mention a change.
func MentionRows(m *impact.Mentions) Mentions {
	out := Mentions{Keywords: m.Keywords, Total: m.Total, Searched: m.Searched, Left: m.Left}
	for _, f := range m.Files {
		row := mentioningFile{Path: operation.Path(f.Path), Matches: f.Matches, Keywords: f.Keywords}
		for _, l := range f.Samples {
			row.Samples = append(row.Samples, mentionLine{l.Line, l.Text, l.Keyword})
		}
		out.Files = append(out.Files, row)
	}
	return out
}

// ChangedTogether is a file that usually changes with the targets.
type ChangedTogether struct {
	Path     operation.Path `json:"file" doc:"file"`
	Score    float64        `json:"score" doc:"0 to 1; see the history of status"`
	Together int            `json:"together" doc:"commits that changed both"`
	Commits  int            `json:"commits" doc:"commits that changed this file"`
	Last     string         `json:"last" doc:"day of the last that changed both"`
}

// ChangedTogetherRows returns the rows of files that usually change with the targets.
func ChangedTogetherRows(list []view.CoChange) (out []ChangedTogether) {
	for _, c := range list {
		out = append(out, ChangedTogether{
			Path: operation.Path(c.Path), Score: math.Round(c.Score*1000) / 1000,
			Together: c.Together, Commits: c.Commits, Last: c.Last.UTC().Format("2006-01-02"),
		})
	}
	return out
}
