package resolve

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// C and C++: an include names a file below one of a list of directories, which only the build knows. If there is a
// compile_commands.json, its directories count; elsewhere the file is sought by the end of its path among all files of
// its name, and if several fit, the one in a likely place wins: the including file's directories upwards, and include
// and src in them. A file's own name is its "package" in the index (see PackageKeys), so that all files of a name are
// found at once and one probe notices any that comes or goes.

// cResolver resolves #include and C++20's import.
type cResolver struct {
	t        Tree
	memo     map[cQuery]Result
	commands []cCommands // nil until read
	loaded   bool
}

type cQuery struct {
	dir, spec string
	flags     int // index of the list of directories, see compileFlags
	db        int
}

func (r *cResolver) resolve(from string, imp *code.Import) Result {
	q := cQuery{dir: code.Dir(from), spec: imp.Spec}
	q.db, q.flags = r.compileFlags(from)
	res, ok := r.memo[q]
	if !ok {
		res = r.find(q)
		r.memo[q] = res
	}
	return res
}

func (r *cResolver) find(q cQuery) Result {
	spec, angle := strings.CutPrefix(q.spec, "<")
	spec = strings.TrimSuffix(spec, ">")
	p := &probe{t: r.t}
	if name, ok := strings.CutPrefix(q.spec, "module:"); ok {
		return r.module(p, q.dir, name)
	}
	spec = strings.ReplaceAll(spec, `\`, "/")
	if strings.Count(spec, "/") > maxSegments || strings.HasPrefix(spec, "/") || strings.Contains(spec, ":") {
		return Result{External: path.Base(spec)}
	}
	if file, ok := join(q.dir, spec); ok && !angle && p.has(file) {
		return Result{File: file, Probes: p.keys}
	}
	for _, dir := range r.searchDirsFor(q, angle) {
		if file, ok := join(dir, spec); ok && p.has(file) {
			return Result{File: file, Probes: p.keys}
		}
	}
	if angle && isCStd(spec) {
		return Result{External: spec, Std: true, Probes: p.keys}
	}
	if file := r.bySuffix(p, q.dir, spec); file != "" {
		return Result{File: file, Probes: p.keys}
	}
	return r.outside(p, q.dir, spec, angle)
}

// outside returns the result for an include that names no file of the repository. If it is in quotes and is a plain
// name, or its directory exists, the file is expected in the repository: the build generates it.
func (r *cResolver) outside(p *probe, dir, spec string, angle bool) Result {
	first, _, deep := strings.Cut(spec, "/")
	switch {
	case !deep && isCStd(spec):
		return Result{External: spec, Std: true, Probes: p.keys}
	case !angle && (!deep || first == ".." || first == "."):
		return Result{Probes: p.keys}
	case !angle && (p.hasBelow(first) || p.hasBelow(under(dir, first)) || p.hasBelow(under(code.Dir(dir), first))):
		return Result{Probes: p.keys}
	}
	return Result{External: strings.TrimSuffix(first, path.Ext(first)), Probes: p.keys}
}

// bySuffix finds the likeliest of the files whose paths end in spec. It returns "" if there is none, or if several are
// equally likely.
func (r *cResolver) bySuffix(p *probe, dir, spec string) string {
	spec = path.Clean("/" + spec)[1:]
	if spec == "" {
		return ""
	}
	base := path.Base(spec)
	best, rank, tie := "", cRank{}, false
	for _, l := range [...]code.Lang{langC, langCPP} {
		p.note(lang.PackageKey(l, base))
		for _, d := range r.t.PackageDirs(l, base) {
			file := under(d, base)
			if file != spec && !strings.HasSuffix(file, "/"+spec) || !r.t.Has(file) {
				continue
			}
			root := strings.TrimSuffix(strings.TrimSuffix(file, spec), "/")
			switch k := rankC(root, dir); {
			case best == "" || k.better(rank):
				best, rank, tie = file, k, false
			case !rank.better(k) && file != best:
				tie = true
			}
		}
	}
	if tie {
		return ""
	}
	return best
}

// cRank tells how likely a build searches a directory. First come the directories above the including file and their
// include and src directories, then the directory that has the longest path in common with the including file.
type cRank struct {
	upward bool
	common int
	plain  bool // the directory is above the including file, not an include or src in it
}

func (a cRank) better(b cRank) bool {
	switch {
	case a.upward != b.upward:
		return a.upward
	case a.common != b.common:
		return a.common > b.common
	}
	return a.plain && !b.plain
}

func rankC(root, from string) cRank {
	k := cRank{common: common(root, from), plain: inside(root, from)}
	k.upward = k.plain
	switch path.Base("/" + root) {
	case "include", "inc", "src", "source", "lib", "public", "includes":
		k.upward = k.upward || inside(code.Dir(root), from)
	}
	return k
}

// module finds the file of a C++20 module by the module's name. The declaration in the file is not read.
func (r *cResolver) module(p *probe, dir, name string) Result {
	if name == "std" || name == "std.compat" {
		return Result{External: name, Std: true}
	}
	name, _, _ = strings.Cut(name, ":")
	if name == "" || strings.Contains(name, "/") {
		return Result{}
	}
	for _, stem := range [...]string{name, name[strings.LastIndexByte(name, '.')+1:]} {
		for _, ext := range [...]string{".cppm", ".ixx", ".mpp", ".cc", ".cpp"} {
			if stem == "" {
				continue
			}
			if file := r.bySuffix(p, dir, stem+ext); file != "" {
				return Result{File: file, Probes: p.keys}
			}
		}
	}
	return Result{Probes: p.keys}
}

// isCStd reports whether a header belongs to the standard libraries of C and C++
// or to the system's C library.
func isCStd(spec string) bool {
	if dir, _, ok := strings.Cut(spec, "/"); ok {
		switch dir {
		case "sys", "netinet", "net", "arpa", "linux", "asm", "machine", "mach", "bits", "experimental", "rpc", "netpacket", "protocols":
			return true
		}
		return false
	}
	name, isC := strings.CutSuffix(spec, ".h")
	_, ok := slices.BinarySearch(cHeaders, name)
	if isC {
		return ok
	}
	if bare, found := strings.CutPrefix(spec, "c"); found {
		if _, ok := slices.BinarySearch(cHeaders, bare); ok {
			return true
		}
	}
	_, ok = slices.BinarySearch(cppHeaders, spec)
	return ok
}

// cHeaders are the headers of ISO C and POSIX and those shipped with compilers, without ".h", sorted.
var cHeaders = strings.Fields(`aio alloca assert byteswap complex cpuid crypt ctype dirent dlfcn elf endian err errno error execinfo
fcntl features fenv float fmtmsg fnmatch ftw getopt glob grp iconv ifaddrs immintrin inttypes io iso646 langinfo libgen libintl limits locale
malloc math memory monetary mqueue ndbm netdb nl_types nmmintrin paths poll pthread pty pwd regex resolv sched search semaphore setjmp sgtty
shadow signal spawn stdalign stdarg stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string strings stropts syscall
sysexits syslog tar termio termios tgmath threads time trace tsd uchar ucontext ulimit unistd utime utmp utmpx values wait wchar wctype
windows winsock2 wordexp ws2tcpip x86intrin xmmintrin`)

// cppHeaders are the headers of ISO C++, sorted.
var cppHeaders = strings.Fields(`algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts
condition_variable coroutine cuchar debugging deque exception execution expected filesystem flat_map flat_set format forward_list fstream
functional future generator initializer_list iomanip ios iosfwd iostream istream iterator latch limits linalg list locale map mdspan memory
memory_resource mutex new numbers numeric optional ostream print queue random ranges ratio regex scoped_allocator semaphore set shared_mutex
source_location span spanstream sstream stack stacktrace stdexcept stdfloat stop_token streambuf string string_view strstream syncstream
system_error text_encoding thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector version`)
