package secret

// The words by which names and values are recognised that are no secrets, or that are. They are compared in lower case, unless it
// says otherwise.

// templateMarks are found in values that are filled in later; case matters.
var templateMarks = [...]string{
	"${", "{{", "}}", "$(", "<%", "%>", "%s", "%v", "%d", "%q", "%{", "#{", "{0}", "...", "\u2026",
}

// stopWords are found in values made up for documentation. Each has five letters or more, so that a random value holds one about
// once in a million.
var stopWords = [...]string{
	"example", "changeme", "change_me", "change-me", "placeholder", "dummy", "sample", "redacted", "replace", "insert", "yourself",
	"your_", "your-", "yourt", "yourp", "yours", "youra", "yourk", "my_pass", "mypass", "abcdef", "12345678", "98765432", "deadbeef",
	"foobar", "foo-bar", "foo_bar", "invalid", "not-a-", "not_a_", "notreal", "notasecret", "fixme", "todo_", "goes-here",
	"goes_here", "masked", "hidden", "undefined", "lorem", "ipsum", "testtest", "enter_", "enter-", "fakefake", "thisisa", "this_is",
	"this-is", "expired", "00000000",
}

// describingWords are found where a password would be, and are none; they are compared as a whole.
var describingWords = [...]string{
	"string", "str", "text", "hidden", "none", "null", "nil", "true", "false", "required", "optional", "value", "name", "user",
	"username", "email", "login", "input", "field", "confirm", "confirmation", "change", "changed", "reset", "forgot", "invalid",
	"wrong", "incorrect", "missing", "empty", "unknown", "default", "basic", "plain", "plaintext", "cleartext", "encrypted",
	"encrypt", "hash", "hashed", "bcrypt", "argon2", "pbkdf2", "scrypt", "integer", "number", "bytes", "boolean", "object", "array",
	"any", "undefined", "function", "auth", "authentication", "authorization", "local", "self", "this", "const", "var", "type",
	"kind", "label", "title", "description", "placeholder", "update", "updated", "create", "created", "delete", "remove", "removed",
	"insert", "select", "where", "grant", "generate", "generated", "random", "prompt", "stdin", "file", "env", "environment",
	"config", "cookie", "header", "body", "query", "param", "params", "args", "data", "json", "form", "http", "https",
	"data-password", "off", "on", "yes", "no", "new", "old", "current", "example", "sample", "varchar", "char", "secure",
	"protected", "private", "public", "static", "error", "errors", "success", "failed", "failure", "message", "code", "expired",
	"expires", "valid", "weak", "strong", "short", "long", "client", "server", "database", "ldap", "sasl", "oauth", "oauth2", "saml",
	"legacy", "always", "never", "enabled", "disabled", "redacted", "masked", "filtered", "foo", "bar", "baz", "test", "testing",
	"tests", "tester", "admin", "root", "guest", "demo", "admin123", "abc123", "test123", "123456", "123456789", "qwerty", "letmein",
	"newpass", "oldpass", "pass1", "pass2", "passwort", "kennwort", "wachtwoord", "contrasena", "senha", "haslo", "heslo", "parola",
	"salasana", "losenord", "adgangskode", "passord", "jelszo", "lozinka", "sifre", "geslo", "sandi", "asdf", "asdf1234", "asdfasdf",
	"asdfgh", "hello", "ignored", "ignore", "nope", "secretstr", "passcode", "option", "result", "request", "response", "callback",
	"register", "signup", "signin", "account", "settings", "profile", "security",
}

// secretNames are found in what names or describes a secret, and in what is written in place of one.
var secretNames = [...]string{
	"passw", "passwd", "passphrase", "secret", "token", "credential", "pwd", "mypass", "userpass", "dbpass", "yourpass", "s3cr3t",
	"t0k3n", "p4ss", "passw0rd", "pa55", "my_", "my-", "api_key", "api-key", "apikey", "access_key",
}

// fixtureWords are found in passwords of fixtures and manuals.
var fixtureWords = [...]string{
	"password", "passwd", "secret", "test", "example", "admin", "user", "qwerty", "mypass", "fake", "none", "null", "true", "false",
	"token", "pwd", "credential", "hunter", "login",
}

// manualPasswords are the passwords of manuals; in a URL they are compared as a whole.
var manualPasswords = [...]string{
	"password", "passwd", "pass", "secret", "test", "user", "username", "pwd", "token", "admin", "root", "guest", "postgres",
	"mysql", "mongo", "redis", "example", "pass1", "pass2", "p@ss", "p@ssword", "p@ssw0rd", "passw0rd", "pass@", "bar", "hunter2",
	"1234", "12345", "123456", "mypassword", "somepassword", "thepassword", "your-password", "yourpassword", "userpass", "dbpass",
	"bitnami", "minioadmin",
}

