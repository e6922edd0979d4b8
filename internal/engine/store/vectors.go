package store

import (
	"context"
	"crypto/sha256"
	"iter"
	"time"
)

// Embedder turns texts into vectors for the search by meaning. Without an Embedder, search uses no vectors.
type Embedder interface {
	// Embed returns a vector for each text, all of one length. It fails if the service cannot be reached or rejects a
	// text.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Model returns the name of the model. Only vectors of the same model can be compared.
	Model() string
}

// Embedding holds the options of an Engine for the search by meaning. The zero value turns it off.
type Embedding struct {
	Embedder Embedder
	Vectors  VectorStore
	Batch    int // texts given to the Embedder at once; 0 means 32
	// QueryTimeout is the time that a search waits for the vector of its
	// query; 0 means 2 s.
	QueryTimeout time.Duration
}

// PassageHash identifies an embedded text by the beginning of its SHA-256.
type PassageHash [16]byte

// HashPassage returns the hash that identifies a text.
func HashPassage(text string) PassageHash {
	sum := sha256.Sum256([]byte(text))
	return PassageHash(sum[:16])
}

// Passage is a stretch of a file that has a vector.
type Passage struct {
	Hash          PassageHash
	Line, EndLine int
}

// EmbeddedContent is a content of a file, identified by its hash, with the passages that have vectors.
type EmbeddedContent struct {
	Hash     [32]byte // SHA-256 of the content
	Passages []Passage
	Codes    []byte // vector.Code of each passage, one after the other
}

// EmbeddedPassage is a text's hash with its vector, in the form of vector.Row.
type EmbeddedPassage struct {
	Hash PassageHash
	Row  []byte
}

// VectorStore keeps vectors apart from the index. They are costly and are stored by the hash of their text, so that
// they remain when the index is rebuilt. A space is the set of vectors of one model; only those can be compared. It is
// safe for concurrent use, also by several processes.
type VectorStore interface {
	// View runs f over one committed state of a space. It does not run f if nothing of the space is stored.
	View(ctx context.Context, space string, f func(VectorView) error) error
	// Put stores vectors, and the contents whose vectors are then all stored. The first vectors of a space determine
	// the length of its vectors.
	Put(ctx context.Context, space string, passages []EmbeddedPassage, contents []EmbeddedContent) error
	// Prune deletes all other spaces. In this one it deletes the contents that keep rejects, and the vectors that no
	// remaining content uses.
	Prune(ctx context.Context, space string, keep func(content [32]byte) bool) error
	// Size returns the number of bytes on disk.
	Size() int64
}

// VectorView reads one state of a space. It is not safe for concurrent use.
type VectorView interface {
	// RowLen returns the number of bytes of each row.
	RowLen() int
	// Hashes returns the hashes of the stored contents, ascending.
	Hashes() iter.Seq2[[32]byte, error]
	// Codes returns the contents, sorted by hash, without their passages. The Codes of each, short forms of its vectors, are valid until the
	// next.
	Codes() iter.Seq2[EmbeddedContent, error]
	// Passages returns the passages of a content, nil if the content is not stored.
	Passages(content [32]byte) ([]Passage, error)
	// Row returns the vector of a passage, nil if there is none.
	Row(p PassageHash) ([]byte, error)
}
