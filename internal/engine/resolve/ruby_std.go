package resolve

// isRubyStd reports whether the first part of a required path belongs to Ruby's standard library: rubylibdir and
// rubyarchdir of 3.1, and the libraries of other versions.
func isRubyStd(name string) bool {
	switch name {
	case "English", "abbrev", "base64", "benchmark", "bigdecimal", "bundler", "cgi", "continuation", "coverage", "csv", "date", "date_core",
		"dbm", "debug", "delegate", "did_you_mean", "digest", "drb", "e2mmap", "enumerator", "erb", "error_highlight", "etc", "expect",
		"fcntl", "fiber", "fiddle", "fileutils", "find", "forwardable", "gdbm", "getoptlong", "io", "ipaddr", "irb", "json", "kconv",
		"logger", "mathn", "matrix", "mkmf", "monitor", "mutex_m", "net", "nkf", "objspace", "observer", "open-uri", "open3", "openssl",
		"optionparser", "optparse", "ostruct", "pathname", "pp", "prettyprint", "prime", "prism", "profile", "profiler", "pstore", "psych", "pty",
		"racc", "random", "rational", "rbconfig", "rdoc", "readline", "reline", "resolv", "resolv-replace", "rexml", "rinda", "ripper",
		"rubygems", "scanf", "sdbm", "securerandom", "set", "shell", "shellwords", "singleton", "socket", "stringio", "strscan", "sync",
		"syntax_suggest", "syslog", "tempfile", "thread", "thwait", "time", "timeout", "tmpdir", "tracer", "tsort", "un", "unicode_normalize",
		"uri", "weakref", "webrick", "win32", "win32ole", "xmlrpc", "yaml", "zlib":
		return true
	}
	return false
}

// isRubyStdConstant reports whether a top-level constant belongs to the standard library. Constants of the
// interpreter itself are filtered out earlier.
func isRubyStdConstant(name string) bool {
	switch name {
	case "Abbrev", "Base64", "Benchmark", "BigDecimal", "BigMath", "Bundler", "CGI", "CSV", "Coverage", "DRb", "Date", "DateTime", "Delegator",
		"DelegateClass", "DidYouMean", "Digest", "ERB", "Etc", "Fcntl", "Fiddle", "FileUtils", "Find", "Forwardable", "Gem", "GetoptLong",
		"IPAddr", "IRB", "JSON", "Logger", "Matrix", "MonitorMixin", "Net", "Observable", "Open3", "OpenSSL", "OpenStruct",
		"OptionParser", "PP", "PStore", "PTY", "Pathname", "Prime", "Psych", "RDoc", "REXML", "RbConfig", "Readline", "Reline", "Resolv",
		"Ripper", "SecureRandom", "Shellwords", "SimpleDelegator", "SingleForwardable", "Singleton", "Socket", "StringIO",
		"StringScanner", "Syslog", "TCPServer", "TCPSocket", "TSort", "Tempfile", "Timeout", "UDPSocket", "UNIXServer", "UNIXSocket", "URI",
		"WEBrick", "WeakRef", "YAML", "Zlib":
		return true
	}
	return false
}
