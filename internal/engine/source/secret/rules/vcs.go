package rules

import "ken/internal/engine/source/secret/look"

// vcsRules are the hosts of repositories.
func vcsRules() []Rule {
	return []Rule{
		Token("github-pat", KindToken, `ghp_[A-Za-z0-9]{36,}`, "ghp_"),
		Token("github-oauth", KindToken, `gho_[A-Za-z0-9]{36,}`, "gho_"),
		Token("github-user-token", KindToken, `ghu_[A-Za-z0-9]{36,}`, "ghu_"),
		Token("github-server-token", KindToken, `ghs_[A-Za-z0-9._-]{36,}`, "ghs_"),
		Token("github-refresh-token", KindToken, `ghr_[A-Za-z0-9]{36,}`, "ghr_"),
		Token("github-fine-grained-pat", KindToken, `github_pat_[A-Za-z0-9_]{40,}`, "github_pat_"),
		Near("github-token-old", KindToken, `[0-9a-f]{40}|v1\.[0-9a-f]{40}`, "github_token", "github-token", "github_oauth", "gh_token", "github_pat", "github_api"),
		Token("gitlab-pat", KindToken, `glpat-[A-Za-z0-9_.=-]{20,}`, "glpat-"),
		Token("gitlab-deploy-token", KindToken, `gldt-[A-Za-z0-9_-]{20,}`, "gldt-"),
		Token("gitlab-runner-token", KindToken, `glrtr?-[A-Za-z0-9_.-]{20,}|GR1348941[A-Za-z0-9_-]{20,}`, "glrt-", "glrtr-", "gr1348941"),
		Token("gitlab-trigger-token", KindToken, `glptt-[A-Za-z0-9_-]{40}`, "glptt-"),
		Token("gitlab-token", KindToken, `gl(?:ft|soat|ffct|wt)-[A-Za-z0-9_.-]{20,64}|glimt-[A-Za-z0-9_-]{25}|glagent-[A-Za-z0-9_-]{50,}|glcbt-(?:[0-9a-fA-F]{1,5}_)?[A-Za-z0-9_.-]{20,64}|gloas-[A-Za-z0-9_-]{64}`, "glft-", "glsoat-", "glagent-", "glimt-", "glcbt-", "glffct-", "gloas-", "glwt-").Looking(look.TokenLetters),
		Token("bitbucket-app-password", KindPassword, `ATBB[A-Za-z0-9]{24,}`, "atbb"),
		Token("bitbucket-access-token", KindToken, `ATCTT3[A-Za-z0-9_=-]{24,}`, "atctt3"),
		Token("bitbucket-data-center-token", KindToken, `BBDC-[A-Za-z0-9+/@_-]{40,50}`, "bbdc-"),
		Near("bitbucket-client-secret", KindSecret, `[A-Za-z0-9_=-]{32,64}`, "bitbucket"),
		Token("atlassian-token", KindToken, `ATATT[A-Za-z0-9+/_=-]{30,}`, "atatt"),
		Near("atlassian-token-old", KindToken, `[A-Za-z0-9]{24}`, "jira", "atlassian", "confluence"),
		Token("sourcegraph-token", KindToken, `sgp_(?:[a-fA-F0-9]{16}_|local_|sgp_)?[a-fA-F0-9]{40}|slk_[a-fA-F0-9]{64}`, "sgp_", "slk_"),
		Near("sourcegraph-token-old", KindToken, `[a-fA-F0-9]{40}`, "sourcegraph"),
		Near("gitea-token", KindToken, `[0-9a-f]{40}`, "gitea", "gogs", "forgejo"),
	}
}
