package tasks

import (
	"ken/internal/operation"
)

// offer offers the operations of a task as a set of their own, because they are a way of working and not more questions.
func offer() operation.Offer { return operation.Offer{Set: "guard"} }
