package others

import (
	"slices"
	"strings"
)

// exception is a scenario with checks that cannot pass, and the reason.
type exception struct {
	scenario string
	checks   string // their names; "" means the one that is named as the scenario
	reason   string
}

func (e *exception) failing() []string {
	if e.checks == "" && e.scenario != "" {
		return []string{e.scenario}
	}
	return strings.Fields(e.checks)
}

// Reasons. The suites were made for a server with tools, resources and prompts of fixed names; ken has its own.
const (
	ownTool     = "calls a tool that only the suite's own server has"
	ownResource = "reads a resource that only the suite's own server has"
	ownPrompt   = "takes a prompt that only the suite's own server has"
	noInput     = "calls a tool of the suite's own server that asks the user or the client's model; ken asks neither"
	noTasks     = "an extension, which is not scored: ken's calls are short and none becomes a task"
	noLogging   = "logging, which ken does not declare"
	noResuming  = "recommended only: a stream that broke can be resumed. Answers are made anew for less than it costs to keep them"
	noHeaders   = "needs a tool that mirrors an argument in a header; ken has none"
)

// exceptions returns the scenarios that do not apply: to ken, or to the fixture, which has what the suites ask for where ken declares the
// feature. A listed check that passes is a failure, too.
func exceptions(fixture bool) []exception {
	own := []string{ownTool, ownResource, ownPrompt}
	return slices.DeleteFunc(allExceptions(), func(e exception) bool { return fixture && slices.Contains(own, e.reason) })
}

func allExceptions() []exception {
	return []exception{
		{"tools-call-simple-text", "", ownTool},
		{"tools-call-image", "", ownTool},
		{"tools-call-audio", "", ownTool},
		{"tools-call-embedded-resource", "", ownTool},
		{"tools-call-mixed-content", "", ownTool},
		{"tools-call-error", "", ownTool},
		{"tools-call-with-logging", "", noLogging},
		{"tools-call-with-progress", "", ownTool},
		{"json-schema-2020-12", "json-schema-2020-12-tool-found", ownTool},
		{"tools-call-sampling", "", noInput},
		{"tools-call-elicitation", "", noInput},
		{"elicitation-sep1034-defaults", "elicitation-sep1034-general", noInput},
		{"elicitation-sep1330-enums", "elicitation-sep1330-general", noInput},
		{"input-required-result-basic-elicitation", "sep-2322-elicitation-incomplete", noInput},
		{"input-required-result-basic-list-roots", "sep-2322-list-roots-incomplete", noInput},
		{"input-required-result-basic-sampling", "sep-2322-sampling-incomplete", noInput},
		{"input-required-result-capability-check", "sep-2322-respect-client-capabilities", noInput},
		{"input-required-result-ignore-extra-params", "sep-2322-ignore-unexpected-params", noInput},
		{"input-required-result-missing-input-response", "sep-2322-missing-response-rerequests", noInput},
		{"input-required-result-multi-round", "sep-2322-multi-round-r1", noInput},
		{"input-required-result-multiple-input-requests", "sep-2322-multiple-inputs-incomplete", noInput},
		{"input-required-result-non-tool-request", "sep-2322-non-tool-incomplete", noInput},
		{"input-required-result-request-state", "sep-2322-request-state-incomplete", noInput},
		{"input-required-result-result-type", "sep-2322-result-type-included", noInput},
		{"input-required-result-tampered-state", "sep-2322-reject-tampered-state", noInput},
		{"resources-read-text", "", ownResource},
		{"resources-read-binary", "", ownResource},
		{"resources-templates-read", "", ownResource},
		{"resources-subscribe", "", ownResource},
		{"resources-unsubscribe", "", ownResource},
		{"prompts-get-simple", "", ownPrompt},
		{"prompts-get-with-args", "", ownPrompt},
		{"prompts-get-embedded-resource", "", ownPrompt},
		{"prompts-get-with-image", "", ownPrompt},
		{"server-sse-polling", "server-sse-disconnect-resume", ownTool},
		{"server-sse-polling", "server-sse-priming-event server-sse-retry-field", noResuming},
		{"server-stateless", "sep-2575-server-rejects-undeclared-capability sep-2575-missing-capability-http-400 " +
			"sep-2575-http-server-no-independent-requests-on-stream sep-2575-server-no-log-without-loglevel", "4 of 28 checks call diagnostic tools that only the suite's own server has"},
		{"http-custom-header-server-validation", "sep-2243-server-no-xmcp-tool sep-2243-server-decode-base64 sep-2243-server-validate-param-match " +
			"sep-2243-server-reject-invalid-param-chars sep-2243-server-reject-param-mismatch", noHeaders},
		{"tasks-capability-negotiation", "tasks-extension-advertised sep-2663-tasks-methods-non-declaring sep-2663-server-rejects-undeclared-client " +
			"tasks-per-request-meta-opt-in", noTasks},
		{"tasks-dispatch-and-envelope", "tasks-server-directed-creation-no-hint sep-2663-legacy-task-param-ignored tasks-immediate-result-shortcut " +
			"tasks-result-type-complete-on-non-task-responses sep-2663-durable-create-strong-consistency sep-2663-tasks-get-invalid-task-id-32602", noTasks},
		{"tasks-lifecycle", "tasks-sync-tool-call sep-2663-result-type-task-on-create sep-2663-tasks-get-status-working sep-2663-tasks-get-status-completed " +
			"sep-2663-tool-error-uses-completed-status sep-2663-tasks-get-status-failed sep-2663-cancel-ack-empty-result tasks-cancel-terminal-idempotent-ack", noTasks},
		{"tasks-mrtr-composition", "sep-2663-mrtr-synchronous-before-task-creation", noTasks},
		{"tasks-mrtr-input", "sep-2663-tasks-get-status-input-required tasks-mrtr-tasks-update-resumes tasks-mrtr-partial-fulfillment", noTasks},
		{"tasks-request-headers", "tasks-headers-tolerate-mcp-method-on-tools-call sep-2663-routing-headers-accepted-on-tasks-get " +
			"sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get", noTasks},
		{"tasks-request-state-removal", "tasks-request-state-removal-setup", noTasks},
		{"tasks-required-task-error", "sep-2663-server-returns-missing-capability-when-required", noTasks},
		{"tasks-wire-fields", "tasks-wire-field-renames tasks-no-early-ttl-expiry tasks-no-related-task-meta-on-inlined-result", noTasks},
	}
}
