package tasks

import (
	"ken/internal/delivery/project"
	"ken/internal/delivery/tool"
)

// What operations are declared with, over a project.
type (
	env               = tool.Env[*project.Project]
	operation         = tool.Tool[*project.Project]
	spec[In, Ans any] = tool.Spec[*project.Project, In, Ans]
)

// group is the command that the operations are below.
const group = "task"
