package store

import (
	"encoding/hex"
)

// Secret is a credential found in a file. Of its value only Hash is kept.
type Secret struct {
	Rule  string
	Start uint32 // bytes [Start, End) of the value, without quotes
	End   uint32
	// Line and Col are the place of Start, both from 1; Col counts bytes. If the
	// value is part of the file's path, Line is 0, and Start, End and Col count
	// bytes of the path.
	Line uint32
	Col  uint32
	// Hash identifies the value: an HMAC with the salt of the index. Equal
	// values have equal hashes within one project only.
	Hash [16]byte
	// Noted is set if a comment beside the value declares it harmless.
	Noted bool
	// Copied is set if output masks every copy of the value, in any file, because the value is too unusual to occur
	// there by chance.
	Copied bool
}

// FoundSecret is a secret together with the file or the commit in which it was found.
type FoundSecret struct {
	Secret
	Path   string
	Kind   string // api_key, private_key, password, token, secret, credential
	Commit string // of the history: the first commit that has it, "" if it is not known
}

// HashText returns the hash in hexadecimal, the form in which answers print it and allow-lists contain it.
func (s *Secret) HashText() string { return hex.EncodeToString(s.Hash[:]) }
