package secret

// The words by which names and the ways of assigning to them are recognised. They are compared in lower case, unless a comment states
// otherwise.

// otherThings are the parts of names such as "secret…" or "token…" which show that the name is not that of the secret itself, as in
// secretName.
var otherThings = [...]string{
	"name", "ref", "path", "file", "url", "uri", "type", "len", "size", "count", "regex", "pattern", "header", "field", "label",
	"prefix", "suffix", "id", "arn", "expir", "ttl", "policy", "index", "kind", "class", "error", "err", "msg", "message", "hint",
	"status", "endpoint", "audience", "issuer", "limit", "format", "algo", "version", "provider", "source", "mount", "dir", "list",
	"map", "lifetime", "template", "placeholder", "description", "desc", "title", "store", "manager", "review", "request",
	"namespace", "host", "hash", "digest", "checksum", "sha", "column", "param", "var", "env", "attr", "prop", "mode", "enabled",
	"required", "rule", "valid", "location", "public", "fingerprint", "thumbprint", "method", "strength", "resource", "scheme",
	"encryption", "group", "role", "scope", "usage", "usages", "ize", "iz", "kinds", "pos", "start", "end", "cache", "stream",
	"reader", "set", "tree",
}

// valueSuffixes are the parts of names after a keyword with which the name still means the secret: secret_key, API_KEY_TEST.
var valueSuffixes = [...]string{
	"", "s", "confirmation", "confirm", "repeat", "again", "verify", "auth", "key", "value", "val", "string", "str", "text",
	"base64", "b64", "hex", "bytes", "old", "new", "test", "prod", "dev", "live", "admin", "default", "plain", "token", "secret",
	"word", "a", "b", "one", "two", "expect", "expected", "actual", "code",
}

// requestTokens are the words in names of tokens that identify a request instead of granting a right.
var requestTokens = [...]string{
	"client", "idempot", "request", "continu", "next", "page", "cursor", "sync", "csrf", "xsrf", "trace", "correlation", "cancel",
	"upload", "event", "device", "namespace",
}

// otherKeys are the words before "key" with which a name means a key of a table or the like, or a key that is no secret.
var otherKeys = [...]string{
	"public", "pub", "primary", "foreign", "sort", "partition", "cache", "row", "range", "map", "object", "storage", "bucket",
	"index", "i18n", "translat", "idempot", "registry", "host", "ssh", "gpg", "pgp", "fingerprint", "dedup", "group", "lookup",
	"hot", "unique", "column", "field", "record", "item", "react", "encrypted", "wrapped", "websocket", "commit", "etag", "image",
	"routing", "sign_up", "message", "error", "label", "shortcut", "tree", "node", "path", "known_host", "trusted", "artifact",
	"doc", "resource", "issue", "config",
}

// secretKeys are the words before "key" with which a name means a secret key.
var secretKeys = [...]string{
	"encryption", "signing", "secret", "private", "aes", "cipher", "crypto", "hmac", "jwt", "master", "api", "access", "session",
	"licen",
}

// digestWords are found before a digest, which is no secret: integrity fields, lock files, pinned commits; case matters.
var digestWords = [...]string{
	"sha1", "sha256", "sha512", "SHA256", "integrity", "checksum", "digest", "commit", "hash",
}

// digestNames are the parts of names, after a vendor's, that make the value a digest or a version of something: sentry_release.
var digestNames = [...]string{"sha1", "sha", "sha256", "commit", "digest", "checksum", "revision", "release", "version", "build", "etag"}

// setterVerbs are found in the names of calls that store a value under the name that is their first argument.
var setterVerbs = [...]string{
	"env", "put", "set", "property", "header", "add", "default", "param", "append", "store", "fill", "type", "send_keys", "enter",
	"pair", "entry", "field", "metadata", "tuple",
}

// hashVerbs are found in the names of calls whose first argument is a password: bcrypt.hashSync("v", 10).
var hashVerbs = [...]string{"hash", "crypt", "password"}

// lookupCalls are the calls that return something by its name; case matters, as in the next two lists.
var lookupCalls = [...]string{"require", "import", "gettext", "i18n", "Symbol", "getenv", "env"}

// lookupVerbs begin methods that return something by its name.
var lookupVerbs = [...]string{"get", "load", "read", "find", "fetch", "lookup", "has", "check", "verify"}

// conversions are the methods whose first argument is a parameter of a conversion.
var conversions = [...]string{
	"decode", "encode", "toString", "replace", "split", "join", "format", "digest", "update", "getBytes", "strip", "trim",
}

// setters are found after a call that names a field of a form, and fill the field: find("password").value = "v", .send_keys("v"). Or
// they set the result of a stub: receive(:token).and_return("v").
var setters = [...]string{
	".value", ".val", ".Value", ".Text", ".text", ".send_keys", ".sendKeys", ".type", ".fill", ".set", ".setValue", ".and_return", ".with",
}

// typeWords can be between a name and its value, in place of an operator or before it.
var typeWords = [...]string{"string =", "string=", "String =", "str =", "NVARCHAR =", "is "}

// quoteEntities are quotes as HTML writes them, and JSON in scripts.
var quoteEntities = [...]string{"&quot;", "&#34;", "&#39;", "&apos;", "&#x27;", "&#x22;", `\u0022`, `\u0027`}

// valueWords are the keys in JSON, YAML or HCL of the value in an object that gives name and value under separate keys.
var valueWords = [...]string{
	"value", "default", "val", "content", "defaultValue", "default_value", "stringValue", "initialValue", "initial_value",
}

// nameWords are the keys in such objects of the name.
var nameWords = [...]string{"name", "key", "id", "field", "variable", "parameter", "param", "property"}

// setCommands set the variable whose name and value follow; case matters.
var setCommands = [...]string{"set", "SET", "setenv", "ENV", "ARG", "\\set", "export", "#define", "%define"}
