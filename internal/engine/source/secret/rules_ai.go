package secret

// aiRules are the providers of models and of what is used with them.
func aiRules() []rule {
	return []rule{
		token("anthropic-key", KindAPIKey, `sk-ant-[A-Za-z0-9]{2,10}-[A-Za-z0-9_-]{40,}`, "sk-ant-"),
		token("openrouter-key", KindAPIKey, `sk-or-v1-[a-f0-9]{64}`, "sk-or-v1-"),
		token("openai-project-key", KindAPIKey, `sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,}`, "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-none-"),
		token("openai-key", KindAPIKey, `sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|sk-[A-Za-z0-9]{48}`, "sk-"),
		token("deepseek-key", KindAPIKey, `sk-[a-z0-9]{32}`, "sk-"),
		token("huggingface-token", KindToken, `hf_[A-Za-z0-9]{30,}`, "hf_"),
		token("huggingface-org-token", KindToken, `api_org_[A-Za-z0-9]{30,}`, "api_org_"),
		token("replicate-token", KindToken, `r8_[A-Za-z0-9]{37}`, "r8_"),
		near("cohere-key", KindAPIKey, `[A-Za-z0-9]{40}`, "cohere", "co_api_key"),
		token("groq-key", KindAPIKey, `gsk_[A-Za-z0-9]{48,}`, "gsk_"),
		token("perplexity-key", KindAPIKey, `pplx-[A-Za-z0-9]{40,}`, "pplx-"),
		token("xai-key", KindAPIKey, `xai-[A-Za-z0-9]{70,}`, "xai-"),
		near("mistral-key", KindAPIKey, `[A-Za-z0-9]{32}`, "mistral"),
		token("llamaindex-key", KindAPIKey, `llx-[A-Za-z0-9_-]{48}`, "llx-"),
		near("together-key", KindAPIKey, `[a-f0-9]{64}|tgp_v1_[A-Za-z0-9_-]{40,}`, "together"),
		token("together-key-new", KindAPIKey, `tgp_v1_[A-Za-z0-9_-]{40,}`, "tgp_v1_"),
		token("fireworks-key", KindAPIKey, `fw_[A-Za-z0-9]{22,24}`, "fw_"),
		token("elevenlabs-key", KindAPIKey, `sk_[a-f0-9]{48}`, "sk_"),
		token("langsmith-key", KindAPIKey, `lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}|ls__[a-f0-9]{32}`, "lsv2_", "ls__"),
		token("langfuse-key", KindAPIKey, `sk-lf-`+uuid, "sk-lf-"),
		token("pinecone-key", KindAPIKey, `pcsk_[A-Za-z0-9_]{50,}`, "pcsk_"),
		token("nvidia-key", KindAPIKey, `nvapi-[A-Za-z0-9_-]{50,}`, "nvapi-"),
		near("wandb-key", KindAPIKey, `[a-f0-9]{40}`, "wandb", "weights_and_biases"),
		token("voyage-key", KindAPIKey, `pa-[A-Za-z0-9_-]{43}`, "pa-"),
		token("jina-key", KindAPIKey, `jina_[a-f0-9]{32}[A-Za-z0-9_-]{20,}`, "jina_"),
		token("tavily-key", KindAPIKey, `tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,}`, "tvly-"),
		near("stability-key", KindAPIKey, `sk-[A-Za-z0-9]{40,}`, "stability"),
		near("assemblyai-key", KindAPIKey, `[a-f0-9]{32}`, "assemblyai", "assembly_ai"),
		near("deepgram-key", KindAPIKey, `[a-f0-9]{40}`, "deepgram"),
	}
}
