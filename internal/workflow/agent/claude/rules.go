package claude

import "ken/internal/workflow/agent/skills"

func (o *Options) rulesText() string { return skills.Rules(o.Scope == User, o.shell()) }

// shell returns how texts call ken. A committed file names only "ken", because other users have it in another place.
func (o *Options) shell() string {
	if o.Scope == Project {
		return "ken"
	}
	return o.Shell
}
