package secret

// allRules is the list of every rule, the most specific family first: where two rules overlap, the earlier one names the finding.
func allRules() []rule {
	var out []rule
	for _, family := range [...][]rule{
		keyRules(), cloudRules(), vcsRules(), aiRules(), chatRules(), paymentRules(), buildRules(), mailRules(), monitorRules(),
		serviceRules(), connectionRules(), commandRules(), genericRules(),
	} {
		out = append(out, family...)
	}
	return out
}

// keyRules are private keys and signed tokens.
func keyRules() []rule {
	return []rule{
		custom("private-key", KindPrivateKey, scanPEM, "-----begin"),
		custom("private-key-base64", KindPrivateKey, scanEncodedPEM, "ls0tls1crudjti"),
		custom("private-key-der", KindPrivateKey, scanDER, "miie", "miic", "miij", "miib", "miig", "migh", "migt", "miga", "mhccaqee", "mhqcaqee"),
		custom("private-key-pkcs12", KindPrivateKey, scanPFX, "ibazcc"),
		custom("private-key-in-base64", KindPrivateKey, scanKeyInBase64, "ufjjvkfursblrvkt", "bssvzbveugs0vzl", "quklwqvrfietfws"),
		custom("jwk-private-member", KindPrivateKey, scanJWK, `"d":`, `"k":`, `"p":`, `"q":`, `"dp":`, `"dq":`, `"qi":`, `\"d\":`, `\"k\":`, "d: '", `d: "`, "k: '", `k: "`, "p: '", `p: "`, "q: '", `q: "`, "dp: '", `dp: "`, "dq: '", `dq: "`, "qi: '", `qi: "`, "'d':", "'k':"),
		custom("putty-private-key", KindPrivateKey, scanPPK, "private-lines:"),
		token("nats-nkey-seed", KindPrivateKey, `S[AOU][A-Z2-7]{54,60}`, "su", "sa", "so").when(base32After),
		token("age-secret-key", KindPrivateKey, `AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}`, "age-secret-key-1"),
		tokenLong("jwt", KindToken, `ey[IJ][A-Za-z0-9_-]{10,}\.ey[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]*`, "eyj", "eyi"),
	}
}

// genericRules know a value only by the name it is assigned to: the seed's patterns, widened.
func genericRules() []rule {
	return []rule{
		custom("generic-api-key", KindAPIKey, scanGeneric, "api_key", "api-key", "apikey", "api.key", "api key", "access key", "consumer key", "access_key", "access-key", "accesskey",
			"auth_key", "authkey", "auth-key", "key_auth", "keyauth", "account_key", "accountkey", "app_key", "appkey", "consumer_key", "consumerkey", "consumer-key",
			"application_key", "applicationkey", "validation_key", "validationkey", "client_key", "clientkey", "license_key", "licensekey"),
		custom("generic-private-key", KindPrivateKey, scanGeneric, "private_key", "privatekey", "private-key", "encryption_key", "encryptionkey",
			"encryption-key", "signing_key", "signingkey", "master_key", "masterkey"),
		custom("generic-password", KindPassword, scanPassword, "password", "passwd", "passphrase", "passwort", "pwd", "_pass", "pass",
			"rootpwd", "dbpwd", "userpwd", "adminpwd", "sqlpwd", "rootpass", "dbpass", "userpass", "adminpass", "sqlpass"),
		custom("php-define", KindSecret, scanDefine, "define("),
		custom("generic-password-short", KindPassword, scanShortPassword, "pw", "pswd", "pasword", "passwrd", "psswd", "pswrd", "psword", "psswrd", "pssword", "paswd", "paswrd"),
		custom("generic-token", KindToken, scanGeneric, "token", "oauth2-bearer", "authcode", "auth_code", "authorization_code"),
		custom("generic-secret", KindSecret, scanGeneric, "secret"),
		custom("generic-key", KindSecret, scanKey, "key"),
		custom("generic-auth", KindCredential, scanAuth, "auth", "_api", "api =", "api=", "api:", `api":`, "ticket"),
		custom("generic-numbers", KindSecret, scanNumbers, "key", "secret", "token", "password", "passwd", "authdata", "auth_data"),
		list("generic-list", KindToken, scanList, "tokens", "secrets", "passwords", "api_keys", "apikeys", "access_keys", "credentials", "password", "passwd", "secret", "token", "api_key", "apikey"),
		custom("generic-credential", KindCredential, scanGeneric, "credential", "encryptedusername", "oauth_verifier", "oauth_signature", "oauthverifier"),
	}
}
