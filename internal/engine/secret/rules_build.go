package secret

// buildRules are package registries, CI and delivery.
func buildRules() []rule {
	return []rule{
		token("npm-token", KindToken, `npm_[A-Za-z0-9]{36}`, "npm_"),
		near("npmrc-auth", KindToken, `[A-Za-z0-9+/_=-]{12,}`, "_authtoken", ":_auth", ":_password"),
		token("pypi-token", KindToken, `pypi-Ag[A-Za-z0-9_-]{50,}`, "pypi-ag"),
		token("rubygems-key", KindAPIKey, `rubygems_[a-f0-9]{48}`, "rubygems_"),
		token("crates-token", KindToken, `cio[A-Za-z0-9]{32}`, "cio"),
		token("docker-pat", KindToken, `dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,}`, "dckr_"),
		near("docker-config-auth", KindCredential, `[A-Za-z0-9+/]{12,}={0,2}`, `"auth"`).checked(registryAuth),
		token("nuget-key", KindAPIKey, `oy2[a-z0-9]{43}`, "oy2"),
		token("clojars-token", KindToken, `CLOJARS_[a-z0-9]{60}`, "clojars_"),
		token("packagist-token", KindToken, `packagist_[ou][ru]t_[a-f0-9]{68}`, "packagist_"),
		token("artifactory-token", KindToken, `AKCp[A-Za-z0-9]{50,}`, "akcp"),
		token("artifactory-reference-token", KindToken, `cmVmdGtuOj[A-Za-z0-9]{50,}`, "cmvmdgtuoj"),
		token("circleci-token", KindToken, `CCI(?:PAT|PRJ)_[A-Za-z0-9]{20,}_[a-f0-9]{40}`, "ccipat_", "cciprj_"),
		near("circleci-token-old", KindToken, `[a-f0-9]{40}`, "circleci", "circle_token", "circle-token"),
		token("buildkite-token", KindToken, `bk(?:ua|ct|aj|pt)_[A-Za-z0-9]{40,}`, "bkua_", "bkct_", "bkaj_", "bkpt_"),
		near("travis-token", KindToken, `[A-Za-z0-9_-]{20,22}`, "travis"),
		near("drone-token", KindToken, `[A-Za-z0-9]{32}`, "drone"),
		near("codecov-token", KindToken, uuid+`|[A-Za-z0-9]{32}`, "codecov"),
		near("coveralls-token", KindToken, `[A-Za-z0-9]{32,37}`, "coveralls", "repo_token"),
		token("sonar-token", KindToken, `sq[apu]_[a-f0-9]{40}`, "sqp_", "squ_", "sqa_"),
		near("sonar-token-old", KindToken, `[a-f0-9]{40}`, "sonar"),
		near("snyk-token", KindToken, uuid, "snyk"),
		token("launchdarkly-key", KindAPIKey, `(?:sdk|api|mob)-`+uuid, "sdk-", "api-", "mob-"),
		token("harness-token", KindToken, `[ps]at\.[A-Za-z0-9_-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}`, "pat.", "sat."),
		token("octopus-key", KindAPIKey, `API-[A-Z0-9]{26,32}`, "api-"),
		token("postman-key", KindAPIKey, `PMAK-[a-f0-9]{24}-[a-f0-9]{34}`, "pmak-"),
		token("prefect-key", KindAPIKey, `pn[ub]_[A-Za-z0-9]{36}`, "pnu_", "pnb_"),
		token("scalingo-token", KindToken, `tk-us-[A-Za-z0-9_-]{48}`, "tk-us-"),
		token("jenkins-token", KindToken, `11[0-9a-f]{32}`, "11").when(hexAfter),
		near("kubernetes-token", KindToken, `[a-z0-9]{6}\.[a-z0-9]{16}`, "token"),
		token("openshift-token", KindToken, `sha256~[A-Za-z0-9_-]{43}`, "sha256~"),
		token("teamcity-token", KindToken, `eyJ0eXAiOiAiVENWMiJ9\.[A-Za-z0-9_-]{36}\.[A-Za-z0-9_-]{48}`, "eyj0exaioiaivenwmij9."),
	}
}
