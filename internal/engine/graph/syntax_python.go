package graph

const pythonPredeclared = " bool bytearray bytes complex dict float frozenset int list memoryview object range set slice str super tuple type "

func pythonResult(d *Decl) []*expr { return nil }

func pythonVariable(d *Decl) *expr { return nil }
