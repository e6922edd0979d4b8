package store

import (
	"context"
	"crypto/sha256"
	"iter"
	"time"
)

// Embedder turns texts into vectors. Without one nothing is embedded, and search uses no vectors.
type Embedder interface {
	// Embed returns a vector for each text, all of one length. It fails if the service cannot be reached or rejects a
	// text.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Model returns the name of the vector space: only vectors of one Model can be compared.
	Model() string
}

// Embedding are the options of an Engine about embeddings. The zero value is none.
type Embedding struct {
	Embedder Embedder
	Vectors  VectorStore
	Batch    int // texts given to the Embedder at once; 0 means 32
	// QueryTimeout is how long a search waits for the vector of its query; 0
	// means 2 s.
	QueryTimeout time.Duration
}

// PassageHash names a text that was embedded: the beginning of its SHA-256.
type PassageHash [16]byte

// HashPassage returns the hash that names a text.
func HashPassage(text string) PassageHash {
	sum := sha256.Sum256([]byte(text))
	return PassageHash(sum[:16])
}

// Passage is a stretch of a file that has a vector.
type Passage struct {
	Hash          PassageHash
	Line, EndLine int
}

// EmbeddedContent is the stored passages of one content of a file.
type EmbeddedContent struct {
	Hash     [32]byte // SHA-256 of the content
	Passages []Passage
	Codes    []byte // vector.Code of each passage, one after the other
}

// EmbeddedPassage is the vector of a text; Row is vector.Row.
type EmbeddedPassage struct {
	Hash PassageHash
	Row  []byte
}

// VectorStore keeps vectors, apart from the index: they are costly, and keyed by the hash of their text, so that they
// outlive it. Vectors of one space, which is the Model of an Embedder, can be compared. It is safe for concurrent use,
// also by several processes.
type VectorStore interface {
	// View runs f over one committed state of a space. If nothing of the space is stored, f is not run.
	View(ctx context.Context, space string, f func(VectorView) error) error
	// Put stores vectors, and contents all of whose vectors are stored. The first vectors of a space fix the length of
	// its vectors.
	Put(ctx context.Context, space string, passages []EmbeddedPassage, contents []EmbeddedContent) error
	// Prune drops all other spaces, and in this one the contents that keep refuses and the vectors that no content has
	// any more.
	Prune(ctx context.Context, space string, keep func(content [32]byte) bool) error
	// Size is the number of bytes taken on disk.
	Size() int64
}

// VectorView is one state of a space. Not safe for concurrent use.
type VectorView interface {
	// RowLen returns the number of bytes of each row.
	RowLen() int
	// Hashes returns the stored contents, by hash.
	Hashes() iter.Seq2[[32]byte, error]
	// Codes returns the contents without their passages, by hash; Codes of each are valid until the next.
	Codes() iter.Seq2[EmbeddedContent, error]
	// Passages returns the passages of a content; nil if it is not stored.
	Passages(content [32]byte) ([]Passage, error)
	// Row returns the vector of a passage; nil if there is none.
	Row(p PassageHash) ([]byte, error)
}
