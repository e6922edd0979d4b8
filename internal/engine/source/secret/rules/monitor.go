package rules

// monitorRules are monitoring, logging, alerting and product analytics.
func monitorRules() []Rule {
	return []Rule{
		Near("datadog-key", KindAPIKey, `[a-f0-9]{32}|[a-f0-9]{40}`, "datadog", "dd_api", "dd-api", "dd_app", "dd-application", "ddapi"),
		Token("newrelic-user-key", KindAPIKey, `NRAK-[A-Z0-9]{27}`, "nrak-"),
		Token("newrelic-key", KindAPIKey, `NR(?:JS|II|IQ|AA|RA|SP)-[A-Za-z0-9_-]{19,32}`, "nrjs-", "nrii-", "nriq-", "nraa-", "nrra-", "nrsp-"),
		TokenAround("newrelic-license-key", KindAPIKey, 36, `[0-9a-zA-Z]{36}NRAL`, "nral"),
		Near("newrelic-license-key-old", KindAPIKey, `[0-9a-f]{40}`, "new_relic", "newrelic", "license_key"),
		Token("sentry-org-token", KindToken, `sntrys_[A-Za-z0-9+/=_-]{60,}`, "sntrys_"),
		Token("sentry-user-token", KindToken, `sntryu_[a-f0-9]{64}`, "sntryu_"),
		TokenAround("sentry-dsn", KindCredential, 80, `(?:https?://)?([0-9a-f]{32}(?::[0-9a-f]{32})?)@[A-Za-z0-9.-]*(?:sentry\.io|sentry\.[a-z.]+)/\d+`, "@").When(hexBefore),
		Near("sentry-token-old", KindToken, `[a-f0-9]{64}`, "sentry"),
		TokenLong("grafana-cloud-token", KindToken, `glc_eyJ[A-Za-z0-9+/_-]{30,}={0,3}`, "glc_"),
		Token("grafana-service-account-token", KindToken, `glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}`, "glsa_"),
		Token("grafana-api-key", KindAPIKey, `eyJrIjoi[A-Za-z0-9]{60,}={0,3}`, "eyjrijoi"),
		Token("honeycomb-key", KindAPIKey, `hc[abx][il]k_[A-Za-z0-9]{50,}`, "hcaik_", "hcxik_", "hcbik_", "hcalk_", "hcxlk_"),
		Near("honeycomb-key-old", KindAPIKey, `[a-f0-9]{32}|[A-Za-z0-9]{22}`, "honeycomb"),
		Token("dynatrace-token", KindToken, `dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}`, "dt0"),
		Near("pagerduty-key", KindAPIKey, `u\+[A-Za-z0-9_-]{18}|[A-Za-z0-9_+-]{20}|[a-f0-9]{32}`, "pagerduty", "pager_duty", "pd_api"),
		Near("opsgenie-key", KindAPIKey, uuid, "opsgenie"),
		Near("rollbar-token", KindToken, `[a-f0-9]{32}`, "rollbar"),
		Near("sumologic-key", KindAPIKey, `su[A-Za-z0-9]{12}|[A-Za-z0-9]{64}`, "sumologic", "sumo_"),
		Near("splunk-token", KindToken, `(?i)(?:Splunk )?`+uuid, "splunk", "hec_token"),
		Near("bugsnag-key", KindAPIKey, `[a-f0-9]{32}`, "bugsnag"),
		Near("loggly-token", KindToken, uuid, "loggly"),
		Near("logdna-key", KindAPIKey, `[a-f0-9]{32}`, "logdna", "mezmo"),
		Near("logzio-token", KindToken, `[A-Za-z]{32}`, "logzio", "logz_io"),
		Near("elastic-api-key", KindAPIKey, `[A-Za-z0-9_-]{38,}={0,2}`, "elastic_api", "elasticsearch_api", "elastic_cloud", "es_api_key"),
		Token("posthog-token", KindToken, `ph[ars]_[A-Za-z0-9]{40,}`, "pha_", "phr_", "phs_"),
		Token("posthog-personal-key", KindAPIKey, `phx_[A-Za-z0-9]{40,}`, "phx_"),
		Near("segment-write-key", KindAPIKey, `[A-Za-z0-9]{32}`, "segment"),
		Token("segment-public-api-token", KindToken, `sgp_[A-Za-z0-9]{64}`, "sgp_"),
		Near("amplitude-key", KindAPIKey, `[a-f0-9]{32}`, "amplitude"),
		Near("mixpanel-secret", KindSecret, `[a-f0-9]{32}`, "mixpanel"),
		Near("betterstack-token", KindToken, `[A-Za-z0-9]{24}`, "logtail", "betterstack", "betteruptime"),
	}
}
