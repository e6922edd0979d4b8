package gostd

import (
	"strconv"
	"strings"
)

// Implementer returns a type of the standard library that has all of some methods, "" if none of Types has them. methods holds signatures
// by name.
func Implementer(methods map[string]string) string {
	if len(methods) == 0 {
		return ""
	}
	for line := range strings.Lines(Types) {
		typ, list, _ := strings.Cut(strings.TrimSpace(line), " ")
		list = " " + list + " "
		all := true
		for name, signature := range methods {
			all = all && strings.Contains(list, " "+name+"/"+strconv.Itoa(parameters(signature, name))+" ")
		}
		if all {
			return typ
		}
	}
	return ""
}

// Types lists types of the standard library for which other modules often declare interfaces, one a line: the name, then each method of a
// pointer to it with its number of parameters.
const Types = `os.File Chdir/0 Chmod/1 Chown/2 Close/0 Fd/0 Name/0 Read/1 ReadAt/2 ReadDir/1 ReadFrom/1 Readdir/1 Readdirnames/1 Seek/2 SetDeadline/1 SetReadDeadline/1 SetWriteDeadline/1 Stat/0 Sync/0 SyscallConn/0 Truncate/1 Write/1 WriteAt/2 WriteString/1 WriteTo/1
bytes.Buffer Available/0 AvailableBuffer/0 Bytes/0 Cap/0 Grow/1 Len/0 Next/1 Peek/1 Read/1 ReadByte/0 ReadBytes/1 ReadFrom/1 ReadRune/0 ReadString/1 Reset/0 String/0 Truncate/1 UnreadByte/0 UnreadRune/0 Write/1 WriteByte/1 WriteRune/1 WriteString/1 WriteTo/1
bytes.Reader Len/0 Read/1 ReadAt/2 ReadByte/0 ReadRune/0 Reset/1 Seek/2 Size/0 UnreadByte/0 UnreadRune/0 WriteTo/1
strings.Builder Cap/0 Grow/1 Len/0 Reset/0 String/0 Write/1 WriteByte/1 WriteRune/1 WriteString/1
strings.Reader Len/0 Read/1 ReadAt/2 ReadByte/0 ReadRune/0 Reset/1 Seek/2 Size/0 UnreadByte/0 UnreadRune/0 WriteTo/1
bufio.Reader Buffered/0 Discard/1 Peek/1 Read/1 ReadByte/0 ReadBytes/1 ReadLine/0 ReadRune/0 ReadSlice/1 ReadString/1 Reset/1 Size/0 UnreadByte/0 UnreadRune/0 WriteTo/1
bufio.Writer Available/0 AvailableBuffer/0 Buffered/0 Flush/0 ReadFrom/1 Reset/1 Size/0 Write/1 WriteByte/1 WriteRune/1 WriteString/1
bufio.Scanner Buffer/2 Bytes/0 Err/0 Scan/0 Split/1 Text/0
log.Logger Fatal/1 Fatalf/2 Fatalln/1 Flags/0 Output/2 Panic/1 Panicf/2 Panicln/1 Prefix/0 Print/1 Printf/2 Println/1 SetFlags/1 SetOutput/1 SetPrefix/1 Writer/0
log/slog.Logger Debug/2 DebugContext/3 Enabled/2 Error/2 ErrorContext/3 Handler/0 Info/2 InfoContext/3 Log/4 LogAttrs/4 Warn/2 WarnContext/3 With/1 WithGroup/1
sync.Mutex Lock/0 TryLock/0 Unlock/0
sync.RWMutex Lock/0 RLock/0 RLocker/0 RUnlock/0 TryLock/0 TryRLock/0 Unlock/0
sync.WaitGroup Add/1 Done/0 Go/1 Wait/0
net/http.Client CloseIdleConnections/0 Do/1 Get/1 Head/1 Post/3 PostForm/2
net/http.Server Close/0 ListenAndServe/0 ListenAndServeTLS/2 RegisterOnShutdown/1 Serve/1 ServeTLS/3 SetKeepAlivesEnabled/1 Shutdown/1
net/http.Request AddCookie/1 BasicAuth/0 Clone/1 Context/0 Cookie/1 Cookies/0 CookiesNamed/1 FormFile/1 FormValue/1 MultipartReader/0 ParseForm/0 ParseMultipartForm/1 PathValue/1 PostFormValue/1 ProtoAtLeast/2 Referer/0 SetBasicAuth/2 SetPathValue/2 UserAgent/0 WithContext/1 Write/1 WriteProxy/1
net/http.Header Add/2 Clone/0 Del/1 Get/1 Set/2 Values/1 Write/1 WriteSubset/2
net.TCPConn Close/0 CloseRead/0 CloseWrite/0 File/0 LocalAddr/0 MultipathTCP/0 Read/1 ReadFrom/1 RemoteAddr/0 SetDeadline/1 SetKeepAlive/1 SetKeepAliveConfig/1 SetKeepAlivePeriod/1 SetLinger/1 SetNoDelay/1 SetReadBuffer/1 SetReadDeadline/1 SetWriteBuffer/1 SetWriteDeadline/1 SyscallConn/0 Write/1 WriteTo/1
net.UDPConn Close/0 File/0 LocalAddr/0 Read/1 ReadFrom/1 ReadFromUDP/1 ReadFromUDPAddrPort/1 ReadMsgUDP/2 ReadMsgUDPAddrPort/2 RemoteAddr/0 SetDeadline/1 SetReadBuffer/1 SetReadDeadline/1 SetWriteBuffer/1 SetWriteDeadline/1 SyscallConn/0 Write/1 WriteMsgUDP/3 WriteMsgUDPAddrPort/3 WriteTo/2 WriteToUDP/2 WriteToUDPAddrPort/2
net.Dialer Dial/2 DialContext/3 DialIP/4 DialTCP/4 DialUDP/4 DialUnix/4 MultipathTCP/0 SetMultipathTCP/1
net.Resolver LookupAddr/2 LookupCNAME/2 LookupHost/2 LookupIP/3 LookupIPAddr/2 LookupMX/2 LookupNS/2 LookupNetIP/3 LookupPort/3 LookupSRV/4 LookupTXT/2
database/sql.DB Begin/0 BeginTx/2 Close/0 Conn/1 Driver/0 Exec/2 ExecContext/3 Ping/0 PingContext/1 Prepare/1 PrepareContext/2 Query/2 QueryContext/3 QueryRow/2 QueryRowContext/3 SetConnMaxIdleTime/1 SetConnMaxLifetime/1 SetMaxIdleConns/1 SetMaxOpenConns/1 Stats/0
database/sql.Tx Commit/0 Exec/2 ExecContext/3 Prepare/1 PrepareContext/2 Query/2 QueryContext/3 QueryRow/2 QueryRowContext/3 Rollback/0 Stmt/1 StmtContext/2
database/sql.Stmt Close/0 Exec/1 ExecContext/2 Query/1 QueryContext/2 QueryRow/1 QueryRowContext/2
database/sql.Conn BeginTx/2 Close/0 ExecContext/3 PingContext/1 PrepareContext/2 QueryContext/3 QueryRowContext/3 Raw/1
database/sql.Rows Close/0 ColumnTypes/0 Columns/0 Err/0 Next/0 NextResultSet/0 Scan/1
time.Time Add/1 AddDate/3 After/1 AppendBinary/1 AppendFormat/2 AppendText/1 Before/1 Clock/0 Compare/1 Date/0 Day/0 Equal/1 Format/1 GoString/0 GobEncode/0 Hour/0 ISOWeek/0 In/1 IsDST/0 IsZero/0 Local/0 Location/0 MarshalBinary/0 MarshalJSON/0 MarshalText/0 Minute/0 Month/0 Nanosecond/0 Round/1 Second/0 String/0 Sub/1 Truncate/1 UTC/0 Unix/0 UnixMicro/0 UnixMilli/0 UnixNano/0 Weekday/0 Year/0 YearDay/0 Zone/0 ZoneBounds/0
time.Timer Reset/1 Stop/0
math/rand.Rand ExpFloat64/0 Float32/0 Float64/0 Int/0 Int31/0 Int31n/1 Int63/0 Int63n/1 Intn/1 NormFloat64/0 Perm/1 Read/1 Seed/1 Shuffle/2 Uint32/0 Uint64/0
math/big.Int Abs/1 Add/2 And/2 AndNot/2 Append/2 AppendText/1 Binomial/2 Bit/1 BitLen/0 Bits/0 Bytes/0 Cmp/1 CmpAbs/1 Div/2 DivMod/3 Exp/3 FillBytes/1 Float64/0 Format/2 GCD/4 GobDecode/1 GobEncode/0 Int64/0 IsInt64/0 IsUint64/0 Lsh/2 MarshalJSON/0 MarshalText/0 Mod/2 ModInverse/2 ModSqrt/2 Mul/2 MulRange/2 Neg/1 Not/1 Or/2 ProbablyPrime/1 Quo/2 QuoRem/3 Rand/2 Rem/2 Rsh/2 Scan/2 Set/1 SetBit/3 SetBits/1 SetBytes/1 SetInt64/1 SetString/2 SetUint64/1 Sign/0 Sqrt/1 String/0 Sub/2 Text/1 TrailingZeroBits/0 Uint64/0 UnmarshalJSON/1 UnmarshalText/1 Xor/2
os/exec.Cmd CombinedOutput/0 Environ/0 Output/0 Run/0 Start/0 StderrPipe/0 StdinPipe/0 StdoutPipe/0 String/0 Wait/0
text/template.Template AddParseTree/2 Clone/0 Copy/0 DefinedTemplates/0 Delims/2 ErrorContext/1 Execute/2 ExecuteTemplate/3 Funcs/1 Lookup/1 Name/0 New/1 Option/1 Parse/1 ParseFS/2 ParseFiles/1 ParseGlob/1 Templates/0
html/template.Template AddParseTree/2 Clone/0 DefinedTemplates/0 Delims/2 Execute/2 ExecuteTemplate/3 Funcs/1 Lookup/1 Name/0 New/1 Option/1 Parse/1 ParseFS/2 ParseFiles/1 ParseGlob/1 Templates/0
regexp.Regexp AppendText/1 Copy/0 Expand/4 ExpandString/4 Find/1 FindAll/2 FindAllIndex/2 FindAllString/2 FindAllStringIndex/2 FindAllStringSubmatch/2 FindAllStringSubmatchIndex/2 FindAllSubmatch/2 FindAllSubmatchIndex/2 FindIndex/1 FindReaderIndex/1 FindReaderSubmatchIndex/1 FindString/1 FindStringIndex/1 FindStringSubmatch/1 FindStringSubmatchIndex/1 FindSubmatch/1 FindSubmatchIndex/1 LiteralPrefix/0 Longest/0 MarshalText/0 Match/1 MatchReader/1 MatchString/1 NumSubexp/0 ReplaceAll/2 ReplaceAllFunc/2 ReplaceAllLiteral/2 ReplaceAllLiteralString/2 ReplaceAllString/2 ReplaceAllStringFunc/2 Split/2 String/0 SubexpIndex/1 SubexpNames/0 UnmarshalText/1
net/url.URL AppendBinary/1 EscapedFragment/0 EscapedPath/0 Hostname/0 IsAbs/0 JoinPath/1 MarshalBinary/0 Parse/1 Port/0 Query/0 Redacted/0 RequestURI/0 ResolveReference/1 String/0 UnmarshalBinary/1
encoding/json.Decoder Buffered/0 Decode/1 DisallowUnknownFields/0 InputOffset/0 More/0 Token/0 UseNumber/0
encoding/json.Encoder Encode/1 SetEscapeHTML/1 SetIndent/2
encoding/xml.Decoder Decode/1 DecodeElement/2 InputOffset/0 InputPos/0 RawToken/0 Skip/0 Token/0
encoding/xml.Encoder Close/0 Encode/1 EncodeElement/2 EncodeToken/1 Flush/0 Indent/2
testing.T ArtifactDir/0 Attr/2 Chdir/1 Cleanup/1 Context/0 Deadline/0 Error/1 Errorf/2 Fail/0 FailNow/0 Failed/0 Fatal/1 Fatalf/2 Helper/0 Log/1 Logf/2 Name/0 Output/0 Parallel/0 Run/2 Setenv/2 Skip/1 SkipNow/0 Skipf/2 Skipped/0 TempDir/0
testing.B ArtifactDir/0 Attr/2 Chdir/1 Cleanup/1 Context/0 Elapsed/0 Error/1 Errorf/2 Fail/0 FailNow/0 Failed/0 Fatal/1 Fatalf/2 Helper/0 Log/1 Logf/2 Loop/0 Name/0 Output/0 ReportAllocs/0 ReportMetric/2 ResetTimer/0 Run/2 RunParallel/1 SetBytes/1 SetParallelism/1 Setenv/2 Skip/1 SkipNow/0 Skipf/2 Skipped/0 StartTimer/0 StopTimer/0 TempDir/0
flag.FlagSet Arg/1 Args/0 Bool/3 BoolFunc/3 BoolVar/4 Duration/3 DurationVar/4 ErrorHandling/0 Float64/3 Float64Var/4 Func/3 Init/2 Int/3 Int64/3 Int64Var/4 IntVar/4 Lookup/1 NArg/0 NFlag/0 Name/0 Output/0 Parse/1 Parsed/0 PrintDefaults/0 Set/2 SetOutput/1 String/3 StringVar/4 TextVar/4 Uint/3 Uint64/3 Uint64Var/4 UintVar/4 Var/3 Visit/1 VisitAll/1
archive/tar.Reader Next/0 Read/1
archive/tar.Writer AddFS/1 Close/0 Flush/0 Write/1 WriteHeader/1
archive/zip.Writer AddFS/1 Close/0 Copy/1 Create/1 CreateHeader/1 CreateRaw/1 Flush/0 RegisterCompressor/2 SetComment/1 SetOffset/1
compress/gzip.Reader Close/0 Multistream/1 Read/1 Reset/1
compress/gzip.Writer Close/0 Flush/0 Reset/1 Write/1
crypto/tls.Conn Close/0 CloseWrite/0 ConnectionState/0 Handshake/0 HandshakeContext/1 LocalAddr/0 NetConn/0 OCSPResponse/0 Read/1 RemoteAddr/0 SetDeadline/1 SetReadDeadline/1 SetWriteDeadline/1 VerifyHostname/1 Write/1
net/textproto.Conn Close/0 Cmd/2 DotReader/0 DotWriter/0 EndRequest/1 EndResponse/1 Next/0 PrintfLine/2 ReadCodeLine/1 ReadContinuedLine/0 ReadContinuedLineBytes/0 ReadDotBytes/0 ReadDotLines/0 ReadLine/0 ReadLineBytes/0 ReadMIMEHeader/0 ReadResponse/1 StartRequest/1 StartResponse/1
`
