package op

import (
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// The types of operations over a project.
type (
	Tool              = operation.Tool[*project.Project]
	Env               = operation.Env[*project.Project]
	spec[In, Ans any] = operation.Spec[*project.Project, In, Ans]
)
