package claude

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLine is the longest line of a transcript that is read, in bytes; longer lines hold results of tools.
const maxLine = 4 << 20

var errNoTranscript = errors.New("it is not a regular file")

// maxAgents is the greatest number of transcripts of sub-agents that are read for a session.
const maxAgents = 1000

// TokensUsed returns the tokens used by the messages of a transcript and by the sub-agents of its session: those that the model read for
// the first time, wrote into its cache, and put out. Tokens read from the cache are not counted, because each request reads the whole
// context from it. A message has several lines, each with the usage until then. The result is 0 for a missing transcript, one without
// usage, and transcripts of more than most bytes together. It returns an error if a transcript cannot be read or is not a regular file.
func TokensUsed(path string, most int64) (int64, error) {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // it is written late, or not at all
		return 0, nil
	case err == nil && !st.Mode().IsRegular():
		err = errNoTranscript
	}
	if err != nil {
		return 0, fmt.Errorf("read the transcript: %w", err)
	}
	all, size := agentTranscripts(path)
	if size += st.Size(); size > most {
		return 0, nil
	}
	sum := int64(0)
	for _, p := range append(all, path) {
		n, err := transcriptTokens(p, most)
		if err != nil {
			return 0, fmt.Errorf("read the transcript: %w", err)
		}
		sum += n
	}
	return sum, nil
}

// agentTranscripts returns the transcripts of a session's sub-agents, which are in a folder beside its own, and their total size.
func agentTranscripts(path string) (out []string, size int64) {
	dir := filepath.Join(strings.TrimSuffix(path, filepath.Ext(path)), "subagents")
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, 0
	}
	for _, f := range list {
		if filepath.Ext(f.Name()) != ".jsonl" || len(out) == maxAgents {
			continue
		}
		if st, err := f.Info(); err == nil && st.Mode().IsRegular() {
			out, size = append(out, filepath.Join(dir, f.Name())), size+st.Size()
		}
	}
	return out, size
}

// transcriptTokens returns the tokens used by the messages of one transcript.
func transcriptTokens(path string, most int64) (sum int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	used := map[string]int64{}
	in := bufio.NewReaderSize(io.LimitReader(f, most), 64<<10)
	for {
		line, err := readLine(in)
		if id, n := messageTokens(line); n > used[id] {
			used[id] = n
		}
		if err != nil {
			break
		}
	}
	for _, n := range used {
		sum += n
	}
	return sum, nil
}

// readLine returns the next line, or an empty one if it is too long.
func readLine(in *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long {
			line = nil
		}
		return line, err
	}
}

// messageTokens returns the id of the message in a line of a transcript, and the tokens it used; 0 if there are none.
func messageTokens(line []byte) (id string, n int64) {
	if !bytes.Contains(line, []byte(`"usage"`)) {
		return "", 0
	}
	var l struct {
		Message struct {
			ID    string `json:"id"`
			Usage struct {
				Input   int64 `json:"input_tokens"`
				Created int64 `json:"cache_creation_input_tokens"`
				Output  int64 `json:"output_tokens"`
			} `json:"usage"`
		} `json:"message"`
	}
	if json.Unmarshal(line, &l) != nil {
		return "", 0
	}
	const most = 1 << 40 // an upper bound, so that nonsense cannot overflow the sum
	u := &l.Message.Usage
	for _, part := range []int64{u.Input, u.Created, u.Output} {
		if part > 0 && part < most {
			n += part
		}
	}
	return l.Message.ID, n
}
