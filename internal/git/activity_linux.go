package git

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// processActivity returns a number that changes whenever a process does anything. It is the sum of the process's page faults
// and processor time (all threads) and its context switches. It returns false if the system does not report them.
func processActivity(pid int) (n uint64, ok bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// After the name, in parentheses: state, 6 numbers, minflt, cminflt, majflt,
	// cmajflt, utime, stime.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 13 {
		return 0, false
	}
	for _, f := range fields[7:13] {
		n += number(f)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return n, true
	}
	for line := range bytes.Lines(status) {
		if name, value, _ := bytes.Cut(line, []byte(":")); bytes.HasSuffix(name, []byte("_ctxt_switches")) {
			n += number(bytes.TrimSpace(value))
		}
	}
	return n, true
}

func number(b []byte) uint64 {
	n, _ := strconv.ParseUint(string(b), 10, 64)
	return n
}
