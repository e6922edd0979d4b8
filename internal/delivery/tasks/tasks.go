// Package tasks declares the operations of guarded tasks: the set guard of `ken mcp`, and `ken task …`. Package guard decides; the
// operations fill its requests with facts of the index (ties.go, claims.go), keep the state of the task (current.go) and render
// decisions (answer.go). The reading operations are others under the names that agents know them by, and record the places that they
// showed (reads.go). delivery/op lists them.
package tasks

import (
	"ken/internal/guard"
	"ken/internal/operation"
)

// Clean returns the operation that removes the remains of tasks, for people, who need not know that cleanup is a step of a task.
func Clean() *tool { return cleanTool("clean", "", operation.Offer{}) }

// All returns the operations, in the order in which a task uses them. Most of the reading ones are built on the operations in base.
func All(base []*tool) []*tool {
	of := func(name string) *tool {
		for _, t := range base {
			if t.Name == name {
				return t
			}
		}
		return nil
	}
	return []*tool{
		startTool(), statusTool(), frameTool(),
		queryTool(of("find")), definitionsTool(of("def")), referencesTool(of("refs")), searchTextTool(of("grep")), searchFilesTool(),
		outlineTool(of("outline"), guard.AnalyzeStructure), outlineTool(of("outline"), guard.GetSymbols), functionTool(),
		understandTool(), validateTool(), confirmTool(), semanticTool(of("find")), submitSemanticTool(), verifyTool(),
		analyzeTool(), submitImpactTool(), checkWriteTool(), exploredTool(), revertTool(), reviewTool(),
		reviewChangesTool(), finalizeTool(), mergeTool(), cleanTool(string(guard.Cleanup), group, offer()),
		recordTool(),
		renamedTool(of("outcome"), guard.OutcomeStats, "how tasks turned out, counted", map[string]string{"Action": "stats"}, operation.Reads),
		renamedTool(of("outcome"), guard.SessionAnalysis, "what a session asked, and how it turned out", map[string]string{"Action": "insights"}, operation.Reads),
		renamedTool(of("outcome"), guard.Insights, "what failures have in common", map[string]string{"Action": "insights", "Session": ""}, operation.Reads),
		renamedTool(of("index"), guard.SyncIndex, "bring the index up to date", nil, operation.Adds),
		renamedTool(of("context"), guard.UpdateContext, "write the summary of a rule or design document, which is read from standard input",
			map[string]string{"Action": "put"}, operation.Changes),
	}
}
