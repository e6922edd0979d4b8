package tasks

import (
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// The types of operations over a project.
type (
	env               = project.Env
	tool              = project.Tool
	spec[In, Ans any] = operation.Spec[*project.Project, In, Ans]
)

// group is the command that the operations are below.
const group = "task"
