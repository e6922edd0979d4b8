package resolve

import "strings"

// isNodeBuiltin reports whether a bare specifier is a module of Node itself
// (require("module").builtinModules of Node 20, without the internal ones).
func isNodeBuiltin(spec string) bool {
	name, _, _ := strings.Cut(spec, "/")
	switch name {
	case "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram",
		"diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https", "inspector", "module", "net", "os",
		"path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl", "stream", "string_decoder", "sys",
		"timers", "tls", "trace_events", "tty", "url", "util", "v8", "vm", "wasi", "worker_threads", "zlib":
	default:
		return false
	}
	switch spec[len(name):] { // "punycode/" and "events/x" are packages
	case "", "/strict", "/promises", "/posix", "/win32", "/consumers", "/web", "/types":
		return true
	}
	return false
}

// isPythonStd reports whether a top-level name is a module of Python's standard
// library. The list is sys.stdlib_module_names of 3.11 and the modules that
// later versions add.
func isPythonStd(name string) bool {
	switch name {
	case "__future__", "__main__", "_abc", "_ast", "_asyncio", "_bisect", "_blake2", "_bootlocale", "_bz2", "_codecs",
		"_collections", "_collections_abc", "_compression", "_contextvars", "_crypt", "_csv", "_ctypes", "_curses",
		"_datetime", "_decimal", "_dummy_thread", "_frozen_importlib", "_frozen_importlib_external", "_functools",
		"_hashlib", "_heapq", "_imp", "_io", "_json", "_locale", "_lzma", "_markupbase", "_md5", "_multiprocessing",
		"_opcode", "_operator", "_osx_support", "_pickle", "_posixsubprocess", "_py_abc", "_pydecimal", "_pyio",
		"_queue", "_random", "_sha1", "_sha256", "_sha512", "_signal", "_sitebuiltins", "_socket", "_sqlite3", "_sre",
		"_ssl", "_stat", "_statistics", "_string", "_strptime", "_struct", "_symtable", "_sysconfigdata", "_testcapi",
		"_thread", "_threading_local", "_tkinter", "_tracemalloc", "_typeshed", "_typing", "_uuid", "_warnings",
		"_weakref", "_weakrefset", "_winapi", "_zoneinfo", "abc", "aifc", "annotationlib", "antigravity", "argparse",
		"array", "ast", "asynchat", "asyncio", "asyncore", "atexit", "audioop", "base64", "bdb", "binascii", "bisect",
		"builtins", "bz2", "cProfile", "calendar", "cgi", "cgitb", "chunk", "cmath", "cmd", "code", "codecs",
		"codeop", "collections", "colorsys", "compileall", "compression", "concurrent", "configparser", "contextlib",
		"contextvars", "copy", "copyreg", "crypt", "csv", "ctypes", "curses", "dataclasses", "datetime", "dbm",
		"decimal", "difflib", "dis", "distutils", "doctest", "email", "encodings", "ensurepip", "enum", "errno",
		"faulthandler", "fcntl", "filecmp", "fileinput", "fnmatch", "fractions", "ftplib", "functools", "gc",
		"genericpath", "getopt", "getpass", "gettext", "glob", "graphlib", "grp", "gzip", "hashlib", "heapq", "hmac",
		"html", "http", "idlelib", "imaplib", "imghdr", "imp", "importlib", "inspect", "io", "ipaddress", "itertools",
		"json", "keyword", "lib2to3", "linecache", "locale", "logging", "lzma", "mailbox", "mailcap", "marshal",
		"math", "mimetypes", "mmap", "modulefinder", "msilib", "msvcrt", "multiprocessing", "netrc", "nis", "nntplib",
		"nt", "ntpath", "nturl2path", "numbers", "opcode", "operator", "optparse", "os", "ossaudiodev", "pathlib",
		"pdb", "pickle", "pickletools", "pipes", "pkgutil", "platform", "plistlib", "poplib", "posix", "posixpath",
		"pprint", "profile", "pstats", "pty", "pwd", "py_compile", "pyclbr", "pydoc", "pydoc_data", "pyexpat",
		"queue", "quopri", "random", "re", "readline", "reprlib", "resource", "rlcompleter", "runpy", "sched",
		"secrets", "select", "selectors", "shelve", "shlex", "shutil", "signal", "site", "smtpd", "smtplib", "sndhdr",
		"socket", "socketserver", "spwd", "sqlite3", "sre_compile", "sre_constants", "sre_parse", "ssl", "stat",
		"statistics", "string", "stringprep", "struct", "subprocess", "sunau", "symtable", "sys", "sysconfig",
		"syslog", "tabnanny", "tarfile", "telnetlib", "tempfile", "termios", "textwrap", "this", "threading", "time",
		"timeit", "tkinter", "token", "tokenize", "tomllib", "trace", "traceback", "tracemalloc", "tty", "turtle",
		"turtledemo", "types", "typing", "unicodedata", "unittest", "urllib", "uu", "uuid", "venv", "warnings",
		"wave", "weakref", "webbrowser", "winreg", "winsound", "wsgiref", "xdrlib", "xml", "xmlrpc", "zipapp",
		"zipfile", "zipimport", "zlib", "zoneinfo":
		return true
	}
	return false
}
