package wave

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"ken/internal/statefile"
	"ken/internal/workflow/plan/planop"
)

// stateStore keeps the states of a run in a folder: each is a file NUMBER.json that is written once. A file gets its name by a hard link,
// which fails if the name exists. So, if two processes report events after the same state, one of them has to report again after the
// other, and a crash leaves only whole states.
// Each has the user's seal, because it tells an orchestrator which agents to start.
type stateStore struct{ dir, userState string }

const sealKind = "runs"

const (
	keptStates = 30
	maxState   = 4 << 20
)

// errTaken reports that another process has written the next state.
var errTaken = errors.New("another process has reported meanwhile")

// runKey returns the name of the folder for the run of a phase.
func runKey(workstream, phase string) string {
	whole := workstream + "/" + phase
	name := strings.Map(func(r rune) rune {
		if r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, phase)
	sum := sha256.Sum256([]byte(whole))
	return name[:min(len(name), 32)] + "-" + hex.EncodeToString(sum[:4])
}

func (s *stateStore) stateNumbers() ([]int, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the run: %w", err)
	}
	var list []int
	for _, e := range entries {
		var n int
		if _, err := fmt.Sscanf(e.Name(), "%06d.json", &n); err == nil && e.Name() == fmt.Sprintf("%06d.json", n) {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list, nil
}

func (s *stateStore) statePath(n int) string {
	return filepath.Join(s.dir, fmt.Sprintf("%06d.json", n))
}

// lastState returns the newest state and its number. It returns nil if there is no run.
func (s *stateStore) lastState() (*Run, int, error) {
	list, err := s.stateNumbers()
	if err != nil || len(list) == 0 {
		return nil, 0, err
	}
	n := list[len(list)-1]
	b, err := statefile.Read(s.statePath(n), maxState)
	if err != nil {
		return nil, 0, fmt.Errorf("read the run: %w", err)
	}
	seal, err := statefile.UserSeal(s.userState, sealKind, false)
	if err != nil {
		return nil, 0, err
	}
	if b, err = seal.Check(b); err != nil {
		return nil, 0, planop.Faultf("not_sealed", "%s has no seal of yours: it came with the repository or was made under another state directory, "+
			"so the run is not followed; look at it, and remove %s if you do not know it", s.statePath(n), s.dir)
	}
	var r Run
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", s.statePath(n), err)
	}
	if r.Version > 1 {
		return nil, 0, errors.New("the run was kept by a newer ken")
	}
	return &r, n, nil
}

// putState writes the state that follows the one with number n. It fails with errTaken if there is one already.
func (s *stateStore) putState(r *Run, n int) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("keep the run: %w", err)
	}
	if st, err := os.Lstat(s.dir); err != nil || !st.IsDir() {
		return fmt.Errorf("%s is not a folder", s.dir)
	}
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	seal, err := statefile.UserSeal(s.userState, sealKind, true)
	if err != nil {
		return fmt.Errorf("keep the run: %w", err)
	}
	if seal == nil {
		return errors.New("there is no state directory for the key of the run's seal; KEN_STATE names one")
	}
	beside, err := statefile.WriteTemp(s.dir, seal.Make(b), statefile.Options{Sync: true})
	if err != nil {
		return fmt.Errorf("keep the run: %w", err)
	}
	defer os.Remove(beside)
	err = os.Link(beside, s.statePath(n+1))
	if errors.Is(err, fs.ErrExist) {
		return errTaken
	}
	if err != nil {
		return fmt.Errorf("keep the run: %w", err)
	}
	list, err := s.stateNumbers()
	for _, old := range list[:max(0, len(list)-keptStates)] {
		os.Remove(s.statePath(old)) // a failed removal is repeated by the next report
	}
	return err
}
