// Package op declares every operation of ken, one file each; All is the list. An
// operation opens the project (delivery/project), asks a question, and turns the
// answer into rows whose tags document them. Its neighbours are operation, the
// framework that operations are declared with, delivery/render and delivery/pack,
// which fit texts into budgets, delivery/export, which holds formats of others, and
// the surfaces (delivery/cli), which offer the operations of All. It knows neither
// stores nor surfaces. Operations that ask no index are declared in delivery/setup.
package op

import (
	"ken/internal/delivery/agreements"
	"ken/internal/delivery/commitknowledge"
	"ken/internal/delivery/conventions"
	"ken/internal/delivery/entities"
	"ken/internal/delivery/essentials"
	"ken/internal/delivery/fleet"
	"ken/internal/delivery/memories"
	"ken/internal/delivery/outcomes"
	"ken/internal/delivery/setup"
	"ken/internal/delivery/tasks"
)

// All returns every operation, in the order help shows them.
func All() []*Tool {
	base := []*Tool{
		initTool(),
		indexTool(),
		statusTool(),
		summaryTool(),
		overviewTool(),
		findTool(),
		tasks.Briefing(briefTool()),
		showTool(),
		outlineTool(),
		defTool(),
		refsTool(),
		callersTool(),
		calleesTool(),
		implementersTool(),
		renameTool(),
		depsTool(),
		dependentsTool(),
		whyTool(),
		impactTool(),
		hotspotsTool(),
		matrixTool(),
		surfaceTool(),
		fleet.Tool(),
		patternTool(),
		grepTool(),
		tokensTool(),
		packTool(),
		mapTool(),
		secretsTool(),
		exportTool(),
		importSCIPTool(),
		watchTool(),
		webTool(),
		timelineTool(),
		sessionTool(),
		memories.RecallTool(),
		memories.RememberTool(),
		memories.ForgetTool(),
		memories.MemoryTool(),
		entities.Tool(),
		conventions.Tool(),
		essentials.Tool(),
		outcomes.Tool(),
		agreements.Tool(),
		commitknowledge.Tool(),
		tasks.Clean(),
		mcpTool(),
		setup.Install(),
		setup.Uninstall(),
		setup.Doctor(),
		versionTool(),
	}
	return append(base, tasks.All(base)...)
}
