package extract

// #cgo CFLAGS: -std=c11 -O2 -D_POSIX_C_SOURCE=200112L
// #cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// #include <stdlib.h>
// #include "shim.h"
import "C"

import (
	"errors"
	"runtime"
	"unsafe"

	tree_sitter "github.com/tree-sitter/go-tree-sitter"
)

// abiVersion links the runtime of tree-sitter into this program. Nothing else of its
// module is used, because its Go layer allocates a handle per parse.
const abiVersion = tree_sitter.LANGUAGE_VERSION

// Limits of one parse. The first counts the bytes the parser asks its allocator for,
// plus 64 a call, and its searches after errors (shim.c), so that the same file has the
// same fate on a busy machine as on an idle one. Counting parser operations instead
// would not do: hostile source makes single operations slow (the parser copies ever
// longer lists of children), up to 50 ms each. Ordinary source asks for 30 to 72 bytes
// a byte, at 2 to 4 ns each, tables of one-digit numbers for 390; source that takes
// seconds asks for 1,000 to 70,000. 60 KB may ask for 65 MB, some 200 ms. The clock
// (the thread's CPU time) is only there for work that allocates little. Memory is what the parser has at
// once (arena.h).
const (
	workBase    = 16 << 20  // any file
	workPerByte = 800       // and for each of its bytes
	memoryBase  = 64 << 20  // at once, any file
	memPerByte  = 200       // and for each of its bytes
	clockBase   = 2_000     // milliseconds any file may take
	clockPerMB  = 4_000     // and for each megabyte
	maxNodes    = 2_000_000 // 48 MB of nodes; a byte makes at most about two
	maxDepth    = 6_000
)

type parseStatus int

const (
	parseOK   parseStatus = C.KEN_OK
	parseWork parseStatus = C.KEN_WORK
	parseTime parseStatus = C.KEN_CLOCK
	parseCut  parseStatus = C.KEN_CUT
	parseFail parseStatus = C.KEN_FAIL
)

// rawNode mirrors ken_node of shim.h and is read in place.
type rawNode struct {
	start, end, row uint32
	parent, next    uint32
	kind            kind
	field           field
	flags           uint8
}

const (
	flagNamed   = C.KEN_NAMED
	flagMissing = C.KEN_MISSING
	flagError   = C.KEN_ERROR
	flagExtra   = C.KEN_EXTRA
)

// treeParser runs tree-sitter and owns the memory of the flat
// tree. It is not safe for concurrent use.
type treeParser struct{ c *C.ken_parser }

func newTreeParser() (*treeParser, error) {
	c := (*C.ken_parser)(C.calloc(1, C.sizeof_ken_parser))
	if c == nil || !C.ken_open(c) {
		C.free(unsafe.Pointer(c))
		return nil, errors.New("open parser: out of memory")
	}
	return &treeParser{c}, nil
}

func (p *treeParser) close() {
	if p.c != nil {
		C.ken_close(p.c)
		C.free(unsafe.Pointer(p.c))
		p.c = nil
	}
}

// limits are the bounds of one parse; the zero value of a field means the
// default for the file's size.
type limits struct {
	work   uint64
	millis uint32
	nodes  uint32
	depth  uint32
}

func (l limits) orDefault(size int, perByte uint64) limits {
	if l.work == 0 {
		l.work = workBase + uint64(size)*max(perByte, workPerByte)
	}
	if l.millis == 0 {
		l.millis = clockBase + uint32(size/(1_000_000/clockPerMB))
	}
	if l.nodes == 0 {
		l.nodes = maxNodes
	}
	if l.depth == 0 {
		l.depth = maxDepth
	}
	return l
}

// swap puts the tree of the last parse aside, so that it stays valid during the next parses, and takes back the one put aside
// before, whose memory they use.
func (p *treeParser) swap() { C.ken_swap(p.c) }

// trim frees the tree put aside if it is large.
func (p *treeParser) trim() { C.ken_trim(p.c) }

// parse parses src and returns its tree in pre-order, the root as node 1. The
// slice lies in C memory and is valid until the next parse, unless swap puts it aside, or close. It is empty
// unless the status is parseOK or parseCut.
func (p *treeParser) parse(g *grammar, src []byte, l limits) ([]rawNode, parseStatus) {
	return p.reparse(g, nil, src, l)
}

// adopt makes the tree of the last parse the one that reparse begins with.
func (p *treeParser) adopt() { C.ken_adopt(p.c) }

// release drops the trees that reparse could use.
func (p *treeParser) release() { C.ken_release(p.c) }

// reparse parses src as parse does, but takes the nodes of the adopted tree, whose source is before, where src is equal to it. It
// parses all of src if before is nil or has another length, or there is no adopted tree.
func (p *treeParser) reparse(g *grammar, before, src []byte, l limits) ([]rawNode, parseStatus) {
	l = l.orDefault(len(src), g.work)
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&g.kinds[0])
	pin.Pin(&g.fields[0])
	lim := C.ken_limits{
		lang:  (*C.TSLanguage)(g.ptr),
		kinds: (*C.uint16_t)(unsafe.Pointer(&g.kinds[0])), nkinds: C.uint32_t(len(g.kinds)),
		fields: (*C.uint8_t)(unsafe.Pointer(&g.fields[0])), nfields: C.uint32_t(len(g.fields)),
		work: C.uint64_t(l.work), memory: memoryBase + memPerByte*C.uint64_t(len(src)), millis: C.uint32_t(l.millis),
		max_nodes: C.uint32_t(l.nodes), max_depth: C.uint32_t(l.depth),
	}
	var status parseStatus
	text := (*C.char)(unsafe.Pointer(unsafe.SliceData(src)))
	if before != nil && len(before) == len(src) {
		status = parseStatus(C.ken_reparse(p.c, (*C.char)(unsafe.Pointer(unsafe.SliceData(before))), text, C.uint32_t(len(src)), &lim))
	} else {
		status = parseStatus(C.ken_parse(p.c, text, C.uint32_t(len(src)), &lim))
	}
	if status != parseOK && status != parseCut {
		return nil, status
	}
	return unsafe.Slice((*rawNode)(unsafe.Pointer(p.c.nodes)), int(p.c.count)), status
}

// work returns the work of the last parse, in the unit of limits.
func (p *treeParser) work() uint64 { return uint64(p.c.work) }

// grammarNames lists a grammar's symbols by id, anonymous ones (keywords,
// punctuation) with a leading apostrophe, and its fields by id.
func grammarNames(ptr unsafe.Pointer) (symbols, fields []string) {
	lang := (*C.TSLanguage)(ptr)
	for i := range C.ken_symbols(lang) {
		var anonymous C.bool
		name := C.GoString(C.ken_symbol(lang, C.uint32_t(i), &anonymous))
		if anonymous {
			name = "'" + name
		}
		symbols = append(symbols, name)
	}
	for i := range C.ken_fields(lang) + 1 {
		fields = append(fields, C.GoString(C.ken_field(lang, C.uint32_t(i))))
	}
	return symbols, fields
}
