package dbfile

import (
	"errors"
	"fmt"
	"reflect"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
	"zombiezen.com/go/sqlite"
)

// setDefensive puts a connection into SQLite's defensive mode, in which no statement can
// write the schema past SQLite or damage the file.
//
// The library's own SetDefensive passes one of the two arguments that SQLite takes. The data that
// happens to be in memory after it is used as an address and written to: now and then
// the process crashed, and else some other allocation was overwritten. The library gives
// no access to its handle, so it is read from the field; TestDefensive and the error here
// notice if a later version has another one.
func setDefensive(c *sqlite.Conn) error { return turnOn(c, lib.SQLITE_DBCONFIG_DEFENSIVE) }

// KeepLog makes the connection keep the write-ahead log when it is closed. Otherwise SQLite copies the log into the
// database, waits for the disk and deletes it, whenever the last connection closes, which costs a process that writes one
// row several times as much as the row. The log is copied when it has grown. It fails if the setting cannot be made.
func (c *Conn) KeepLog() error { return turnOn(c.Conn, lib.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE) }

// turnOn turns on a setting of a connection for which the library has no function.
func turnOn(c *sqlite.Conn, setting int32) error {
	handle := reflect.ValueOf(c).Elem().FieldByName("conn")
	if !handle.IsValid() || handle.Kind() != reflect.Uintptr || handle.Uint() == 0 {
		return errors.New("set up the connection: the library keeps no handle in its field conn")
	}
	tls := libc.NewTLS()
	defer tls.Close()
	const on, nowhere = int32(1), uintptr(0) // nowhere to write the resulting value
	args := libc.NewVaList(on, nowhere)
	if args == 0 {
		return errors.New("set up the connection: no memory")
	}
	defer libc.Xfree(tls, args)
	code := lib.Xsqlite3_db_config(tls, uintptr(handle.Uint()), setting, args)
	if err := sqlite.ResultCode(code).ToError(); err != nil {
		return fmt.Errorf("set up the connection: %w", err)
	}
	return nil
}
