package store

import (
	"encoding/hex"
)

// Secret is a credential found in a file. Of its value only Hash is kept.
type Secret struct {
	Rule  string
	Start uint32 // bytes [Start, End) of the value, without quotes
	End   uint32
	// Line and Col are the place of Start, both from 1; Col in bytes. Line is 0 if
	// the value is part of the path: then all places are bytes of that.
	Line uint32
	Col  uint32
	// Hash names the value: an HMAC under the index's salt. Equal values have
	// equal hashes, in one project.
	Hash [16]byte
	// Noted is set if a comment beside the value allows it.
	Noted bool
	// Copied is set if copies of the value are masked wherever they are, because the value is too unusual to occur by
	// chance.
	Copied bool
}

// FoundSecret is a secret to report.
type FoundSecret struct {
	Secret
	Path   string
	Kind   string // api_key, private_key, password, token, secret, credential
	Commit string // of the history: the first commit that has it, "" if it is not known
}

// HashText returns the hash as answers print it and allow-lists hold it.
func (s *Secret) HashText() string { return hex.EncodeToString(s.Hash[:]) }
