package token

// Next returns where the piece at b[i] ends.
func Next(b []byte, i int, e Encoding) int { return next(b, i, 4*uint(e)) }

// NextASCII is the same for both encodings, in the cases it knows.
var NextASCII = nextASCII
