package op

import (
	"ken/internal/delivery/project"
	"ken/internal/delivery/tool"
)

// What operations are declared with and done in, over a project.
type (
	Tool              = tool.Tool[*project.Project]
	Env               = tool.Env[*project.Project]
	spec[In, Ans any] = tool.Spec[*project.Project, In, Ans]
)
