package operation

import "runtime/debug"

// Version returns the version of the module that the program was built from, "(devel)" if it has none.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
