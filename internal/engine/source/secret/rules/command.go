package rules

import (
	"ken/internal/engine/source/secret/look"
)

// Commands returns the rules of passwords on command lines, recognised by the option or the position in which the command takes them.
func Commands() []Rule {
	return []Rule{
		Token("mysql-option", KindPassword, `(?:mysql(?:dump|admin|import|sh)?|mariadb(?:-dump|-admin|-import)?)\s[^\n|;&]{0,160}?\s-p([^\s'"`+"`"+`$<\\-][^\s'"`+"`"+`<\\;|)]{3,})`, "mysql", "mariadb").Looking(look.Command),
		Token("sshpass", KindPassword, `sshpass\s+-p\s*(?:"([^"\s$<]{4,})"|'([^'\s$<]{4,})'|([^\s'"$<]{4,}))`, "sshpass ").Looking(look.Command),
		Token("user-and-password-options", KindPassword, ` -p\s+(?:"([^"\s$<]{4,})"|'([^'\s$<]{4,})'|([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|)]{3,}))`, " -p ").When(afterUser).Looking(look.Command),
		Token("psexec", KindPassword, `(?i:psexec)[^\n|]{0,200}?\s-u\s+\S{1,100}\s+-p\s+["']?([^\s"'$%<-][^\s"'<]{3,})`, "psexec").Looking(look.Option),
		Token("redis-option", KindPassword, `redis-cli\s[^\n|;&]{0,100}?-a\s+["']?([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|]{3,})`, "redis-cli ").Looking(look.Command),
		Token("redis-requirepass", KindPassword, `(?:requirepass|masterauth)\s+["']?([^\s'"`+"`"+`$<][^\s'"`+"`"+`$<]{3,})`, "requirepass ", "masterauth ").Looking(look.Command),
		Token("ldap-option", KindPassword, `ldap(?:search|add|modify|delete|passwd|whoami)\s[^\n|;&]{0,200}?\s-w\s+["']?([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|]{3,})`, "ldap").Looking(look.Command),
		Token("rabbitmq-user", KindPassword, `(?:add_user|change_password)\s+["']?[\w.@-]{1,64}["']?\s+["']?([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|]{3,})`, "add_user ", "change_password ").Looking(look.Command),
		Token("chpasswd", KindPassword, `echo\s+(?:-e\s+)?["']?[\w.-]{1,32}:([^\s'"`+"`"+`$<:|]{4,})["']?\s*\|\s*(?:sudo\s+)?chpasswd`, "echo ").When(beforeChpasswd).Looking(look.Command),
		Token("htpasswd-option", KindPassword, `htpasswd\s+-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}\s+\S{1,120}\s+[\w.@-]{1,64}\s+["']?([^\s'"`+"`"+`$<-][^\s'"`+"`"+`$<\\;|]{3,})`, "htpasswd -").Looking(look.Command),
	}
}

// afterUser reports whether an option for the user is on the line before the keyword.
func afterUser(text []byte, lo, _ int) bool {
	return look.ContainsAny(text[look.LineStart(text, lo, 120):lo], []string{" -u ", " --user", "docker login"})
}

// beforeChpasswd reports whether the command chpasswd follows the keyword.
func beforeChpasswd(text []byte, _, hi int) bool {
	return look.Contains(look.Clip(text, hi, hi+480), "chpasswd")
}
