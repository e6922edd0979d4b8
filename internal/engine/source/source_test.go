package source_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/source"
	"ken/internal/git"
	"ken/internal/token"
)

const (
	secretLine = "password: \"kT9#vLq2Zx81mWpR\"\n"
	maskedLine = "password: \"xxxxxxxxxxxxxxxx\"\n"
)

// reader is a reader over files, with a salt if one is wanted.
func reader(t *testing.T, files map[string]string, salt []byte) (*enginetest.Tree, *source.Tree, *source.Reader) {
	t.Helper()
	w := enginetest.NewTree(t)
	for path, text := range files {
		w.Write(path, text)
	}
	tree := source.New(source.Options{Root: w.Root, MaxFileSize: 10_000, Exclude: []string{"*.tmp"}})
	r, err := tree.NewReader(salt)
	if err != nil {
		t.Fatal(err)
	}
	return w, tree, r
}

// TestReader: whatever way a text is asked for, it comes masked.
func TestReader(t *testing.T) {
	ctx := context.Background()
	large := secretLine + strings.Repeat("a: b\n", 4000)
	_, _, r := reader(t, map[string]string{"a.yml": secretLine, "large.yml": large, "b.bin": "\x00\x01"}, []byte("salt"))
	all := func([]byte) bool { return true }
	if got := r.MaskedText(ctx, "a.yml", all); string(got) != maskedLine {
		t.Errorf("masked: %q", got)
	}
	if got := r.MaskedText(ctx, "a.yml", func([]byte) bool { return false }); got != nil {
		t.Errorf("refused: %q", got)
	}
	for _, p := range []string{"b.bin", "nope"} {
		if got := r.MaskedText(ctx, p, all); got != nil {
			t.Errorf("%s: %q", p, got)
		}
	}
	if got := r.Text(ctx, "large.yml"); len(got) != len(large) || !bytes.HasPrefix(got, []byte(maskedLine)) {
		t.Errorf("a large file: %d bytes, %q", len(got), got[:40])
	}
	o, err := r.Open(ctx, "a.yml")
	if err != nil || o.Hash != sha256.Sum256([]byte(secretLine)) || len(o.Bytes) != 0 {
		t.Fatalf("opened: %v, %d raw bytes", err, len(o.Bytes))
	}
	if n, _ := o.Tokens(token.NewPair()); n == 0 {
		t.Error("no tokens")
	}
	text, found := o.MaskedText()
	if string(text) != maskedLine || len(found) != 1 || found[0].Hash == [16]byte{} || found[0].Line != 1 {
		t.Errorf("opened and masked: %q, %+v", text, found)
	}
	o, _ = r.Open(ctx, "large.yml")
	if text, found := o.MaskedText(); bytes.Contains(text, []byte("kT9")) || len(found) != 1 {
		t.Errorf("the head of a large file: %d bytes, %d findings", len(text), len(found))
	}
}

// TestAgainstIndex: what is asked with what the index knows of a file.
func TestAgainstIndex(t *testing.T) {
	ctx := context.Background()
	w, _, r := reader(t, map[string]string{"a.yml": secretLine, "b.txt": "hello\n"}, nil)
	b := &code.File{Path: "b.txt", Hash: sha256.Sum256([]byte("hello\n"))}
	if got, ok := r.UnmaskedIfClean(ctx, b); !ok || string(got) != "hello\n" {
		t.Errorf("clean: %q %v", got, ok)
	}
	if r.Differs(ctx, "b.txt", b.Hash) || !r.Differs(ctx, "b.txt", [32]byte{}) {
		t.Error("a hash is compared wrongly")
	}
	a := &code.File{Path: "a.yml", Hash: sha256.Sum256([]byte(secretLine))}
	found := r.Mask([]byte(secretLine))
	if got := r.Head(ctx, a, found, 20); string(got) != strings.ReplaceAll(maskedLine, "x", "*")[:20] {
		t.Errorf("head: %q", got)
	}
	w.Write("b.txt", "changed\n")
	if _, ok := r.UnmaskedIfClean(ctx, b); ok {
		t.Error("a changed file is given as clean")
	}
	if got := r.Head(ctx, b, nil, 20); got != nil {
		t.Errorf("the head of a changed file: %q", got)
	}
}

