package secret

// mailRules are senders of mail and messages.
func mailRules() []rule {
	return []rule{
		token("sendgrid-key", KindAPIKey, `SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}`, "sg."),
		token("mailgun-key", KindAPIKey, `key-[a-z0-9]{32}|pubkey-[a-f0-9]{32}`, "key-", "pubkey-"),
		near("mailgun-key-new", KindAPIKey, `[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}`, "mailgun", "mg_api"),
		tokenAround("mailchimp-key", KindAPIKey, 32, `[0-9a-f]{32}-us\d{1,2}`, "-us").when(hexBefore),
		token("mandrill-key", KindAPIKey, `md-[A-Za-z0-9_-]{22}`, "md-"),
		near("mandrill-key-old", KindAPIKey, `[A-Za-z0-9_-]{22}`, "mandrill"),
		token("brevo-key", KindAPIKey, `xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}`, "xkeysib-"),
		token("brevo-smtp-key", KindAPIKey, `xsmtpsib-[a-f0-9]{64}-[A-Za-z0-9]{16}`, "xsmtpsib-"),
		near("postmark-token", KindToken, uuid, "postmark", "x-postmark-server-token"),
		token("resend-key", KindAPIKey, `re_[A-Za-z0-9]{8}_[A-Za-z0-9]{22,}`, "re_"),
		near("sparkpost-key", KindAPIKey, `[a-f0-9]{40}`, "sparkpost"),
		near("mailjet-key", KindAPIKey, `[a-f0-9]{32}`, "mailjet", "mj_apikey"),
		token("mailersend-token", KindToken, `mlsn\.[a-f0-9]{64}`, "mlsn."),
		token("klaviyo-key", KindAPIKey, `pk_[a-f0-9]{34}`, "pk_"),
		token("hubspot-token", KindToken, `pat-(?:na|eu)\d-`+uuid, "pat-na", "pat-eu"),
		near("hubspot-key", KindAPIKey, uuid, "hubspot", "hapikey"),
		near("vonage-secret", KindSecret, `[A-Za-z0-9]{16}`, "nexmo", "vonage"),
		near("messagebird-key", KindAPIKey, `[A-Za-z0-9]{25}`, "messagebird"),
	}
}
