//go:build !linux

package git

// processActivity returns false, because this system does not report the activity of a process.
func processActivity(int) (n uint64, ok bool) { return 0, false }
