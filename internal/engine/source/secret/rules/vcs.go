package rules

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// githubToken reports whether the rest of a word with one of GitHub's prefixes is a token: with underscores, it may be a name in code.
func githubToken(value []byte) bool {
	v := look.New(value, false)
	if bytes.IndexByte(value[len("ghp_"):], '_') >= 0 {
		return v.Has(look.Mixed)
	}
	return v.Has(look.Plausible)
}

// vcsRules returns the rules of services that host repositories.
func vcsRules() []Rule {
	return []Rule{
		Token("github-pat", KindToken, `(?i:ghp)_[A-Za-z0-9_]{36,}`, "ghp_").CheckedBy(githubToken),
		Token("github-oauth", KindToken, `(?i:gho)_[A-Za-z0-9_]{36,}`, "gho_").CheckedBy(githubToken),
		Token("github-user-token", KindToken, `(?i:ghu)_[A-Za-z0-9_]{36,}`, "ghu_").CheckedBy(githubToken),
		Token("github-server-token", KindToken, `(?i:ghs)_[A-Za-z0-9._-]{36,}`, "ghs_"),
		Token("github-refresh-token", KindToken, `(?i:ghr)_[A-Za-z0-9_]{36,}`, "ghr_").CheckedBy(githubToken),
		Token("github-fine-grained-pat", KindToken, `github_pat_[A-Za-z0-9_]{40,}`, "github_pat_"),
		Near("github-token-old", KindToken, `[0-9a-fA-F]{40}|v1\.[0-9a-fA-F]{40}`, "github_token", "github-token", "github_oauth", "gh_token", "github_pat", "github_api"),
		Token("gitlab-pat", KindToken, `glpat-(?:[A-Za-z0-9_=-]{27,250}\.[0-9a-z]{2}\.?[0-9a-z]{7,9}|[A-Za-z0-9_=-]{20,50})`, "glpat-"),
		Token("gitlab-deploy-token", KindToken, `gldt-[A-Za-z0-9_-]{20,50}`, "gldt-"),
		Token("gitlab-runner-token", KindToken, `glrtr?-(?:[A-Za-z0-9_-]{27,250}\.[0-9a-z]{2}\.?[0-9a-z]{7,9}|[A-Za-z0-9_-]{20,50})|GR1348941[A-Za-z0-9_-]{20,50}`, "glrt-", "glrtr-", "gr1348941"),
		Token("gitlab-trigger-token", KindToken, `glptt-[A-Za-z0-9_-]{40}`, "glptt-"),
		Token("gitlab-token", KindToken, `gl(?:ft|soat|ffct|wt)-(?:[A-Za-z0-9_-]{27,250}\.[0-9a-z]{2}\.?[0-9a-z]{7,9}|[A-Za-z0-9_-]{20,50})|glimt-[A-Za-z0-9_-]{25}|glagent-[A-Za-z0-9_-]{50,280}|glcbt-(?:[0-9a-fA-F]{1,5}_)?[A-Za-z0-9_-]{20,50}|gloas-[A-Za-z0-9_-]{64}`, "glft-", "glsoat-", "glagent-", "glimt-", "glcbt-", "glffct-", "gloas-", "glwt-").Looking(look.TokenLetters),
		Token("bitbucket-app-password", KindPassword, `ATBB[A-Za-z0-9]{32}`, "atbb"),
		Token("bitbucket-access-token", KindToken, `ATCTT3[A-Za-z0-9+/_=-]{6,}=[A-Za-z0-9]{8}`, "atctt3"),
		Token("bitbucket-data-center-token", KindToken, `BBDC-[A-Za-z0-9+/@_-]{40,50}`, "bbdc-"),
		Near("bitbucket-client-secret", KindSecret, `[A-Za-z0-9_=-]{32,64}`, "bitbucket"),
		Token("atlassian-token", KindToken, `ATATT(?:3[A-Za-z0-9_=-]{186}|[A-Za-z0-9+/=_-]{16,}=[A-Za-z0-9]{8})`, "atatt"),
		Near("atlassian-token-old", KindToken, `[A-Za-z0-9]{24}`, "jira", "atlassian", "confluence"),
		Token("sourcegraph-token", KindToken, `sgp_(?:[a-fA-F0-9]{16}_(?:local_)?|local_|sgp_)?[a-fA-F0-9]{40}|slk_[a-fA-F0-9]{64}`, "sgp_", "slk_"),
		Near("sourcegraph-token-old", KindToken, `[a-fA-F0-9]{40}`, "sourcegraph"),
		Near("gitea-token", KindToken, `[0-9a-fA-F]{40}`, "gitea", "gogs", "forgejo"),
	}
}
