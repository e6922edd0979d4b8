package op

import (
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// The types of operations over a project.
type (
	Tool              = project.Tool
	Env               = project.Env
	spec[In, Ans any] = operation.Spec[*project.Project, In, Ans]
)
