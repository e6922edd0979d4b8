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
// The library's own SetDefensive passes one of the two arguments that SQLite takes. What
// happens to be in memory behind it is taken for an address and written to: now and then
// the process crashed, and else some other allocation was overwritten. The library gives
// no access to its handle, so it is read from the field; TestDefensive and the error here
// notice if a later version has another one.
func setDefensive(c *sqlite.Conn) error {
	handle := reflect.ValueOf(c).Elem().FieldByName("conn")
	if !handle.IsValid() || handle.Kind() != reflect.Uintptr || handle.Uint() == 0 {
		return errors.New("set defensive: the library keeps no handle in its field conn")
	}
	tls := libc.NewTLS()
	defer tls.Close()
	const on, nowhere = int32(1), uintptr(0) // nowhere to write what the mode is then
	args := libc.NewVaList(on, nowhere)
	if args == 0 {
		return errors.New("set defensive: no memory")
	}
	defer libc.Xfree(tls, args)
	code := lib.Xsqlite3_db_config(tls, uintptr(handle.Uint()), lib.SQLITE_DBCONFIG_DEFENSIVE, args)
	if err := sqlite.ResultCode(code).ToError(); err != nil {
		return fmt.Errorf("set defensive: %w", err)
	}
	return nil
}