// algorithmStems are the beginnings of names such as sha256, and of the values that manuals make up.
var algorithmStems = [...]string{
	"sha", "md", "aes", "rs", "hs", "es", "ps", "utf", "rsa", "dsa", "cp", "iso", "foo", "bar", "baz", "abc", "xyz", "asd", "qwe",
	"key", "tok", "usr", "pin", "pwd", "dev", "id", "no", "v",
}

// codeMarkList are found in regular expressions, formats and code, not in passwords; case matters.
var codeMarkList = [...]string{
	"(?", ".*", "[^", "a-z", "A-Z", "0-9", "\\", "()", "=>", "->", "{}", "[]", "</", "/>", "::", "&&", "||", "==", ".+", "[:", "{0",
}

// formatMarkList are the code marks that a generated password does not have by chance; case matters.
var formatMarkList = [...]string{
	"(?", ".*", "[^", "a-z", "A-Z", "0-9", "</", "/>", "\\d", "\\w", "\\s", "\\x", "\\u", "://",
}

// publicKeyHeads are how public keys and certificates begin; case matters.
var publicKeyHeads = [...]string{
	"MII", "MFkw", "MFYw", "MHYw", "MIG", "MCow", "MCgw", "AAAAB3", "AAAAC3", "AAAAE2", "age1", "LS0tLS1CRUdJTiBQVUJ",
	"LS0tLS1CRUdJTiBDRV", "ssh-",
}

// otherThings are the name parts that make "secret…" or "token…" the name of something that is not the value itself.
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

// valueSuffixes are the name parts behind a keyword that still mean the value: secret_key, API_KEY_TEST.
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

// otherKeys are the words before "key" that make it the key to something, or one that is no secret.
var otherKeys = [...]string{
	"public", "pub", "primary", "foreign", "sort", "partition", "cache", "row", "range", "map", "object", "storage", "bucket",
	"index", "i18n", "translat", "idempot", "registry", "host", "ssh", "gpg", "pgp", "fingerprint", "dedup", "group", "lookup",
	"hot", "unique", "column", "field", "record", "item", "react", "encrypted", "wrapped", "websocket", "commit", "etag", "image",
	"routing", "sign_up", "message", "error", "label", "shortcut", "tree", "node", "path", "known_host", "trusted", "artifact",
	"doc", "resource", "issue", "config",
}

// secretKeys are the words before "key" that make it one to keep.
var secretKeys = [...]string{
	"encryption", "signing", "secret", "private", "aes", "cipher", "crypto", "hmac", "jwt", "master", "api", "access", "session",
	"licen",
}

// digestWords are found before a digest: integrity fields, lock files, pinned commits; case matters.
var digestWords = [...]string{
	"sha1", "sha256", "sha512", "SHA256", "integrity", "checksum", "digest", "commit", "hash",
}

// setterVerbs are found in the names of calls that store a value under the name that is their first argument.
var setterVerbs = [...]string{
	"env", "put", "set", "property", "header", "add", "default", "param", "append", "store", "fill", "type", "send_keys", "enter",
	"pair", "entry", "field", "metadata", "tuple",
}

// hashVerbs are found in the names of calls whose first argument is a password: bcrypt.hashSync("v", 10).
var hashVerbs = [...]string{"hash", "crypt", "password"}

// lookupCalls are the calls that return something by its name; case matters, as in the next two lists.
var lookupCalls = [...]string{"require", "import", "gettext", "i18n", "Symbol", "getenv", "env"}

// lookupVerbs are how methods begin that do.
var lookupVerbs = [...]string{"get", "load", "read", "find", "fetch", "lookup", "has", "check", "verify"}

// conversions are the methods whose first argument says how a value is converted.
var conversions = [...]string{
	"decode", "encode", "toString", "replace", "split", "join", "format", "digest", "update", "getBytes", "strip", "trim",
}

// members are what a form's field is filled by, behind the call that names it: find("password").value = "v", .send_keys("v"); and
// what a stub answers: receive(:token).and_return("v").
var members = [...]string{
	".value", ".val", ".Value", ".Text", ".text", ".send_keys", ".sendKeys", ".type", ".fill", ".set", ".setValue", ".and_return", ".with",
}

// typeWords are written between a name and its value instead of, or before, an operator.
var typeWords = [...]string{"string =", "string=", "String =", "str =", "NVARCHAR =", "is "}

// quoteEntities are quotes as HTML writes them, and JSON in scripts.
var quoteEntities = [...]string{"&quot;", "&#34;", "&#39;", "&apos;", "&#x27;", "&#x22;", `\u0022`, `\u0027`}

// valueWords are the keys of JSON, YAML or HCL that hold the value of what another key names.
var valueWords = [...]string{
	"value", "default", "val", "content", "defaultValue", "default_value", "stringValue", "initialValue", "initial_value",
}

// nameWords are the keys that hold the name of something.
var nameWords = [...]string{"name", "key", "id", "field", "variable", "parameter", "param", "property"}
