package world

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// OpenTerminal makes a terminal: what is read from and written to the master is its screen and its keys, and a program that is started
// with the other as its standard files runs in it. It fails if the system has no more terminals.
func OpenTerminal(rows, columns uint16) (master, program *os.File, err error) {
	if master, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		return nil, nil, err
	}
	if program, err = openProgramSide(int(master.Fd()), rows, columns); err != nil {
		master.Close()
		return nil, nil, err
	}
	return master, program, nil
}

func openProgramSide(fd int, rows, columns uint16) (*os.File, error) {
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, err
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, err
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}); err != nil {
		return nil, err
	}
	return os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
}
