package operation

import (
	"context"
	"io"
)

// Env gives an operation its surroundings. A surface makes one for each request.
// P is the project that operations open; it is a parameter so that the framework
// does not depend on the parts of a project.
type Env[P any] struct {
	Dir   string    // absolute directory that relative paths of the request start from
	Stdin io.Reader // for operations that read "-"
	// Open finds the project that holds dir; see Need. The maker of the Env
	// closes the project.
	Open func(dir string, need Need) (P, error)
	// Terminal: a person reads the answer as it is written.
	Terminal bool
	// Getenv is the user's environment.
	Getenv func(string) string
	// Ask shows a question and returns the line that a person answers; nil without a person to ask.
	Ask func(question string) (string, error)
	// Confirm shows a text and asks whether to continue; nil without a person to ask.
	Confirm func(question string) (bool, error)
	// Serve answers requests of a protocol until it ends; nil on surfaces that cannot.
	Serve func(ctx context.Context, opt *Serving) error
	// AfterSending takes what is to be done once the answer was sent; nil on surfaces that send every answer whole. See WhenSent.
	AfterSending func(f func(*Sent) error)
	// Progress is called with how far an update is; may be nil.
	Progress func(done, total int)
}

// Serving configures how requests of a protocol are answered.
type Serving struct {
	Dir  string   // absolute directory that relative paths of requests start from
	Sets []string // sets of operations that are offered; none means the default
	// Projects are further directories whose projects requests may be about, absolute.
	Projects []string
	// Address is where requests are taken over HTTP, host:port; "" means standard input and output.
	Address   string
	TokenFile string // file with the token that each request over HTTP has to carry; "" for none
	// Pages: pages for a person are served at Address, not a protocol.
	Pages bool
}

// Need is the kind of project that an operation asks for.
type Need int

// The needs of an operation.
const (
	Existing Need = iota // a project that was set up; else NoIndexError
	Anywhere             // a project, or the place where one belongs
	// Unprepared is a project, or a work tree of git that was not set up, whose index is temporary. On a server it is Existing.
	Unprepared
)
