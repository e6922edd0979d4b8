package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
	"ken/internal/engine/source/secret/rules"
)

// connectionRules returns the rules of credentials inside addresses and headers.
func connectionRules() []rules.Rule {
	return []rules.Rule{
		rules.Near("docker-config-auth", rules.KindCredential, `[A-Za-z0-9+/]{12,}={0,2}`, `"auth"`, `'auth'`, `\"auth\"`, `auth\\\"`).CheckedBy(isRegistryAuth),
		rules.Custom("database-url", rules.KindCredential, scanDatabaseURL, "://"),
		rules.Custom("basic-auth-url", rules.KindCredential, scanURL, "://"),
		rules.Token("basic-auth-header", rules.KindCredential, `(?i:basic)[ +]([A-Za-z0-9+/_-]{8,}={0,2})`, "basic ").CheckedBy(isBasicAuth),
		rules.Token("api-key-header", rules.KindAPIKey, `(?i:apikey) ([A-Za-z0-9+/_-]{10,}={1,2}|[A-Za-z0-9+/_-]{20,})`, "apikey ").Looking(look.Mixed),
		rules.Custom("basic-auth-encoded", rules.KindCredential, scanEncoded, "b64encode(", "btoa(", "base64_encode(", "encodetostring(", "encode64(", "buffer.from(", "tobase64(", "tobase64string("),
		rules.Custom("user-and-password", rules.KindCredential, scanPair, "credential(", "credentials(", "basicauth(", "basic_auth(", "plainauth(", "digestauth(", "auth=(", "auth = (", "auth((", "getconnection(", "authenticate(", "login(", "log_in(", "signin(", "sign_in(", "_password("),
		rules.Token("sql-password", rules.KindPassword, `(?i:identified\s+(?:with\s+[\w']{1,60}\s+)?by|with\s+password|login\s+password)\s+(?:=\s*)?(?i:password\s+)?(?:"+([^"\s<{$%]{4,})"|'+([^'\s<{$%]{4,})')`, "identified ", "with password", "login password").CheckedBy(isSQLPassword),
		rules.Custom("sql-identified-by", rules.KindPassword, scanSQL, "identified by ", "login password "),
		rules.Custom("powershell-secure-string", rules.KindPassword, scanSecureString, "convertto-securestring "),
		rules.Custom("default-password", rules.KindPassword, scanDefault, "default: ", "default is ", "defaults to ", "default password: "),
		rules.Custom("otp-secret", rules.KindSecret, scanOTP, "totp", "hotp", "authenticator."),
		rules.TokenAround("facebook-app-token", rules.KindToken, 17, `\d{13,17}\|[A-Za-z0-9_.-]{20,}`, "|").When(rules.DigitsBefore),
		rules.Token("bearer-header", rules.KindToken, `(?i:bearer)[ +]([A-Za-z0-9_.~+/=-]{16,})`, "bearer ").Looking(look.Bearer),
		rules.Custom("authorization-header", rules.KindToken, scanAuthorization, "authorization"),
		rules.Token("npmrc-basic", rules.KindCredential, `_auth\s?=\s?"?([A-Za-z0-9+/]{8,}={0,2})`, "_auth=", "_auth =").CheckedBy(isBasicAuth),
	}
}

// scanSQL finds the bare password of CREATE or ALTER USER … IDENTIFIED BY value, CREATE ROLE … LOGIN PASSWORD value.
func scanSQL(text []byte, lo, hi int) (int, int, bool) {
	head := bytes.ToLower(text[look.LineStart(text, lo, 120):lo])
	if !look.ContainsAny(head, []string{"user ", "role ", "grant ", " link "}) {
		return 0, 0, false
	}
	start := look.SkipBlank(text, hi)
	end := start
	for end < len(text) && !look.Is(text[end], look.Space|look.BareEnd) {
		end++
	}
	word := bytes.TrimRight(text[start:end], `\`) // of \; in a shell
	v := look.New(word, false)
	return start, start + len(word), v.Has(look.Login)
}

// scanSecureString finds PowerShell's ConvertTo-SecureString "value".
func scanSecureString(text []byte, _, hi int) (int, int, bool) {
	i := look.SkipBlank(text, hi)
	for range 3 {
		n := look.AnyAt(text, i, []string{"-String ", "-string ", "-AsPlainText ", "-asplaintext ", "-Force ", "-force "})
		if n > 0 {
			i = look.SkipBlank(text, i+n)
		}
	}
	var a assignment
	if !a.readValue(text, i) {
		return 0, 0, false
	}
	v := look.New(text[a.start:a.end], true)
	isWord := v.Text[0] == '-' || v.Counts[look.Digits] == 0
	if a.quote == 0 && isWord {
		return 0, 0, false
	}
	return a.start, a.end, v.Has(look.SecureString)
}

// scanOTP finds the shared secret of one-time passwords in the calls that take it: TOTP("…"), TOTP.new('…'), totp.generate('…').
func scanOTP(text []byte, lo, hi int) (int, int, bool) {
	i := look.RunEnd(text, hi, 24, look.Name|look.Colon)
	if look.At(text, i) != '(' {
		return 0, 0, false
	}
	var a assignment
	if !a.readQuoted(text, look.SkipBlank(text, i+1)) {
		return 0, 0, false
	}
	v := look.New(text[a.start:a.end], true)
	return a.start, a.end, v.Has(look.OTP)
}

// isSQLPassword reports whether the password of a user that SQL creates is a secret.
func isSQLPassword(text []byte) bool {
	v := look.New(bytes.Trim(bytes.ReplaceAll(text, []byte("'"), []byte("-")), "-"), true)
	return v.Has(look.Login)
}
