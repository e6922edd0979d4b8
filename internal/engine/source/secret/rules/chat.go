package rules

import "ken/internal/engine/source/secret/look"

// chatRules returns the rules of messengers and their incoming webhooks.
func chatRules() []Rule {
	return []Rule{
		Token("slack-config-token", KindToken, `xoxe\.xox(?i:[bp])-\d-[A-Za-z0-9]{100,}`, "xoxe.xox"),
		Token("slack-token", KindToken, `xox(?i:[abeoprs])-(?:[0-9A-Za-z]+-)*[0-9A-Za-z-]{16,}`, "xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-").Looking(look.Mixed),
		Token("slack-session-token", KindToken, `xox[cd]-[A-Za-z0-9%-]{20,}`, "xoxc-", "xoxd-"),
		Token("slack-app-token", KindToken, `xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}`, "xapp-"),
		Token("slack-token-short", KindToken, `(?:xox(?i:[a-z])|xapp)-[0-9A-Za-z-]{10,}`, "xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-").Looking(look.Mixed),
		Token("slack-webhook", KindCredential, `hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9_]{8,}/[A-Za-z0-9_]{8,}/[A-Za-z0-9/_]{16,}|[A-Za-z0-9]{40,60})`, "hooks.slack.com/"),
		TokenAround("discord-bot-token", KindToken, 45, `[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.(?:[A-Za-z0-9_-]{38}|[A-Za-z0-9_-]{27})`, ".").When(dotAt(7)),
		Near("discord-client-secret", KindSecret, `[A-Za-z0-9_-]{32}`, "discord"),
		Token("discord-webhook", KindCredential, `discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(\d{10,}/[A-Za-z0-9_-]{30,})`, "discord.com/api/", "discordapp.com/api/"),
		TokenAround("telegram-bot-token", KindToken, 13, `(?:bot)?(\d{8,10}:A[A-Za-z0-9_-]{33,34})`, ":a").When(DigitsBefore),
		Token("teams-webhook", KindCredential, `webhook(?:b2)?/(`+anyUUID+`@`+anyUUID+`/(?i:incomingwebhook)/[A-Za-z0-9]{32}/`+anyUUID+`(?:/[A-Za-z0-9_-]+)?)`, "webhookb2/", "webhook/"),
		Token("power-automate-webhook", KindCredential, `logic\.azure\.com[^\s"'<>]{0,240}[?&]sig=([A-Za-z0-9_%-]{40,})`, "logic.azure.com"),
		Token("tines-webhook", KindCredential, `tines\.com/webhook/[A-Za-z0-9]{32}/([A-Za-z0-9]{32})`, "tines.com/webhook/"),
		Token("zapier-webhook", KindCredential, `hooks\.zapier\.com/hooks/catch/(\d{4,}/[A-Za-z0-9]{6,}|[A-Za-z0-9]{16})`, "hooks.zapier.com/"),
		Token("thingsboard-token", KindToken, `thingsboard\.[a-z]{2,10}/api/v1/([A-Za-z0-9]{20})/`, "thingsboard."),
		Token("google-chat-webhook", KindCredential, `chat\.googleapis\.com/v1/spaces/[A-Za-z0-9_-]+/messages\?(key=[A-Za-z0-9_%&=-]{40,})`, "chat.googleapis.com/"),
		Token("feishu-webhook", KindCredential, `open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/(`+uuid+`)`, "open.feishu.cn/", "open.larksuite.com/"),
		Token("dingtalk-webhook", KindCredential, `oapi\.dingtalk\.com/robot/send\?access_token=([a-f0-9]{64})`, "oapi.dingtalk.com/"),
		Token("wecom-webhook", KindCredential, `qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=(`+uuid+`)`, "qyapi.weixin.qq.com/"),
		Token("twilio-key", KindAPIKey, `SK[0-9a-fA-F]{32}`, "sk").When(hexAfter),
		Token("twilio-account-sid", KindCredential, `AC[0-9a-fA-F]{32}`, "ac").When(hexAfter),
		Near("twilio-auth-token", KindToken, `[0-9a-fA-F]{32}`, "twilio"),
		Near("zoom-secret", KindSecret, `[A-Za-z0-9]{32}`, "zoom_client", "zoom_secret", "zoom_api"),
		Near("telegram-bot-token-named", KindToken, `\d{8,10}:[A-Za-z0-9_-]{35}`, "telegram", "tgram"),
		Near("mattermost-token", KindToken, `[a-z0-9]{26}`, "mattermost"),
		Near("line-token", KindToken, `[A-Za-z0-9+/]{170,}={0,2}|[0-9a-fA-F]{32}`, "line_channel", "channel_secret", "channelsecret", "channel_access"),
	}
}
