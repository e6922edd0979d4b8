package secret

// connectionRules are credentials inside addresses and headers.
func connectionRules() []rule {
	return []rule{
		custom("database-url", KindCredential, scanDatabaseURL, "://"),
		custom("basic-auth-url", KindCredential, scanURL, "://"),
		token("basic-auth-header", KindCredential, `(?i:basic)[ +]([A-Za-z0-9+/_-]{8,}={0,2})`, "basic ").checked(basicAuth),
		token("ntlm-header", KindCredential, `(?i:ntlm) (TlRMTVNTUAAD[A-Za-z0-9+/]{60,}={0,2})`, "ntlm tlrmtvntuaad"),
		token("sql-password", KindPassword, `(?i:identified\s+(?:with\s+[\w']{1,60}\s+)?by|with\s+password)\s+(?i:password\s+)?["']([^"'\s<{$%]{4,})["']`, "identified ", "with password").checked(sqlPassword),
		token("bearer-header", KindToken, `(?i:bearer)[ +]([A-Za-z0-9_.~+/-]{20,}=*)`, "bearer ").checked(mixedToken),
		token("curl-user", KindCredential, `curl [^\n|;]{0,200}?(?:-u|--user)[ =]["']?[A-Za-z0-9_.@-]{1,64}:([^\s"':$<{]{6,})`, "curl "),
		token("netrc", KindPassword, `machine\s+\S{1,100}\s+login\s+\S{1,100}\s+password\s+(\S{6,})`, "machine "),
		token("htpasswd", KindPassword, `\$(?:apr1|2[aby]\$\d\d|5|6)\$[./A-Za-z0-9$=]{28,}`, "$apr1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$"),
		token("mssql-password", KindPassword, `;\s?(?:Password|Pwd|pwd|password)\s?=\s?([^;"'\s{$<]{6,})`, ";password", "; password", ";pwd", "; pwd"),
	}
}

// sqlPassword is the check of what SQL creates users with.
func sqlPassword(v []byte) bool { return weakPassword(v, true) || passwordValue(v, true) }

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
