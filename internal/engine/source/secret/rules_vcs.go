package secret

// vcsRules are the hosts of repositories.
func vcsRules() []rule {
	return []rule{
		token("github-pat", KindToken, `ghp_[A-Za-z0-9]{36,}`, "ghp_"),
		token("github-oauth", KindToken, `gho_[A-Za-z0-9]{36,}`, "gho_"),
		token("github-user-token", KindToken, `ghu_[A-Za-z0-9]{36,}`, "ghu_"),
		token("github-server-token", KindToken, `ghs_[A-Za-z0-9._-]{36,}`, "ghs_"),
		token("github-refresh-token", KindToken, `ghr_[A-Za-z0-9]{36,}`, "ghr_"),
		token("github-fine-grained-pat", KindToken, `github_pat_[A-Za-z0-9_]{40,}`, "github_pat_"),
		near("github-token-old", KindToken, `[0-9a-f]{40}|v1\.[0-9a-f]{40}`, "github_token", "github-token", "github_oauth", "gh_token", "github_pat", "github_api"),
		token("gitlab-pat", KindToken, `glpat-[A-Za-z0-9_.=-]{20,}`, "glpat-"),
		token("gitlab-deploy-token", KindToken, `gldt-[A-Za-z0-9_-]{20,}`, "gldt-"),
		token("gitlab-runner-token", KindToken, `glrtr?-[A-Za-z0-9_.-]{20,}|GR1348941[A-Za-z0-9_-]{20,}`, "glrt-", "glrtr-", "gr1348941"),
		token("gitlab-trigger-token", KindToken, `glptt-[a-f0-9]{40}`, "glptt-"),
		token("gitlab-token", KindToken, `gl(?:ft|soat|agent|imt|cbt|ffct|oas|wt)-[A-Za-z0-9_.-]{20,}`, "glft-", "glsoat-", "glagent-", "glimt-", "glcbt-", "glffct-", "gloas-", "glwt-"),
		token("bitbucket-app-password", KindPassword, `ATBB[A-Za-z0-9]{24,}`, "atbb"),
		token("bitbucket-access-token", KindToken, `ATCTT3[A-Za-z0-9_=-]{100,}`, "atctt3"),
		near("bitbucket-client-secret", KindSecret, `[A-Za-z0-9_=-]{32,64}`, "bitbucket"),
		token("atlassian-token", KindToken, `ATATT3[A-Za-z0-9_=-]{100,}`, "atatt3"),
		near("atlassian-token-old", KindToken, `[A-Za-z0-9]{24}`, "jira", "atlassian", "confluence"),
		token("sourcegraph-token", KindToken, `sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}`, "sgp_"),
		near("gitea-token", KindToken, `[0-9a-f]{40}`, "gitea", "gogs", "forgejo"),
	}
}