// TestVersions compares the tree with git.
func TestVersions(t *testing.T) {
	ctx := context.Background()
	w, tree, r := reader(t, map[string]string{"a.yml": secretLine + "x: 1\n"}, nil)
	w.Commit("one")
	id := strings.TrimSpace(w.Git("rev-parse", "HEAD:a.yml"))
	if !r.IsBlob("a.yml", id) || r.IsBlob("nope", id) {
		t.Error("a file is compared wrongly with what git keeps")
	}
	w.Write("a.yml", secretLine+"x: 2\n")
	if r.IsBlob("a.yml", id) {
		t.Error("a changed file is taken for what git keeps")
	}
	repo, err := git.Find(w.Root)
	if err != nil {
		t.Fatal(err)
	}
	var old *source.Version
	if err := source.OldVersions(ctx, repo, []string{id}, func(_ string, v *source.Version) { old = v }); err != nil || old == nil {
		t.Fatal(old, err)
	}
	now := r.Version(ctx, "a.yml")
	if got := now.ChangedLines(old); !slices.Equal(got, []source.LineRange{{Start: 2, End: 2}}) {
		t.Errorf("changed: %v", got)
	}
	if got := now.ChangedLines(nil); !slices.Equal(got, []source.LineRange{{Start: 1, End: 2}}) || now.Len() == 0 {
		t.Errorf("a new file: %v", got)
	}
	if got := now.MaskedText(r); !strings.HasPrefix(string(got), maskedLine) || now.Hash() == old.Hash() {
		t.Errorf("masked: %q", got)
	}
	if c := tree.HeadCommit(ctx); len(c) != 40 {
		t.Errorf("HEAD is %q", c)
	}
	if p, err := tree.Prefix(repo); p != "" || err != nil {
		t.Errorf("prefix %q, %v", p, err)
	}
	sub := source.New(source.Options{Root: filepath.Join(w.Root, "sub")})
	if err := os.Mkdir(sub.Root(), 0o755); err != nil {
		t.Fatal(err)
	}
	if p, err := sub.Prefix(repo); p != "sub/" || err != nil {
		t.Errorf("prefix of a folder %q, %v", p, err)
	}
}

// TestTree is what a tree says of itself and of texts from elsewhere.
func TestTree(t *testing.T) {
	w, tree, _ := reader(t, map[string]string{".gitignore": "# no\nbuild/\n", "a.go": "package a\n", ".ken/x": ""}, nil)
	if got, err := tree.IgnorePatterns(); err != nil || !slices.Equal(got, []string{"build/", "*.tmp"}) {
		t.Errorf("patterns %v, %v", got, err)
	}
	if got := tree.MaskString(secretLine); got != maskedLine {
		t.Errorf("masked %q", got)
	}
	if got := source.Redact(secretLine); got != maskedLine {
		t.Errorf("redacted %q", got)
	}
	if n, err := tree.Tokens(context.Background(), "a.go"); err != nil || n.Lines != 1 || n.Bytes != 10 {
		t.Errorf("size %+v, %v", n, err)
	}
	if _, err := tree.Tokens(context.Background(), "nope.go"); err == nil {
		t.Error("a file that is not there has a size")
	}
	if tree.Canonical("a.go") != "a.go" || tree.SizeLimit() != 10_000 || tree.WithSizeLimit(5).SizeLimit() != 5 || len(tree.SecretRules()) < 50 {
		t.Error("the settings of the tree are not what was set")
	}
	first, err := tree.MakeSalt()
	if err != nil || len(first) != 32 {
		t.Fatal(first, err)
	}
	again, err := tree.MakeSalt()
	if err != nil || !bytes.Equal(first, again) || !bytes.Equal(tree.ReadSalt(), first) {
		t.Error("a salt that is there is made again")
	}
	if source.SaltPrint(first) == source.SaltPrint(nil) || source.SaltPrint(first) != source.SaltPrint(again) {
		t.Error("fingerprints of salts")
	}
	w.Write(".ken/salt", "short")
	if tree.ReadSalt() != nil {
		t.Error("a salt of the wrong size is used")
	}
}
