package rules

import "ken/internal/engine/source/secret/look"

// aiRules returns the rules of providers of models and of the services around them.
func aiRules() []Rule {
	return []Rule{
		Token("anthropic-key", KindAPIKey, `sk-ant-(?:(?:api\d{2,4}|admin\d\d)-[A-Za-z0-9_-]{93}(?i:AA)|(?:oat|ort|sid)\d\d-[A-Za-z0-9_-]{40,})`, "sk-ant-"),
		Token("openrouter-key", KindAPIKey, `sk-or-v1-[a-fA-F0-9]{64}`, "sk-or-v1-"),
		Token("openai-project-key", KindAPIKey, `sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,}`, "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-none-"),
		Token("openai-key", KindAPIKey, `sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|sk-[A-Za-z0-9]{48}`, "sk-"),
		Token("deepseek-key", KindAPIKey, `sk-[a-z0-9]{32}`, "sk-"),
		Token("huggingface-token", KindToken, `hf_[A-Za-z0-9]{34}`, "hf_").Looking(look.TokenLetters),
		Token("huggingface-org-token", KindToken, `api_org_[A-Za-z0-9]{34}`, "api_org_"),
		Token("replicate-token", KindToken, `r8_[A-Za-z0-9_-]{37}`, "r8_"),
		Near("cohere-key", KindAPIKey, `[A-Za-z0-9]{40}`, "cohere", "co_api_key"),
		Token("groq-key", KindAPIKey, `gsk_[A-Za-z0-9]{50,54}`, "gsk_"),
		Token("perplexity-key", KindAPIKey, `pplx-[A-Za-z0-9]{48}`, "pplx-"),
		Token("xai-key", KindAPIKey, `xai-[A-Za-z0-9_-]{70,}`, "xai-"),
		Near("mistral-key", KindAPIKey, `[A-Za-z0-9]{32}`, "mistral"),
		Token("llamaindex-key", KindAPIKey, `llx-[A-Za-z0-9_-]{48}`, "llx-"),
		Near("together-key", KindAPIKey, `[a-fA-F0-9]{64}|tgp_v1_[A-Za-z0-9_-]{40,}`, "together"),
		Token("together-key-new", KindAPIKey, `tgp_v1_[A-Za-z0-9_-]{43}`, "tgp_v1_"),
		Token("fireworks-key", KindAPIKey, `fw_[A-Za-z0-9]{22,24}`, "fw_"),
		Token("elevenlabs-key", KindAPIKey, `sk_[a-fA-F0-9]{48}`, "sk_"),
		Token("langsmith-key", KindAPIKey, `lsv2_(?:pt|sk)_[a-fA-F0-9]{32}_[a-fA-F0-9]{10}|ls__[a-f0-9]{32}`, "lsv2_", "ls__"),
		Token("langfuse-key", KindAPIKey, `sk-lf-`+uuid, "sk-lf-"),
		Token("pinecone-key", KindAPIKey, `pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{63}`, "pcsk_"),
		Token("nvidia-key", KindAPIKey, `nvapi-[A-Za-z0-9_-]{60,64}`, "nvapi-"),
		Near("wandb-key", KindAPIKey, `[a-fA-F0-9]{40}`, "wandb", "weights_and_biases"),
		Token("voyage-key", KindAPIKey, `pa-[A-Za-z0-9_-]{43}`, "pa-"),
		Token("jina-key", KindAPIKey, `jina_[A-Za-z0-9]{32}[A-Za-z0-9_-]{28}`, "jina_"),
		Token("tavily-key", KindAPIKey, `tvly-(?:(?:dev|prod)-[A-Za-z0-9-]{28,}|[A-Za-z0-9]{32})`, "tvly-"),
		Token("devin-key", KindAPIKey, `apk_(?:user_[A-Za-z0-9+/]{120,180}|[A-Za-z0-9+/]{80,100})={0,2}`, "apk_"),
		Token("devin-token", KindToken, `cog_[a-z0-9]{52}`, "cog_"),
		Token("cerebras-key", KindAPIKey, `csk-[A-Za-z0-9]{48}`, "csk-"),
		Token("cursor-key", KindAPIKey, `key_[a-f0-9]{64}`, "key_"),
		Token("photoroom-key", KindAPIKey, `sk_pr_(?:[a-z0-9]{1,20}_)?[a-f0-9]{40}`, "sk_pr_"),
		Near("stability-key", KindAPIKey, `sk-[A-Za-z0-9]{40,}`, "stability"),
		Near("assemblyai-key", KindAPIKey, `[a-fA-F0-9]{32}`, "assemblyai", "assembly_ai"),
		Near("deepgram-key", KindAPIKey, `[a-fA-F0-9]{40}`, "deepgram"),
	}
}
