package secret

import "ken/internal/engine/source/secret/look"

// paymentRules are payment providers and shops.
func paymentRules() []rule {
	return []rule{
		token("stripe-key", KindAPIKey, `(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,}`, "sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_"),
		token("stripe-webhook-secret", KindSecret, `whsec_[A-Za-z0-9+/=]{24,}`, "whsec_"),
		token("square-token", KindToken, `sq0atp-[A-Za-z0-9_-]{22}|EAAA[A-Za-z0-9_-]{60}`, "sq0atp-", "eaaa"),
		token("square-secret", KindSecret, `sq0csp-[A-Za-z0-9_-]{43}`, "sq0csp-"),
		token("braintree-token", KindToken, `access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}`, "access_token$"),
		near("braintree-key", KindAPIKey, `[0-9a-f]{32}`, "braintree"),
		near("paypal-secret", KindSecret, `E[A-Za-z0-9_-]{79}`, "paypal", "client_secret"),
		token("adyen-key", KindAPIKey, `AQE[a-z][A-Za-z0-9+/=-]{80,}`, "aqe"),
		token("shopify-token", KindToken, `shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}`, "shpat_", "shpca_", "shppa_", "shpss_", "shptka_"),
		token("plaid-token", KindToken, `access-(?:sandbox|development|production)-`+uuid, "access-sandbox-", "access-development-", "access-production-"),
		near("plaid-secret", KindSecret, `[a-f0-9]{30}`, "plaid"),
		token("razorpay-key", KindAPIKey, `rzp_(?:live|test)_[A-Za-z0-9]{14}`, "rzp_live_", "rzp_test_"),
		token("flutterwave-key", KindAPIKey, `FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,32}(?:-X)?`, "flwseck"),
		token("easypost-key", KindAPIKey, `EZ[AT]K[A-Za-z0-9]{54}`, "ezak", "eztk"),
		token("duffel-token", KindToken, `duffel_(?:test|live)_[A-Za-z0-9_-]{43}`, "duffel_"),
		token("shippo-token", KindToken, `shippo_(?:live|test)_[a-f0-9]{40}`, "shippo_"),
		token("gocardless-token", KindToken, `(?:live|sandbox)_[A-Za-z0-9_-]{40}`, "live_", "sandbox_").looking(look.Mixed),
		token("mollie-key", KindAPIKey, `(?:live|test)_[A-Za-z0-9]{30,35}`, "live_", "test_").looking(look.Mixed),
		token("paddle-key", KindAPIKey, `pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}`, "pdl_live_", "pdl_sdbx_"),
		near("coinbase-token", KindToken, `[A-Za-z0-9_-]{64}`, "coinbase"),
		near("binance-key", KindAPIKey, `[A-Za-z0-9]{64}`, "binance"),
		near("kraken-key", KindAPIKey, `[A-Za-z0-9/+=]{56,90}`, "kraken"),
	}
}
