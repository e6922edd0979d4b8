package look

// The words by which names and values that are or are not secrets are recognised. They are compared in lower case, unless a comment
// states otherwise.

// templateMarks are found in values that are placeholders to be filled in later; case matters.
var templateMarks = [...]string{
	"${", "{{", "}}", "$(", "<%", "%>", "%s", "%v", "%d", "%q", "%{", "#{", "{0}", "...", "\u2026",
}

// encryptedHeads begin values that are encrypted where they are, or that name the place where the secret is kept.
var encryptedHeads = [...]string{"ENC(", "ENC[", "{cipher}", "vault:", "vault://", "awssm:", "sops:", "secretref:"}

// stopWords are found in values made up for documentation. Each has five letters or more, so that a random value contains one about
// once in a million.
var stopWords = [...]string{
	"example", "changeme", "change_me", "change-me", "placeholder", "dummy", "sample", "redacted", "replace", "insert", "yourself",
	"your_", "your-", "yourt", "yourp", "yours", "youra", "yourk", "my_pass", "mypass", "abcdef", "12345678", "98765432", "deadbeef",
	"foobar", "foo-bar", "foo_bar", "invalid", "not-a-", "not_a_", "notreal", "notasecret", "fixme", "todo_", "goes-here",
	"goes_here", "masked", "hidden", "undefined", "lorem", "ipsum", "testtest", "enter_", "enter-", "fakefake", "fakekey", "fakepass", "fakesecret", "faketoken", "somefake", "thisisa", "this_is",
	"this-is", "expired", "00000000", "too-short", "tooshort", "too_short", "_short", "-short", ".short", "!short", "abc123def", "12345-",
	// often copied values of manuals: Telegram's, NuGet's
	"aahdqtcvch1vgwjxfse1", "hal+9ooo_da!sy", "33f!!lloppa",
}

// countingParts are runs such as "123456" that people type in place of a key. Each has six letters or more, because random values contain
// shorter ones.
var countingParts = [...]string{
	"123456", "654321", "abcdef", "fedcba", "qwerty", "a1b2c3", "1a2b3c", "abc123", "000000", "111111",
}

// sampleWords are parts of values that are samples.
var sampleWords = [...]string{"fake", "mock", "todo", "your", "changeit"}

// describingWords are words that describe a password and are written in its place; they are compared with the whole value.
var describingWords = [...]string{
	"string", "str", "text", "hidden", "none", "null", "nil", "true", "false", "required", "optional", "value", "name", "user",
	"username", "email", "login", "input", "field", "confirm", "confirmation", "change", "changed", "reset", "forgot", "invalid",
	"wrong", "incorrect", "missing", "empty", "unknown", "default", "basic", "plain", "plaintext", "cleartext", "encrypted",
	"encrypt", "hash", "hashed", "bcrypt", "argon2", "pbkdf2", "scrypt", "integer", "number", "bytes", "boolean", "object", "array",
	"any", "undefined", "function", "auth", "authentication", "authorization", "local", "self", "this", "const", "var", "type",
	"kind", "label", "title", "description", "placeholder", "update", "updated", "create", "created", "delete", "remove", "removed",
	"insert", "select", "where", "grant", "generate", "generated", "random", "prompt", "stdin", "file", "env", "environment",
	"config", "cookie", "header", "body", "query", "param", "params", "args", "data", "json", "form", "http", "https",
	"data-password", "off", "on", "yes", "no", "new", "old", "current", "not-set", "notset", "unset", "example", "sample", "varchar", "char", "secure",
	"protected", "private", "public", "static", "error", "errors", "success", "failed", "failure", "message", "code", "expired",
	"expires", "valid", "weak", "strong", "short", "long", "client", "server", "database", "ldap", "sasl", "oauth", "oauth2", "saml",
	"legacy", "always", "never", "enabled", "disabled", "redacted", "masked", "filtered", "foo", "bar", "baz", "test", "testing",
	"tests", "tester", "admin", "root", "guest", "demo", "admin123", "abc123", "test123", "123456", "123456789", "qwerty", "letmein",
	"newpass", "oldpass", "pass1", "pass2", "passwort", "kennwort", "wachtwoord", "contrasena", "senha", "haslo", "heslo", "parola",
	"salasana", "losenord", "adgangskode", "passord", "jelszo", "lozinka", "sifre", "geslo", "sandi", "asdf", "asdf1234", "asdfasdf",
	"asdfgh", "hello", "ignored", "ignore", "nope", "secretstr", "passcode", "option", "result", "request", "response", "callback",
	"register", "signup", "signin", "account", "settings", "profile", "security",
}

// secretNames are found in names and descriptions of secrets, and in texts that are written in place of one.
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

// formatMarkList are those code marks that a generated password does not contain by chance; case matters.
var formatMarkList = [...]string{
	"(?", ".*", "[^", "a-z", "A-Z", "0-9", "</", "/>", "\\d", "\\w", "\\s", "\\x", "\\u", "://",
}

// publicKeyHeads begin public keys and certificates; case matters.
var publicKeyHeads = [...]string{
	"MII", "MFkw", "MFYw", "MHYw", "MIG", "MCow", "MCgw", "AAAAB3", "AAAAC3", "AAAAE2", "age1", "LS0tLS1CRUdJTiBQVUJ",
	"LS0tLS1CRUdJTiBDRV", "ssh-",
}
