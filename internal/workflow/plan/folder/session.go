package folder

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/statefile"
)

// sessionKeys are the environment variables in which agents and terminals have the name of a session. The first that is set counts.
// gsd-tools, a program with the same format, uses the same.
var sessionKeys = [...]string{
	"GSD_SESSION_KEY", "CODEX_THREAD_ID", "CLAUDE_SESSION_ID", "CLAUDE_CODE_SSE_PORT", "OPENCODE_SESSION_ID", "GEMINI_SESSION_ID", "CURSOR_SESSION_ID",
	"WINDSURF_SESSION_ID", "TERM_SESSION_ID", "WT_SESSION", "TMUX_PANE", "ZELLIJ_SESSION_NAME",
}

// sessionKey returns the name of the session in the environment, or "".
func sessionKey(getenv func(string) string) string {
	for _, name := range sessionKeys {
		if token := sessionToken(getenv(name)); token != "" {
			return strings.ReplaceAll(strings.ToLower(name), "_", "-") + "-" + token
		}
	}
	for _, name := range [...]string{"TTY", "SSH_TTY"} {
		if token := sessionToken(getenv(name)); token != "" {
			return "tty-" + strings.TrimPrefix(token, "dev_")
		}
	}
	return ""
}

// sessionToken returns value in the form of a part of a file name: each run of characters not allowed there becomes one underscore.
func sessionToken(value string) string {
	const most = 160
	var b strings.Builder
	for _, r := range strings.TrimSpace(value) {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "\x00"):
			b.WriteByte(0)
		}
		if b.Len() > 2*most {
			break
		}
	}
	token := strings.Trim(strings.ReplaceAll(b.String(), "\x00", "_"), "_")
	return token[:min(len(token), most)]
}

// SessionPointer returns the file with the workstream that a session has chosen for a project, or "" if the environment names no session.
// gsd-tools uses the same file, in the folder of temporary files, so that a choice applies to both programs.
func SessionPointer(project string, getenv func(string) string) string {
	key := sessionKey(getenv)
	if key == "" {
		return ""
	}
	root, err := filepath.Abs(filepath.Join(project, Name))
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	sum := sha1.Sum([]byte(root))
	temp := getenv("TMPDIR")
	if temp == "" {
		temp = os.TempDir()
	}
	return filepath.Join(temp, "gsd-workstream-sessions", hex.EncodeToString(sum[:])[:16], key)
}

// ReadPointer returns the workstream that a session has chosen, or "" if it has chosen none of them. It returns false if it has made no
// choice.
func ReadPointer(pointer string) (name string, ok bool) {
	if pointer == "" {
		return "", false
	}
	const most = 4096
	text, err := statefile.Read(pointer, most)
	return strings.TrimSpace(string(text)), err == nil
}

// WritePointer writes the choice of a session. It returns an error if the folder or file cannot be written, or if the folder is a
// link, because all users of a machine may write in the folder of temporary files.
func WritePointer(pointer, name string) error {
	dir := filepath.Dir(pointer)
	for _, d := range [...]string{filepath.Dir(dir), dir} {
		if err := os.Mkdir(d, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("keep the workstream of the session: %w", err)
		}
		if st, err := os.Lstat(d); err != nil || !st.IsDir() {
			return fmt.Errorf("keep the workstream of the session: %s is not a folder", d)
		}
	}
	if err := statefile.Replace(pointer, []byte(name+"\n"), statefile.Options{}); err != nil {
		return fmt.Errorf("keep the workstream of the session: %w", err)
	}
	return nil
}
