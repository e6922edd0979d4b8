package secret

import "bytes"

// connectionRules are credentials inside addresses and headers.
func connectionRules() []rule {
	return []rule{
		custom("database-url", KindCredential, scanDatabaseURL, "://"),
		custom("basic-auth-url", KindCredential, scanURL, "://"),
		token("basic-auth-header", KindCredential, `(?i:basic)[ +]([A-Za-z0-9+/_-]{8,}={0,2})`, "basic ").checked(basicAuth),
		token("api-key-header", KindAPIKey, `(?i:apikey) ([A-Za-z0-9+/_-]{10,}={1,2}|[A-Za-z0-9+/_-]{20,})`, "apikey ").checked(mixedToken),
		custom("basic-auth-encoded", KindCredential, scanEncoded, "b64encode(", "btoa(", "base64_encode(", "encodetostring(", "encode64(", "buffer.from(", "tobase64(", "tobase64string("),
		custom("user-and-password", KindCredential, scanPair, "credential(", "credentials(", "basicauth(", "basic_auth(", "plainauth(", "digestauth(", "auth=(", "auth = (", "auth((", "getconnection(", "authenticate(", "login(", "log_in(", "signin(", "sign_in(", "_password("),
		token("session-cookie", KindToken, `(?i:sid)=([A-Za-z](?::|%3[Aa])[A-Za-z0-9_-]{16,}\.[A-Za-z0-9%+/_-]{30,})`, "sid="),
		token("ntlm-message", KindCredential, `TlRMTVNTUAAD[A-Za-z0-9+/]{60,}={0,2}`, "tlrmtvntuaad"),
		token("sql-password", KindPassword, `(?i:identified\s+(?:with\s+[\w']{1,60}\s+)?by|with\s+password|login\s+password)\s+(?:=\s*)?(?i:password\s+)?(?:"+([^"\s<{$%]{4,})"|'+([^'\s<{$%]{4,})')`, "identified ", "with password", "login password").checked(sqlPassword),
		token("mysql-password-hash", KindPassword, `(?i:as|password) '(\*[0-9A-Fa-f]{40})'`, "as '*", "password '*"),
		custom("sql-identified-by", KindPassword, scanSQL, "identified by ", "login password "),
		custom("powershell-secure-string", KindPassword, scanSecureString, "convertto-securestring "),
		custom("default-password", KindPassword, scanDefault, "default: ", "default is ", "defaults to ", "default password: "),
		custom("otp-secret", KindSecret, scanOTP, "totp", "hotp", "authenticator."),
		tokenAround("facebook-app-token", KindToken, 17, `\d{13,17}\|[A-Za-z0-9_.-]{20,}`, "|").when(digitBefore),
		token("bearer-header", KindToken, `(?i:bearer)[ +]([A-Za-z0-9_.~+/-]{16,}=*)`, "bearer ").checked(bearerToken),
		custom("authorization-header", KindToken, scanAuthorization, "authorization"),
		token("curl-user", KindCredential, `curl [^\n|;]{0,200}?(?:-u|--user)[ =]["']?[A-Za-z0-9_.@-]{1,64}:([^\s"':$<{]{4,})`, "curl ").checked(curlPassword),
		token("curl-option", KindCredential, `(?i:curlopt_)(?i:\w{0,12}passw(?:or)?d|\w{0,12}userpwd|xoauth2_bearer)\s*,\s*"([^"\s]{6,})"`, "curlopt_").checked(curlPassword),
		tokenAround("pgpass", KindPassword, 64, `[\w.*-]+:(?:5432|\*):[^:\s]+:[^:\s]+:([^:\s]{6,})`, ":5432:", ":*:").checked(curlPassword),
		token("npmrc-basic", KindCredential, `_auth\s?=\s?"?([A-Za-z0-9+/]{8,}={0,2})`, "_auth=", "_auth =").checked(basicAuth),
		token("netrc", KindPassword, `machine\s+\S{1,100}\s+login\s+\S{1,100}\s+password\s+(\S{6,})`, "machine "),
		token("htpasswd", KindPassword, `\$(?:apr1|2[aby]\$\d\d|5|6)\$[./A-Za-z0-9$=]{28,}`, "$apr1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$"),
		token("mssql-password", KindPassword, `;\s?(?:Password|Pwd|pwd|password)\s?=\s?([^;"'\s{$<]{6,})`, ";password", "; password", ";pwd", "; pwd"),
	}
}

// curlPassword is the check of what follows curl's -u user: all but the names that manuals put there.
func curlPassword(v []byte) bool {
	return urlPassword(nil, v) && !isPlaceholder(v) && !describes(v) && !hasNameStop(v)
}

