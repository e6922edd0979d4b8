// Package gostd lists the interfaces of Go's standard library. A method that implements
// one may be called through it by the library, outside the repository. Its neighbour is
// ask/refs.
package gostd

import (
	"strconv"
	"strings"
)

// Of returns an interface of the standard library that has the named method and
// that a type with the given methods implements, "" if there is none. methods
// holds signatures by name.
func Of(methods map[string]string, name string) string {
	for line := range strings.Lines(Interfaces) {
		fields := strings.Fields(line)
		all, named := true, false
		for _, m := range fields[1:] {
			method, params, _ := strings.Cut(m, "/")
			signature, has := methods[method]
			all = all && has && strconv.Itoa(parameters(signature, method)) == params
			named = named || method == name
		}
		if all && named {
			return fields[0]
		}
	}
	return ""
}

// parameters counts the parameters of a method by the commas between the parentheses
// after its name.
func parameters(signature, name string) int {
	_, list, ok := strings.Cut(signature, name+"(")
	if !ok || strings.HasPrefix(list, ")") {
		return 0
	}
	depth, n := 0, 1
	for i := range len(list) {
		switch list[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return n
			}
		case ',':
			if depth == 0 {
				n++
			}
		}
	}
	return n
}

// Interfaces lists the exported interfaces of Go 1.26 whose methods are all exported, one
// a line: its name, then each method with its number of parameters. Of interfaces with
// the same methods one is listed.
const Interfaces = `archive/tar.FileInfoNames Gname/0 IsDir/0 ModTime/0 Mode/0 Name/0 Size/0 Sys/0 Uname/0
compress/zlib.Resetter Reset/2
container/heap.Interface Len/0 Less/2 Pop/0 Push/1 Swap/2
context.Context Deadline/0 Done/0 Err/0 Value/1
crypto.Decapsulator Decapsulate/1 Encapsulator/0
crypto.Decrypter Decrypt/3 Public/0
crypto.Encapsulator Bytes/0 Encapsulate/0
crypto.MessageSigner Public/0 Sign/3 SignMessage/3
crypto.Signer Public/0 Sign/3
crypto.SignerOpts HashFunc/0
crypto/cipher.AEAD NonceSize/0 Open/4 Overhead/0 Seal/4
crypto/cipher.Block BlockSize/0 Decrypt/2 Encrypt/2
crypto/cipher.BlockMode BlockSize/0 CryptBlocks/2
crypto/cipher.Stream XORKeyStream/2
crypto/ecdh.KeyExchanger Curve/0 ECDH/1 PublicKey/0
crypto/elliptic.Curve Add/4 Double/2 IsOnCurve/2 Params/0 ScalarBaseMult/1 ScalarMult/3
crypto/tls.ClientSessionCache Get/1 Put/2
database/sql.Result LastInsertId/0 RowsAffected/0
database/sql.Scanner Scan/1
database/sql/driver.ColumnConverter ColumnConverter/1
database/sql/driver.Conn Begin/0 Close/0 Prepare/1
database/sql/driver.ConnBeginTx BeginTx/2
database/sql/driver.ConnPrepareContext PrepareContext/2
database/sql/driver.Connector Connect/1 Driver/0
database/sql/driver.DriverContext OpenConnector/1
database/sql/driver.Execer Exec/2
database/sql/driver.ExecerContext ExecContext/3
database/sql/driver.NamedValueChecker CheckNamedValue/1
database/sql/driver.Pinger Ping/1
database/sql/driver.Queryer Query/2
database/sql/driver.QueryerContext QueryContext/3
database/sql/driver.Rows Close/0 Columns/0 Next/1
database/sql/driver.RowsColumnTypeDatabaseTypeName Close/0 ColumnTypeDatabaseTypeName/1 Columns/0 Next/1
database/sql/driver.RowsColumnTypeLength Close/0 ColumnTypeLength/1 Columns/0 Next/1
database/sql/driver.RowsColumnTypeNullable Close/0 ColumnTypeNullable/1 Columns/0 Next/1
database/sql/driver.RowsColumnTypePrecisionScale Close/0 ColumnTypePrecisionScale/1 Columns/0 Next/1
database/sql/driver.RowsColumnTypeScanType Close/0 ColumnTypeScanType/1 Columns/0 Next/1
database/sql/driver.RowsNextResultSet Close/0 Columns/0 HasNextResultSet/0 Next/1 NextResultSet/0
database/sql/driver.SessionResetter ResetSession/1
database/sql/driver.Stmt Close/0 Exec/1 NumInput/0 Query/1
database/sql/driver.StmtExecContext ExecContext/2
database/sql/driver.StmtQueryContext QueryContext/2
database/sql/driver.Tx Commit/0 Rollback/0
database/sql/driver.Validator IsValid/0
database/sql/driver.ValueConverter ConvertValue/1
database/sql/driver.Valuer Value/0
debug/dwarf.Type Common/0 Size/0 String/0
debug/macho.Load Raw/0
encoding.BinaryAppender AppendBinary/1
encoding.BinaryMarshaler MarshalBinary/0
encoding.BinaryUnmarshaler UnmarshalBinary/1
encoding.TextAppender AppendText/1
encoding.TextMarshaler MarshalText/0
encoding.TextUnmarshaler UnmarshalText/1
encoding/binary.AppendByteOrder AppendUint16/2 AppendUint32/2 AppendUint64/2 String/0
encoding/binary.ByteOrder PutUint16/2 PutUint32/2 PutUint64/2 String/0 Uint16/1 Uint32/1 Uint64/1
encoding/gob.GobDecoder GobDecode/1
encoding/gob.GobEncoder GobEncode/0
encoding/json.Marshaler MarshalJSON/0
encoding/json.Unmarshaler UnmarshalJSON/1
encoding/xml.Marshaler MarshalXML/2
encoding/xml.MarshalerAttr MarshalXMLAttr/1
encoding/xml.TokenReader Token/0
encoding/xml.Unmarshaler UnmarshalXML/2
encoding/xml.UnmarshalerAttr UnmarshalXMLAttr/1
error Error/0
errors.As As/1
errors.Is Is/1
errors.Unwrap Unwrap/0
expvar.Var String/0
flag.Getter Get/0 Set/1 String/0
flag.Value Set/1 String/0
fmt.Formatter Format/2
fmt.GoStringer GoString/0
fmt.ScanState Read/1 ReadRune/0 SkipSpace/0 Token/2 UnreadRune/0 Width/0
fmt.Scanner Scan/2
fmt.State Flag/1 Precision/0 Width/0 Write/1
go/ast.Node End/0 Pos/0
go/ast.Visitor Visit/1
go/types.Importer Import/1
go/types.ImporterFrom Import/1 ImportFrom/3
go/types.Sizes Alignof/1 Offsetsof/1 Sizeof/1
go/types.Type String/0 Underlying/0
hash.Cloner BlockSize/0 Clone/0 Reset/0 Size/0 Sum/1 Write/1
hash.Hash BlockSize/0 Reset/0 Size/0 Sum/1 Write/1
hash.Hash32 BlockSize/0 Reset/0 Size/0 Sum/1 Sum32/0 Write/1
hash.Hash64 BlockSize/0 Reset/0 Size/0 Sum/1 Sum64/0 Write/1
hash.XOF BlockSize/0 Read/1 Reset/0 Write/1
image.Image At/2 Bounds/0 ColorModel/0
image.PalettedImage At/2 Bounds/0 ColorIndexAt/2 ColorModel/0
image.RGBA64Image At/2 Bounds/0 ColorModel/0 RGBA64At/2
image/color.Color RGBA/0
image/color.Model Convert/1
image/draw.Drawer Draw/4
image/draw.Image At/2 Bounds/0 ColorModel/0 Set/3
image/draw.Quantizer Quantize/2
image/draw.RGBA64Image At/2 Bounds/0 ColorModel/0 RGBA64At/2 Set/3 SetRGBA64/3
image/jpeg.Reader Read/1 ReadByte/0
image/png.EncoderBufferPool Get/0 Put/1
io.ByteReader ReadByte/0
io.ByteScanner ReadByte/0 UnreadByte/0
io.ByteWriter WriteByte/1
io.Closer Close/0
io.ReadCloser Close/0 Read/1
io.ReadSeekCloser Close/0 Read/1 Seek/2
io.ReadSeeker Read/1 Seek/2
io.ReadWriteCloser Close/0 Read/1 Write/1
io.ReadWriteSeeker Read/1 Seek/2 Write/1
io.ReadWriter Read/1 Write/1
io.Reader Read/1
io.ReaderAt ReadAt/2
io.ReaderFrom ReadFrom/1
io.RuneReader ReadRune/0
io.RuneScanner ReadRune/0 UnreadRune/0
io.Seeker Seek/2
io.StringWriter WriteString/1
io.WriteCloser Close/0 Write/1
io.WriteSeeker Seek/2 Write/1
io.Writer Write/1
io.WriterAt WriteAt/2
io.WriterTo WriteTo/1
io/fs.FS Open/1
io/fs.File Close/0 Read/1 Stat/0
io/fs.GlobFS Glob/1 Open/1
io/fs.ReadDirFS Open/1 ReadDir/1
io/fs.ReadDirFile Close/0 Read/1 ReadDir/1 Stat/0
io/fs.ReadFileFS Open/1 ReadFile/1
io/fs.ReadLinkFS Lstat/1 Open/1 ReadLink/1
io/fs.StatFS Open/1 Stat/1
io/fs.SubFS Open/1 Sub/1
log/slog.Handler Enabled/2 Handle/2 WithAttrs/1 WithGroup/1
log/slog.Leveler Level/0
log/slog.LogValuer LogValue/0
math/rand.Source Int63/0 Seed/1
math/rand.Source64 Int63/0 Seed/1 Uint64/0
math/rand/v2.Source Uint64/0
mime/multipart.File Close/0 Read/1 ReadAt/2 Seek/2
net.Addr Network/0 String/0
net.Conn Close/0 LocalAddr/0 Read/1 RemoteAddr/0 SetDeadline/1 SetReadDeadline/1 SetWriteDeadline/1 Write/1
net.Error Error/0 Temporary/0 Timeout/0
net.Listener Accept/0 Addr/0 Close/0
net.PacketConn Close/0 LocalAddr/0 ReadFrom/1 SetDeadline/1 SetReadDeadline/1 SetWriteDeadline/1 WriteTo/2
net.timeout Timeout/0
net/http.CloseNotifier CloseNotify/0
net/http.CookieJar Cookies/1 SetCookies/2
net/http.File Close/0 Read/1 Readdir/1 Seek/2 Stat/0
net/http.Flusher Flush/0
net/http.Handler ServeHTTP/2
net/http.Hijacker Hijack/0
net/http.Pusher Push/2
net/http.ResponseWriter Header/0 Write/1 WriteHeader/1
net/http.RoundTripper RoundTrip/1
net/http/cookiejar.PublicSuffixList PublicSuffix/1 String/0
net/rpc.ClientCodec Close/0 ReadResponseBody/1 ReadResponseHeader/1 WriteRequest/2
net/rpc.ServerCodec Close/0 ReadRequestBody/1 ReadRequestHeader/1 WriteResponse/2
net/smtp.Auth Next/2 Start/1
os.DirEntry Info/0 IsDir/0 Name/0 Type/0
os.FileInfo IsDir/0 ModTime/0 Mode/0 Name/0 Size/0 Sys/0
os.Signal Signal/0 String/0
runtime.Error Error/0 RuntimeError/0
sort.Interface Len/0 Less/2 Swap/2
sync.Locker Lock/0 Unlock/0
syscall.Conn SyscallConn/0
syscall.RawConn Control/1 Read/1 Write/1
testing/quick.Generator Generate/2
`
