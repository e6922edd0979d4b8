package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"time"
)

// entry is a file of an archive. Folders are made of the names.
type entry struct {
	name    string
	data    []byte
	program bool
}

func (e *entry) mode() int64 {
	if e.program {
		return 0o755
	}
	return 0o644
}

func sortEntries(list []entry) []entry {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	return list
}

// writeTar writes entries by name, with one time and root as the owner. With folders each folder is an entry of its own.
func writeTar(w io.Writer, list []entry, at time.Time, folders bool) error {
	tw := tar.NewWriter(w)
	made := map[string]bool{}
	for _, e := range sortEntries(list) {
		for i, c := range e.name {
			if dir := e.name[:i+1]; c == '/' && folders && !made[dir] {
				made[dir] = true
				h := header(dir, at)
				h.Typeflag, h.Mode = tar.TypeDir, 0o755
				if err := tw.WriteHeader(h); err != nil {
					return err
				}
			}
		}
		h := header(e.name, at)
		h.Mode, h.Size = e.mode(), int64(len(e.data))
		if err := tw.WriteHeader(h); err != nil {
			return err
		}
		if _, err := tw.Write(e.data); err != nil {
			return err
		}
	}
	return tw.Close()
}

func header(name string, at time.Time) *tar.Header {
	return &tar.Header{Name: name, ModTime: at, Uname: "root", Gname: "root", Format: tar.FormatUSTAR}
}

// tarGzip returns a compressed archive, as npm takes it.
func tarGzip(list []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	zw, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if err := writeTar(zw, list, at, false); err != nil {
		return nil, err
	}
	err = zw.Close()
	return b.Bytes(), err
}

// tarXz returns a compressed archive; gzip would make it a third larger. The program xz has to be installed.
func tarXz(list []entry, at time.Time, folders bool) ([]byte, error) {
	var plain, packed, stderr bytes.Buffer
	if err := writeTar(&plain, list, at, folders); err != nil {
		return nil, err
	}
	cmd := exec.Command("xz", "-6", "--threads=1", "--stdout")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &plain, &packed, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("xz: %w %s", err, stderr.String())
	}
	return packed.Bytes(), nil
}

// zipped returns a zip archive, which wheels are, too.
func zipped(list []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	zw := zip.NewWriter(&b)
	zw.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, e := range sortEntries(list) {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		h.ExternalAttrs = uint32(0o100000|e.mode()) << 16
		h.CreatorVersion = 3 << 8 // Unix, so that the mode counts
		w, err := zw.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, err
		}
	}
	err := zw.Close()
	return b.Bytes(), err
}

// ar returns an archive of the form of ar, which Debian packages are. Its members stay in their order.
func ar(list []entry, at time.Time) []byte {
	b := bytes.NewBufferString("!<arch>\n")
	for _, e := range list {
		fmt.Fprintf(b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", e.name, at.Unix(), 0, 0, 0o100644, len(e.data))
		b.Write(e.data)
		if len(e.data)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}
