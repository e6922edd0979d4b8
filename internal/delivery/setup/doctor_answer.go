package setup

// The states of a check.
const (
	good      = "good"
	note      = "note"
	problem   = "problem"
	unchecked = "unchecked"
)

// Check is the result of one check.
type Check struct {
	About string `json:"about" doc:"program, settings, plugin, status line, MCP server, index, memory, decisions, log, or a product and scope: \"codex, user\""`
	State string `json:"state" doc:"good, note (worth to know), problem, or unchecked (it was not looked at)"`
	Text  string `json:"text" doc:"what there is to say"`
}

// Hook is one command that a runtime should call.
type Hook struct {
	Settings string `json:"settings" doc:"where it is registered: user, project, local, managed or plugin"`
	Event    string `json:"event" doc:"event as ken names it, or statusline"`
	Program  string `json:"program" doc:"program as the settings name it"`
	State    string `json:"state" doc:"good, problem, or unchecked (it was not run)"`
	Answer   string `json:"answer,omitempty" doc:"what it answered to a recorded payload, or what is wrong"`
	Elapsed  int64  `json:"elapsed_ms" doc:"how long it took, in milliseconds"`
	Last     string `json:"last_event,omitempty" doc:"when the runtime itself last called it in this project, RFC 3339, UTC; absent if that is not known to have happened"`
}

// Logged is a kind of failure in hooks, with its number.
type Logged struct {
	What  string `json:"what" doc:"read-only disk, full disk, no permission, too slow, panic, payload or other"`
	Count int    `json:"count" doc:"lines in hooks.log and the log before it"`
	Last  string `json:"last" doc:"time of the last one, RFC 3339, UTC"`
	Line  string `json:"line" doc:"the last one"`
}

type doctorAnswer struct {
	Root     string   `json:"root,omitempty" doc:"the project, if there is one here"`
	Problems int      `json:"problems" doc:"hooks and checks that are problems"`
	Hooks    []Hook   `json:"hooks" doc:"commands of ken that are registered, in the order of a session"`
	Checks   []Check  `json:"checks" doc:"what else was looked at, and what was not"`
	Faults   []Logged `json:"faults" doc:"what hooks noted in their log, by how often"`
}
