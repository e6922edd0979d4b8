package secret

// allRules is the list of every rule, the most specific family first: where two rules overlap, the earlier one names the finding.
func allRules() []rule {
	var out []rule
	for _, family := range [...][]rule{
		keyRules(), cloudRules(), vcsRules(), aiRules(), chatRules(), paymentRules(), buildRules(), mailRules(), monitorRules(),
		serviceRules(), connectionRules(), genericRules(),
	} {
		out = append(out, family...)
	}
	return out
}

// keyRules are private keys and signed tokens.
func keyRules() []rule {
	return []rule{
		custom("private-key", KindPrivateKey, scanPEM, "-----begin"),
		token("age-secret-key", KindPrivateKey, `AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}`, "age-secret-key-1"),
		tokenLong("jwt", KindToken, `ey[IJ][A-Za-z0-9_-]{10,}\.ey[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*`, "eyj", "eyi"),
	}
}

// genericRules know a value only by the name it is assigned to: the seed's patterns, widened.
func genericRules() []rule {
	return []rule{
		custom("generic-api-key", KindAPIKey, scanGeneric, "api_key", "api-key", "apikey", "api.key", "access_key", "access-key", "accesskey",
			"auth_key", "authkey", "auth-key", "account_key", "accountkey", "app_key", "appkey"),
		custom("generic-private-key", KindPrivateKey, scanGeneric, "private_key", "privatekey", "private-key", "encryption_key", "encryptionkey",
			"encryption-key", "signing_key", "signingkey", "master_key", "masterkey"),
		custom("generic-password", KindPassword, scanPassword, "password", "passwd", "passphrase", "passwort", "pwd", "_pass", "pass"),
		custom("generic-token", KindToken, scanGeneric, "token"),
		custom("generic-secret", KindSecret, scanGeneric, "secret"),
		custom("generic-credential", KindCredential, scanGeneric, "credential"),
	}
}
