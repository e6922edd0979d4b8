package secret

import (
	"ken/internal/engine/source/secret/rules"
)

// allRules returns every rule, the most specific family first: where two rules overlap, the earlier one names the finding.
func allRules() []rules.Rule {
	var out []rules.Rule
	families := [...][]rules.Rule{
		rules.PrivateKeys(), rules.Vendors(), connectionRules(), rules.Logins(), rules.Commands(), genericRules(),
	}
	for _, family := range families {
		out = append(out, family...)
	}
	return out
}

// genericRules returns the rules that recognise a value only by the name it is assigned to.
func genericRules() []rules.Rule {
	return []rules.Rule{
		rules.Custom("generic-api-key", rules.KindAPIKey, scanGeneric, "api_key", "api-key", "apikey", "api.key", "api key", "access key", "consumer key", "access_key", "access-key", "accesskey",
			"auth_key", "authkey", "auth-key", "key_auth", "keyauth", "account_key", "accountkey", "app_key", "appkey", "consumer_key", "consumerkey", "consumer-key",
			"application_key", "applicationkey", "validation_key", "validationkey", "client_key", "clientkey", "license_key", "licensekey"),
		rules.Custom("generic-private-key", rules.KindPrivateKey, scanGeneric, "private_key", "privatekey", "private-key", "encryption_key", "encryptionkey",
			"encryption-key", "signing_key", "signingkey", "master_key", "masterkey"),
		rules.Custom("generic-password", rules.KindPassword, scanPassword, "password", "passwd", "passphrase", "passwort", "pwd", "_pass", "pass",
			"rootpwd", "dbpwd", "userpwd", "adminpwd", "sqlpwd", "rootpass", "dbpass", "userpass", "adminpass", "sqlpass"),
		rules.Custom("php-define", rules.KindSecret, scanDefine, "define("),
		rules.Custom("generic-password-short", rules.KindPassword, scanShortPassword, "pw", "pswd", "pasword", "passwrd", "psswd", "pswrd", "psword", "psswrd", "pssword", "paswd", "paswrd"),
		rules.Custom("generic-token", rules.KindToken, scanGeneric, "token", "oauth2-bearer", "authcode", "auth_code", "authorization_code"),
		rules.Custom("generic-access-token", rules.KindToken, scanPAT, "_pat", "-pat"),
		rules.Custom("generic-secret", rules.KindSecret, scanGeneric, "secret"),
		rules.Custom("generic-key", rules.KindSecret, scanKey, "key"),
		rules.Custom("generic-dashed", rules.KindAPIKey, scanDashed, "key-", "token-", "secret-", "access-"),
		rules.Custom("generic-auth", rules.KindCredential, scanAuth, "auth", "_api", "api =", "api=", "api:", `api":`, "ticket"),
		rules.Custom(numbersRule, rules.KindSecret, scanNumbers, "key", "secret", "token", "password", "passwd", "authdata", "auth_data"),
		rules.List("generic-list", rules.KindToken, scanList, "tokens", "secrets", "passwords", "api_keys", "apikeys", "access_keys", "credentials", "password", "passwd", "secret", "token", "api_key", "apikey").When(isBeforeList),
		rules.CSVColumn(),
		rules.KubernetesSecret(),
		rules.Custom("generic-credential", rules.KindCredential, scanGeneric, "credential", "creds", "encryptedusername", "oauth_verifier", "oauth_signature", "oauthverifier"),
	}
}
