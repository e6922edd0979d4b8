package setup

import (
	"path/filepath"
	"regexp"
	"sync"

	"ken/internal/code"
	"ken/internal/operation"
)

// isWSL reports whether this is the Windows Subsystem for Linux, by the variables that it sets.
func isWSL(getenv func(string) string) bool {
	return getenv("WSL_DISTRO_NAME") != "" || getenv("WSL_INTEROP") != ""
}

// windowsPlace matches the paths at which it has the disks of Windows.
var windowsPlace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^/mnt/[a-z](/|$)`) })

// onWindowsSide reports whether a path leads to a disk of Windows.
func onWindowsSide(getenv func(string) string, path string) bool {
	return isWSL(getenv) && windowsPlace().MatchString(filepath.ToSlash(path))
}

// refuseWindowsSide fails if the settings of a user are those of a product that runs on Windows: it would find neither this ken nor the
// paths that it writes.
func (p *target) refuseWindowsSide() error {
	for _, plan := range p.plans {
		if plan != nil && p.scope == "user" && onWindowsSide(p.getenv, plan.Root) {
			return code.Usagef("%s is on the Windows side of WSL, where this ken is not: install it there", operation.Quote(plan.Root))
		}
	}
	return nil
}
