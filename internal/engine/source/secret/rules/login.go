package rules

import (
	"ken/internal/engine/source/secret/look"
)

// Logins returns the rules of credentials in the files and headers that log in with them: cookies, feeds, password files.
func Logins() []Rule {
	return []Rule{
		Token("curl-user", KindCredential, `curl (?:[^\n|;\\]|\\\r?\n|\\){0,200}?(?:-u|--user|-U|--proxy-user)[ =](?:'[^'\s:]{1,64}:([^'\s]{4,})'|"[^"\s:]{1,64}:([^"\s]{4,})"|"[^"\s:$]{1,64}":"([^"\s$]{4,})"|[A-Za-z0-9_.@%+-]{1,64}:'([^'\s$]{4,})'|["']?[A-Za-z0-9_.@%+-]{1,64}:([^\s"'<{]{4,}))`, "curl ").When(beforeUser).CheckedBy(curlPassword),
		Token("curl-token", KindToken, `curl (?:[^\n|;\\]|\\\r?\n|\\){0,200}?(?:-u|--user)[ =](?:["']([^\s"':]{10,}):["']|["']:([^\s"']{10,})["'])`, "curl ").When(beforeUser).Looking(look.Password),
		Token("session-cookie", KindToken, `(?i:sid)=([A-Za-z](?::|%3[Aa])[A-Za-z0-9_-]{16,}\.[A-Za-z0-9%+/_-]{30,})`, "sid="),
		Token("ntlm-message", KindCredential, `TlRMTVNTUAAD[A-Za-z0-9+/]{60,}={0,2}`, "tlrmtvntuaad"),
		Token("mysql-password-hash", KindPassword, `(?i:as|password) '(\*[0-9A-Fa-f]{40})'`, "as '*", "password '*"),
		Token("nuget-password", KindPassword, `(?i:cleartextpassword)"\s+value="([^"\s]{4,})"`, "cleartextpassword").CheckedBy(feedPassword),
		Token("curl-option", KindCredential, `(?i:curlopt_)(?i:\w{0,12}passw(?:or)?d|\w{0,12}userpwd|xoauth2_bearer)\s*,\s*"([^"\s]{6,})"`, "curlopt_").Looking(look.Option),
		TokenAround("pgpass", KindPassword, 64, `[\w.*-]+:(?:5432|\*):[^:\s]+:[^:\s]+:([^:\s]{6,})`, ":5432:", ":*:").Looking(look.Option),
		Token("netrc", KindPassword, `(?:machine\s+\S{1,100}|default)\s+(?:(?:login|account)\s+\S{1,100}\s+){1,2}password\s+(?:"([^"\s]{4,})"|(\S{4,}))`, "machine ", "machine\t", "default login", "default\tlogin").Looking(look.Option),
		Token("maven-master-password", KindPassword, `<master>\s*(\{?[A-Za-z0-9+/]{20,}={0,2}\}?)\s*</master>`, "<master>"),
		Token("htpasswd", KindPassword, `\$(?:apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|2[aby]\$\d\d\$[./A-Za-z0-9]{53}|[56]\$(?:rounds=\d{4,9}\$)?[./A-Za-z0-9]{1,16}\$(?:[./A-Za-z0-9]{86}|[./A-Za-z0-9]{43}))`, "$apr1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$"),
		Token("mssql-password", KindPassword, `;\s?(?:Password|Pwd|pwd|password)\s?=\s?([^;"'\s{$<]{6,})`, ";password", "; password", ";pwd", "; pwd"),
	}
}

// feedPassword reports whether the password of a package feed is a secret, and not a variable or a word of a manual.
func feedPassword(text []byte) bool {
	v := look.New(text, true)
	return v.Meets(&look.Demand{Not: look.Props{look.Describing, look.Placeholder, look.MaskRun}})
}

// maxCommand is the maximal number of bytes of a command that are read.
const maxCommand = 320

// beforeUser reports whether an option that takes a user and a password follows the keyword.
func beforeUser(text []byte, _, hi int) bool {
	return look.ContainsAny(look.Clip(text, hi-1, hi+maxCommand), []string{" -u", "--user", " -U", "--proxy-user"})
}

// curlPassword reports whether a password of curl is a secret, and not a variable such as $NAME.
func curlPassword(text []byte) bool {
	if text[0] == '$' && look.All(text[1:], look.Word) {
		return false
	}
	v := look.New(text, false)
	return v.Has(look.Option)
}
