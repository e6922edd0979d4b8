// Package op declares every operation of ken, one file each; All is the list. An
// operation opens the project, asks package engine, and turns what it says into
// rows whose tags document them. Files named export_* are formats that others
// defined. Its neighbours are delivery/tool, the framework that operations are
// declared with, delivery/block and delivery/pack, which fit texts into budgets,
// and the surfaces (delivery/cli), which offer what All lists. It knows neither
// stores nor surfaces.
package op

// All returns every operation, in the order help shows them.
func All() []*Tool {
	return []*Tool{
		initTool(),
		indexTool(),
		statusTool(),
		overviewTool(),
		findTool(),
		briefTool(),
		showTool(),
		outlineTool(),
		defTool(),
		refsTool(),
		depsTool(),
		dependentsTool(),
		impactTool(),
		hotspotsTool(),
		patternTool(),
		grepTool(),
		tokensTool(),
		packTool(),
		mapTool(),
		secretsTool(),
		exportTool(),
		importSCIPTool(),
		watchTool(),
		versionTool(),
	}
}
