package rules

import "ken/internal/engine/source/secret/look"

// paymentRules returns the rules of payment providers and shops.
func paymentRules() []Rule {
	return []Rule{
		Token("stripe-key", KindAPIKey, `sk_live_[A-Za-z0-9-]{93}|[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}`, "sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"),
		Token("stripe-webhook-secret", KindSecret, `whsec_[A-Za-z0-9+/=]{24,}`, "whsec_"),
		Token("square-token", KindToken, `(?:sq0atp-|EAAA)[A-Za-z0-9_-]{22,60}`, "sq0atp-", "eaaa").When(inShortRun),
		Token("square-secret", KindSecret, `sq0csp-[A-Za-z0-9_-]{43}`, "sq0csp-"),
		Token("square-key", KindAPIKey, `sq0c(?:[a-rt-z][a-z]|s[a-oq-z])-[A-Za-z0-9_-]{40,50}|sq0i[a-z]{2}-[A-Za-z0-9_-]{22,43}`, "sq0"),
		Token("braintree-token", KindToken, `access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}`, "access_token$"),
		Near("braintree-key", KindAPIKey, `[0-9a-fA-F]{32}`, "braintree"),
		Near("paypal-secret", KindSecret, `E[A-Za-z0-9_-]{79}`, "paypal", "client_secret"),
		Token("adyen-key", KindAPIKey, `AQE[a-z][A-Za-z0-9+/=-]{80,}`, "aqe"),
		Token("shopify-token", KindToken, `shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{30,34}`, "shpat_", "shpca_", "shppa_", "shpss_", "shptka_"),
		Token("plaid-token", KindToken, `access-(?:sandbox|development|production)-`+uuid, "access-sandbox-", "access-development-", "access-production-"),
		Near("plaid-secret", KindSecret, `[a-fA-F0-9]{30}`, "plaid"),
		Token("razorpay-key", KindAPIKey, `rzp_(?:live|test)_[A-Za-z0-9]{14}`, "rzp_live_", "rzp_test_"),
		Token("flutterwave-key", KindAPIKey, `FLWSECK_TEST-(?:[A-Ha-h0-9]{32}-X|[A-Ha-h0-9]{12})|FLWSECK-[0-9a-z]{32}-X`, "flwseck"),
		Token("easypost-key", KindAPIKey, `EZ[AT]K[A-Za-z0-9]{54}`, "ezak", "eztk"),
		Token("duffel-token", KindToken, `duffel_(?:test|live)_[A-Za-z0-9_=-]{43}`, "duffel_"),
		Token("shippo-token", KindToken, `shippo_(?:live|test)_[a-fA-F0-9]{40}`, "shippo_"),
		Token("gocardless-token", KindToken, `(?:live|sandbox)_[A-Za-z0-9_-]{40}`, "live_", "sandbox_").Looking(look.Mixed).When(beginsWord),
		Token("mollie-key", KindAPIKey, `(?:live|test)_[A-Za-z0-9]{30,35}`, "live_", "test_").Looking(look.Mixed).When(beginsWord),
		Token("pagarme-key", KindAPIKey, `ak_(?:live|test)_[A-Za-z0-9]{30}`, "ak_live_", "ak_test_"),
		Token("paddle-key", KindAPIKey, `pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}`, "pdl_live_", "pdl_sdbx_"),
		Near("coinbase-token", KindToken, `[A-Za-z0-9_-]{64}`, "coinbase"),
		Near("binance-key", KindAPIKey, `[A-Za-z0-9]{64}`, "binance"),
		Near("kraken-key", KindAPIKey, `[A-Za-z0-9/+=]{56,90}`, "kraken"),
	}
}