// scanSQL finds the bare password of CREATE or ALTER USER … IDENTIFIED BY value, CREATE ROLE … LOGIN PASSWORD value.
func scanSQL(text []byte, lo, hi int) (int, int, bool) {
	from := lineAt(text, max(0, lo-120), lo)
	head := bytes.ToLower(text[from:lo])
	if !bytes.Contains(head, []byte("user ")) && !bytes.Contains(head, []byte("role ")) && !bytes.Contains(head, []byte("grant ")) && !bytes.Contains(head, []byte(" link ")) {
		return 0, 0, false
	}
	start := skipBlank(text, hi)
	end := start
	for end < len(text) && text[end] > ' ' && !endsBare(text[end]) {
		end++
	}
	for end > start && text[end-1] == '\\' {
		end-- // of \; in a shell
	}
	v := text[start:end]
	return start, end, weakPassword(v, false) || passwordValue(v, false)
}

// scanSecureString finds PowerShell's ConvertTo-SecureString "value".
func scanSecureString(text []byte, _, hi int) (int, int, bool) {
	i := skipBlank(text, hi)
	for range 3 {
		for _, flag := range [...]string{"-String ", "-string ", "-AsPlainText ", "-asplaintext ", "-Force ", "-force "} {
			if bytes.HasPrefix(text[min(i, len(text)):], []byte(flag)) {
				i = skipBlank(text, i+len(flag))
			}
		}
	}
	var a assignment
	if !a.value(text, i) || a.quote == 0 && (text[a.start] == '-' || digits(text[a.start:a.end]) == 0) {
		return 0, 0, false
	}
	v := text[a.start:a.end]
	return a.start, a.end, v[0] != '$' && (weakPassword(v, true) || passwordValue(v, true) || markedPassword(v))
}

// scanOTP finds the shared secret of one-time passwords in the calls that take it: TOTP("…"), TOTP.new('…'), totp.generate('…').
func scanOTP(text []byte, lo, hi int) (int, int, bool) {
	i := hi
	for n := 0; n < 24 && i < len(text) && (isNameByte(text[i]) || text[i] == ':'); n++ {
		i++
	}
	if at(text, i) != '(' {
		return 0, 0, false
	}
	if i = skipBlank(text, i+1); !isQuote(at(text, i)) {
		return 0, 0, false
	}
	var a assignment
	if !a.literal(text, i) {
		return 0, 0, false
	}
	v := text[a.start:a.end]
	return a.start, a.end, spacedGroups(v) || base32Secret(v)
}

// base32Secret reports sixteen characters or more of base32, in one case.
func base32Secret(v []byte) bool {
	lower, upper, _, _ := classes(v)
	v = bytes.TrimRight(v, "=")
	if len(v) < 16 || len(v) > 128 || lower > 0 && upper > 0 || isFiller(v) || isPlaceholder(v) {
		return false
	}
	for _, c := range v {
		if !isLetter(c) && (c < '2' || c > '7') {
			return false
		}
	}
	return entropy(v) >= 2.7 && (digits(v) > 0 || !isWordy(v))
}

// sqlPassword is the check of what SQL creates users with.
func sqlPassword(v []byte) bool {
	v = bytes.Trim(bytes.ReplaceAll(v, []byte("'"), []byte("-")), "-")
	return weakPassword(v, true) || passwordValue(v, true)
}

// databases are the schemes whose URLs are told apart from other basic-auth URLs.
var databases = [...]string{"postgres", "postgresql", "mysql", "mariadb", "mongodb", "srv", "redis", "rediss", "amqp", "amqps", "sqlserver", "mssql",
	"oracle", "cockroachdb", "clickhouse", "couchdb", "neo4j", "bolt", "cassandra", "elasticsearch", "kafka", "nats", "psycopg2", "asyncpg", "pymysql", "mysql2", "snowflake", "redshift", "vertica", "db2", "ldap", "ldaps"}

// scanDatabaseURL is scanURL for those schemes.
func scanDatabaseURL(text []byte, lo, hi int) (int, int, bool) {
	start := lo
	for start > 0 && lo-start < 16 && isAlnum(text[start-1]) {
		start--
	}
	for _, scheme := range databases {
		if equalFold(text[start:lo], scheme) {
			return scanURL(text, lo, hi)
		}
	}
	return 0, 0, false
}

// equalFold compares ASCII without allocating; s is lower case.
func equalFold(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i, c := range b {
		if isUpper(c) {
			c += 'a' - 'A'
		}
		if c != s[i] {
			return false
		}
	}
	return true
}
