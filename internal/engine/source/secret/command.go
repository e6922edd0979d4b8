package secret

// commandRules are passwords on command lines, recognised by the option or the position that the command takes them in.
func commandRules() []rule {
	return []rule{
		token("mysql-option", KindPassword, `mysql(?:dump|admin|import|sh)?\s[^\n|;&]{0,160}?\s-p([^\s'"`+"`"+`$<\\-][^\s'"`+"`"+`<\\;|)]{3,63})`, "mysql", "mariadb").looking(looksCommand),
		token("sshpass", KindPassword, `sshpass\s+-p\s*(?:"([^"\s$<]{4,})"|'([^'\s$<]{4,})'|([^\s'"$<]{4,}))`, "sshpass ").looking(looksCommand),
		token("user-and-password-options", KindPassword, ` -p\s+(?:"([^"\s$<]{4,64})"|'([^'\s$<]{4,64})'|([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|)]{3,63}))`, " -p ").when(afterUser).looking(looksCommand),
		token("redis-option", KindPassword, `redis-cli\s[^\n|;&]{0,100}?-a\s+["']?([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|]{3,63})`, "redis-cli ").looking(looksCommand),
		token("redis-requirepass", KindPassword, `(?:requirepass|masterauth)\s+["']?([^\s'"`+"`"+`$<][^\s'"`+"`"+`$<]{3,127})`, "requirepass ", "masterauth ").looking(looksCommand),
		token("ldap-option", KindPassword, `ldap(?:search|add|modify|delete|passwd|whoami)\s[^\n|;&]{0,200}?\s-w\s+["']?([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|]{3,63})`, "ldap").looking(looksCommand),
		token("rabbitmq-user", KindPassword, `(?:add_user|change_password)\s+["']?[\w.@-]{1,64}["']?\s+["']?([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|]{3,63})`, "add_user ", "change_password ").looking(looksCommand),
		token("chpasswd", KindPassword, `echo\s+(?:-e\s+)?["']?[\w.-]{1,32}:([^\s'"`+"`"+`$<:|]{4,64})["']?\s*\|\s*(?:sudo\s+)?chpasswd`, "echo ").when(beforeChpasswd).looking(looksCommand),
		token("htpasswd-option", KindPassword, `htpasswd\s+-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}\s+\S{1,120}\s+[\w.@-]{1,64}\s+["']?([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|]{3,63})`, "htpasswd -").looking(looksCommand),
	}
}

// afterUser reports that the line names a user before the option.
func afterUser(text []byte, lo, _ int) bool {
	return holds(text[lineStart(text, lo, 120):lo], []string{" -u ", " --user", "docker login"})
}

// beforeChpasswd looks ahead on the line.
func beforeChpasswd(text []byte, _, hi int) bool { return hasBytes(clip(text, hi, hi+160), "chpasswd") }
