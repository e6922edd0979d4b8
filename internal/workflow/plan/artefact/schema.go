package artefact

import "ken/internal/workflow/plan/yamltree"

// The keys of front matter that plans, summaries and verifications need.
var (
	planKeys         = []string{"phase", "plan", "type", "wave", "depends_on", "files_modified", "autonomous", "must_haves"}
	summaryKeys      = []string{"phase", "plan", "subsystem", "tags", "duration", "completed"}
	verificationKeys = []string{"phase", "verified", "status", "score"}
)

// RequiredKeys returns the keys of front matter that a kind of file needs: plan, summary or verification. It returns nil for any
// other kind.
func RequiredKeys(kind string) []string {
	return map[string][]string{"plan": planKeys, "summary": summaryKeys, "verification": verificationKeys}[kind]
}

// missingKeys returns those of keys that front matter does not have. For files_modified it also accepts files-modified of older plans.
func missingKeys(f *yamltree.Tree, keys []string) []string {
	var list []string
	for _, key := range keys {
		if f.Get(key) == nil && (key != "files_modified" || f.Get("files-modified") == nil) {
			list = append(list, key)
		}
	}
	return list
}
