package secret

// commandRules are passwords on command lines, told by the option or the place that the command takes them in.
func commandRules() []rule {
	return []rule{
		token("mysql-option", KindPassword, `mysql(?:dump|admin|import|sh)?\s[^\n|;&]{0,160}?\s-p([^\s'"`+"`"+`$<\\-][^\s'"`+"`"+`<\\;|)]{3,63})`, "mysql", "mariadb").checked(commandPassword),
		token("sshpass", KindPassword, `sshpass\s+-p\s*(?:"([^"\s$<]{4,})"|'([^'\s$<]{4,})'|([^\s'"$<]{4,}))`, "sshpass ").checked(commandPassword),
		token("user-and-password-options", KindPassword, ` -p\s+(?:"([^"\s$<]{4,64})"|'([^'\s$<]{4,64})'|([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|)]{3,63}))`, " -p ").when(afterUser).checked(commandPassword),
		token("redis-option", KindPassword, `redis-cli\s[^\n|;&]{0,100}?-a\s+["']?([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|]{3,63})`, "redis-cli ").checked(commandPassword),
		token("redis-requirepass", KindPassword, `(?:requirepass|masterauth)\s+["']?([^\s'"`+"`"+`$<][^\s'"`+"`"+`$<]{3,127})`, "requirepass ", "masterauth ").checked(commandPassword),
		token("ldap-option", KindPassword, `ldap(?:search|add|modify|delete|passwd|whoami)\s[^\n|;&]{0,200}?\s-w\s+["']?([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|]{3,63})`, "ldap").checked(commandPassword),
		token("rabbitmq-user", KindPassword, `(?:add_user|change_password)\s+["']?[\w.@-]{1,64}["']?\s+["']?([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|]{3,63})`, "add_user ", "change_password ").checked(commandPassword),
		token("chpasswd", KindPassword, `echo\s+(?:-e\s+)?["']?[\w.-]{1,32}:([^\s'"`+"`"+`$<:|]{4,64})["']?\s*\|\s*(?:sudo\s+)?chpasswd`, "echo ").when(beforeChpasswd).checked(commandPassword),
		token("htpasswd-option", KindPassword, `htpasswd\s+-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}\s+\S{1,120}\s+[\w.@-]{1,64}\s+["']?([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|]{3,63})`, "htpasswd -").checked(commandPassword),
	}
}

// commandPassword asks of a password on a command line that it is no word a manual puts there.
func commandPassword(v []byte) bool {
	return curlPassword(v) && !isPathLike(v) && !portLike(v) && (passwordValue(v, false) || weakPassword(v, false) && !isWordy(v))
}

// afterUser reports that the line names a user before the option.
func afterUser(text []byte, lo, _ int) bool {
	from := lineAt(text, max(0, lo-120), lo)
	return lo > 0 && (hasBytes(text[from:lo], " -u ") || hasBytes(text[from:lo], " --user") || hasBytes(text[from:lo], "docker login"))
}

// beforeChpasswd looks ahead on the line.
func beforeChpasswd(text []byte, _, hi int) bool {
	return hasBytes(text[hi:min(len(text), hi+160)], "chpasswd")
}
