package rules

// mailRules returns the rules of services that send mail and messages.
func mailRules() []Rule {
	return []Rule{
		Token("sendgrid-key", KindAPIKey, `(?:SG|sg)\.(?:[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}|[A-Za-z0-9=_.-]{66})`, "sg."),
		Token("mailgun-key", KindAPIKey, `key-[A-Za-z0-9]{32}|pubkey-[a-fA-F0-9]{32}`, "key-", "pubkey-"),
		Near("mailgun-key-new", KindAPIKey, `[a-fA-F0-9]{32}-[a-fA-F0-9]{8}-[a-fA-F0-9]{8}`, "mailgun", "mg_api"),
		TokenAround("mailchimp-key", KindAPIKey, 32, `[0-9a-f]{32}-us\d{1,2}`, "-us").When(hexBefore),
		Token("mandrill-key", KindAPIKey, `md-[A-Za-z0-9_-]{22}`, "md-"),
		Near("mandrill-key-old", KindAPIKey, `[A-Za-z0-9_-]{22}`, "mandrill"),
		Token("brevo-key", KindAPIKey, `xkeysib-[a-fA-F0-9]{64}-[A-Za-z0-9]{16}`, "xkeysib-"),
		Token("brevo-smtp-key", KindAPIKey, `xsmtpsib-[a-f0-9]{64}-[A-Za-z0-9]{16}`, "xsmtpsib-"),
		Near("postmark-token", KindToken, uuid, "postmark", "x-postmark-server-token"),
		Token("resend-key", KindAPIKey, `re_[A-Za-z0-9]{8}_[A-Za-z0-9]{22,}`, "re_"),
		Near("sparkpost-key", KindAPIKey, `[a-fA-F0-9]{40}`, "sparkpost"),
		Near("mailjet-key", KindAPIKey, `[a-fA-F0-9]{32}`, "mailjet", "mj_apikey"),
		Token("mailersend-token", KindToken, `mlsn\.[A-Za-z0-9]{30,}`, "mlsn."),
		Token("klaviyo-key", KindAPIKey, `pk_[A-Za-z0-9]{34}`, "pk_"),
		Token("hubspot-token", KindToken, `pat-(?:na|eu)\d-`+anyUUID, "pat-na", "pat-eu"),
		Near("hubspot-key", KindAPIKey, uuid, "hubspot", "hapikey"),
		Near("vonage-secret", KindSecret, `[A-Za-z0-9]{16}`, "nexmo", "vonage"),
		Token("gc-notify-key", KindAPIKey, `(?i:gcntfy)-[\w-]{1,60}-`+uuid+`-`+uuid, "gcntfy-"),
		Near("messagebird-key", KindAPIKey, `[A-Za-z0-9]{25}`, "messagebird"),
	}
}
