package rules

import "ken/internal/engine/source/secret/look"

const uuid = `[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}`

// randomUUID matches a UUID of version 4.
const randomUUID = `[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-4[0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}`

// anyUUID matches the form of a UUID with any letters and digits, in which some issuers write keys.
const anyUUID = `[A-Za-z0-9]{8}(?:-[A-Za-z0-9]{4}){3}-[A-Za-z0-9]{12}`

// cloudRules returns the rules of clouds and of the services that manage them.
func cloudRules() []Rule {
	return []Rule{
		Token("aws-access-key-id", KindAPIKey, `(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA)[A-Z0-9]{16,17}`,
			"a3t", "akia", "asia", "abia", "acca", "agpa", "aida", "aroa", "aipa", "anpa", "anva"),
		Near("aws-access-key-id-named", KindAPIKey, `[A-Z0-9]{16,24}`, "access_key_id", "accesskeyid", "access-key-id"),
		Near("aws-secret-access-key", KindSecret, `[A-Za-z0-9/+]{40}`, "aws_secret", "aws-secret", "awssecret", "secret_access_key", "secretaccesskey", "secret-access-key", "secret_key", "secretkey"),
		Token("aws-secret-beside-key-id", KindSecret, `(?:AKIA|ASIA)[A-Z0-9]{16}["'`+"`"+`\s,;:|()\\]{1,16}([A-Za-z0-9/+]{40})`, "akia", "asia").Looking(look.Unworded),
		Near("aws-session-token", KindToken, `[A-Za-z0-9/+]{100,}={0,2}`, "session_token", "sessiontoken", "security_token", "securitytoken"),
		Token("aws-bedrock-short-key", KindAPIKey, `bedrock-api-key-[A-Za-z0-9+/_-]{30,}={0,2}`, "bedrock-api-key-"),
		Token("aws-bedrock-key", KindAPIKey, `ABSK[A-Za-z0-9+/]{100,}={0,2}`, "absk"),
		Token("aws-mws-token", KindToken, `amzn\.mws\.`+uuid, "amzn.mws."),
		Token("gcp-api-key", KindAPIKey, `AIza[0-9A-Za-z_-]{35}`, "aiza"),
		Token("gcp-oauth-client-secret", KindSecret, `GOCSPX-[A-Za-z0-9_-]{28}`, "gocspx-"),
		Token("gcp-oauth-token", KindToken, `ya29\.[0-9A-Za-z_-]{10,}`, "ya29.").Looking(look.TokenLetters),
		Token("gcp-refresh-token", KindToken, `1//0[A-Za-z0-9_-]{40,}`, "1//0"),
		Near("gcp-private-key-id", KindCredential, `[0-9a-fA-F]{40}`, "private_key_id"),
		Token("azure-storage-key", KindAPIKey, `(?i:AccountKey)=([A-Za-z0-9+/]{86}==)`, "accountkey="),
		Token("azure-shared-access-key", KindAPIKey, `(?i:SharedAccessKey)=([A-Za-z0-9+/]{40,}={0,2})`, "sharedaccesskey="),
		Token("azure-sas-signature", KindToken, `sig=([A-Za-z0-9%+/_-]{40,}(?:%3[Dd]|=))`, "sig="),
		TokenAround("azure-client-secret", KindSecret, 8, `[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}`, "q~").When(digitBefore),
		Near("azure-devops-pat", KindToken, `[a-z2-7]{52}|[A-Za-z0-9]{84}`, "azure_devops", "azuredevops", "ado_pat", "vsts", "azure_pat", "system_accesstoken"),
		TokenAround("azure-devops-pat-new", KindToken, 90, `[A-Za-z0-9]{72,80}AZDO[A-Za-z0-9]{4}`, "azdo"),
		Near("azure-cognitive-key", KindAPIKey, `[0-9a-fA-F]{32}|[A-Za-z0-9]{84}`, "ocp-apim-subscription-key", "azure_openai", "cognitive", "azure_api", "subscription_key", "subscriptionkey"),
		Token("digitalocean-token", KindToken, `do[opr]_v1_[a-fA-F0-9]{64}`, "dop_v1_", "doo_v1_", "dor_v1_"),
		Token("alibaba-access-key", KindAPIKey, `LTAI(?:[A-Za-z0-9]{17,21}|[A-Za-z0-9]{12})`, "ltai"),
		Near("alibaba-secret-key", KindSecret, `[A-Za-z0-9]{30}`, "aliyun", "alibaba", "alicloud", "access_key_secret", "accesskeysecret"),
		Token("tencent-secret-id", KindAPIKey, `AKID[A-Za-z0-9]{32}`, "akid"),
		Near("ibm-cloud-key", KindAPIKey, `[A-Za-z0-9_-]{44}`, "ibmcloud", "ibm_cloud", "bluemix", "ibm_api"),
		Near("linode-token", KindToken, `[a-fA-F0-9]{64}`, "linode"),
		Token("scaleway-access-key", KindAPIKey, `SCW[A-Z0-9]{17}`, "scw"),
		Near("scaleway-secret-key", KindSecret, uuid, "scw_secret", "scaleway"),
		Near("hetzner-token", KindToken, `[A-Za-z0-9]{64}`, "hcloud", "hetzner"),
		Near("vultr-key", KindAPIKey, `[A-Z0-9]{36}`, "vultr"),
		Near("cloudflare-token", KindToken, `[A-Za-z0-9_-]{40}|[a-fA-F0-9]{37}`, "cloudflare", "cf_api", "cf_token", "x-auth-key"),
		Token("cloudflare-api-token", KindToken, `cf(?:at|ut|k)_[A-Za-z0-9]{40}(?:[A-Za-z0-9]{8})?`, "cfat_", "cfut_", "cfk_"),
		Token("cloudflare-origin-ca", KindAPIKey, `v1\.0-(?:[a-f0-9]{24}-[a-f0-9]{146}|[A-Za-z0-9-]{171})`, "v1.0-"),
		Near("fastly-token", KindToken, `[A-Za-z0-9_-]{32}`, "fastly"),
		Token("heroku-token", KindToken, `HRKU-(?:AA[A-Za-z0-9_-]{58}|`+uuid+`)`, "hrku-"),
		Near("heroku-key", KindAPIKey, uuid, "heroku"),
		Token("fly-token", KindToken, `fo1_[A-Za-z0-9_-]{43}|fm[12][ar]?_[A-Za-z0-9+/_-]{100,}={0,3}`, "fo1_", "fm1_", "fm1a_", "fm1r_", "fm2_"),
		Token("vercel-token-new", KindToken, `vc[aikpr]_[A-Za-z0-9_-]{56}`, "vca_", "vci_", "vck_", "vcp_", "vcr_"),
		Token("akamai-credential", KindCredential, `akab-[a-z0-9]{16}-[a-z0-9]{16}`, "akab-"),
		Token("defined-networking-key", KindAPIKey, `dnkey-[A-Z0-9]{20,30}-[A-Z0-9]{40,60}`, "dnkey-"),
		Token("cockroachdb-key", KindAPIKey, `CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}`, "ccdb1_"),
		Token("fly-token-v1", KindToken, `FlyV1 ([A-Za-z0-9+/_=,-]{60,})`, "flyv1 "),
		Token("alibaba-sts-key", KindAPIKey, `STS\.[A-Za-z0-9]{20,40}`, "sts."),
		TokenLong("aiven-token", KindToken, `aivenv1 ([A-Za-z0-9+/]{200,}={0,2})`, "aivenv1 "),
		Token("settlemint-token", KindToken, `sm_(?:pat|aat|sat)_[A-Za-z0-9]{16}`, "sm_pat_", "sm_aat_", "sm_sat_"),
		Near("vault-secret-id", KindSecret, uuid, "secret_id", "secret-id", "secretid").Looking(look.RandomUUID),
		Token("vault-unseal-key", KindSecret, `(?i:unseal key) \d+: ([A-Za-z0-9+/]{43,44}=?)`, "unseal key "),
		Near("vercel-token", KindToken, `[A-Za-z0-9]{24}`, "vercel"),
		Token("netlify-token", KindToken, `nfp_[A-Za-z0-9]{36}`, "nfp_"),
		Near("netlify-token-old", KindToken, `[A-Za-z0-9_-]{43,46}`, "netlify"),
		Token("render-key", KindAPIKey, `rnd_[A-Za-z0-9]{28}`, "rnd_"),
		Token("supabase-token", KindToken, `sbp_(?:v0_[A-Za-z0-9]{40}|[A-Za-z0-9_-]{40})|sb_secret_[A-Za-z0-9_-]{31}`, "sbp_", "sb_secret_"),
		Token("planetscale-token", KindToken, `pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=.-]{32,64}`, "pscale_"),
		Token("databricks-token", KindToken, `dapi[a-fA-F0-9]{32}(?:-\d+)?`, "dapi"),
		Token("doppler-token", KindToken, `dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}`, "dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."),
		Token("vault-token", KindToken, `hv[sr]\.[A-Za-z0-9_-]{24,}|hvb\.[A-Za-z0-9_-]{24,}`, "hvs.", "hvb.", "hvr."),
		Near("vault-token-old", KindToken, `s\.[A-Za-z0-9]{24}`, "vault"),
		TokenAround("terraform-cloud-token", KindToken, 14, `[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}`, ".atlasv1."),
		Token("pulumi-token", KindToken, `pul-[a-z0-9]{40}`, "pul-"),
		Token("infracost-key", KindAPIKey, `ico-[A-Za-z0-9]{32}`, "ico-").When(noFile),
		TokenLong("1password-token", KindToken, `ops_eyJ[A-Za-z0-9+/_-]{250,}={0,3}`, "ops_eyj"),
		Token("1password-secret-key", KindSecret, `A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}`, "a3-"),
		Token("yandex-key", KindAPIKey, `AQVN[A-Za-z0-9_-]{35,38}|YC[A-Za-z0-9_-]{38}`, "aqvn", "ycaj", "ycp", "yco"),
		Token("tailscale-key", KindAPIKey, `tskey-(?:api-[A-Za-z0-9_-]{20,36}|(?:auth|api|client|scim|webhook|reusable|ephemeral)-[0-9A-Za-z_]{6,}-[0-9A-Za-z_]{8,})`, "tskey-"),
		Near("ngrok-token", KindToken, `[A-Za-z0-9]{24,32}_[A-Za-z0-9]{18,24}`, "ngrok"),
		Near("confluent-secret", KindSecret, `[A-Za-z0-9+/]{64}`, "confluent"),
	}
}
