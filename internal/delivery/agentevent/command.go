package agentevent

import (
	"path"
	"slices"
	"strings"
)

// simpleCommand is one command of a shell's command line, without pipes and separators.
type simpleCommand struct {
	words []string
	after string // operator that joins it to the command before: "", "&&", "||", ";", "|", "&"
}

// maxCommand is the longest command line that is looked at, in bytes.
const maxCommand = 16 << 10

// splitCommands cuts a command line into simple commands. It knows quotes, escapes and comments. On substitutions, groups in brackets, here
// documents and a line that is too long it reports false, because half a command allows no conclusion. The words of a loop are read as
// commands.
func splitCommands(line string) (out []simpleCommand, ok bool) {
	if len(line) > maxCommand {
		return nil, false
	}
	s := splitter{}
	for i := 0; i < len(line); {
		n := s.readToken(line[i:])
		if n == 0 {
			return nil, false
		}
		i += n
	}
	if s.quote != 0 {
		return nil, false
	}
	s.endCommand("")
	return s.out, true
}

type splitter struct {
	out    []simpleCommand
	words  []string
	word   strings.Builder
	inWord bool
	quote  byte
	after  string
}

// readToken reads the beginning of rest and returns the number of bytes read; 0 if the syntax is not supported.
func (s *splitter) readToken(rest string) int {
	c := rest[0]
	switch {
	case s.quote == '\'':
		return s.addQuoted(c)
	case c == '\\' && len(rest) > 1:
		if rest[1] != '\n' {
			s.addByte(rest[1])
		}
		return 2
	case c == '`' || strings.HasPrefix(rest, "$("):
		return 0
	case s.quote == '"':
		return s.addQuoted(c)
	case c == '\'' || c == '"':
		s.quote, s.inWord = c, true
		return 1
	case c == ' ' || c == '\t' || c == '\r':
		s.endWord()
		return 1
	case c == '#' && !s.inWord:
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			return n
		}
		return len(rest)
	}
	return s.readOperator(rest)
}

func (s *splitter) addQuoted(c byte) int {
	if c == s.quote {
		s.quote = 0
	} else {
		s.addByte(c)
	}
	return 1
}

// readOperator reads an operator such as && or |, or else one byte of a word.
func (s *splitter) readOperator(rest string) int {
	for _, op := range []string{"&&", "||", "|&", ";", "|", "\n"} {
		if strings.HasPrefix(rest, op) {
			s.endCommand(op)
			return len(op)
		}
	}
	switch rest[0] {
	case '(', ')', '{', '}':
		return 0
	case '&':
		if !s.inWord || !strings.HasSuffix(s.word.String(), ">") { // 2>&1 is part of a redirection
			s.endCommand("&")
			return 1
		}
	case '<':
		if strings.HasPrefix(rest, "<<") {
			return 0
		}
	}
	s.addByte(rest[0])
	return 1
}

func (s *splitter) addByte(c byte) {
	s.word.WriteByte(c)
	s.inWord = true
}

func (s *splitter) endWord() {
	if s.inWord {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.inWord = false
}

func (s *splitter) endCommand(op string) {
	s.endWord()
	if len(s.words) > 0 {
		s.out = append(s.out, simpleCommand{s.words, s.after})
		s.words = nil
	}
	s.after = op
}

// runners are programs that start the program named after them, such as sudo.
var runners = []string{"sudo", "time", "nice", "env", "command", "exec", "npx", "bunx", "stdbuf", "xvfb-run",
	"uv run", "poetry run", "pipenv run", "hatch run", "pdm run", "bundle exec", "pnpm exec", "yarn exec", "python -m", "python3 -m", "py -m", "mise exec --"}

// programWords returns the words of a command from its program on, without variable
// assignments and without runners such as sudo. The program's directory is cut off.
func (c *simpleCommand) programWords() []string {
	words := c.words
	for len(words) > 0 {
		name, _, assigned := strings.Cut(words[0], "=")
		if assigned && isName(name) {
			words = words[1:]
			continue
		}
		i := slices.IndexFunc(runners, func(r string) bool { return hasWords(words, r) })
		if i < 0 {
			break
		}
		words = words[len(strings.Fields(runners[i])):]
	}
	if len(words) == 0 {
		return nil
	}
	return append([]string{strings.TrimSuffix(path.Base(strings.ReplaceAll(words[0], `\`, "/")), ".exe")}, words[1:]...)
}

func isName(s string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789"
	return s != "" && strings.Trim(s, letters) == ""
}

// hasWords reports whether words begin with those of a phrase.
func hasWords(words []string, phrase string) bool {
	want := strings.Fields(phrase)
	return len(words) >= len(want) && slices.Equal(words[:len(want)], want)
}
