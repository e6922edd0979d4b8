package rules

import (
	"strings"

	"ken/internal/engine/source/secret/look"
)

// vendorKey returns the rule of vendors whose keys have no shape of their own, and whose names are no words: a random value that is
// assigned to such a name, even without a word for key or secret, is a key.
func vendorKey() Rule {
	r := Near("vendor-key", KindAPIKey, `[A-Za-z0-9_~.+/=$%!-]{16,}`, strings.Fields(vendorNames)...).Looking(look.VendorKey)
	r.Plain = true
	return r
}

// vendorKeyBeside returns the rule of the same vendors for prose and messages that name the key beside its vendor: toggl-KEY-v, luno
// secret key v.
func vendorKeyBeside() Rule {
	const (
		word  = `(?i:[\w .-]{3,32}?(?:key|token|secret|access|private))[\w -]{0,12}?`
		value = `["']?([A-Za-z0-9_+/=-]{16,})`
		expr  = word + `(?:[ ./:=+-]{1,4}|[ \t]*\r?\n[ \t]*)` + value + `|[A-Za-z0-9]{3,32}-(` + randomUUID + `)`
	)
	return Token("vendor-key-beside", KindAPIKey, expr, strings.Fields(vendorNames)...).Looking(look.NamedVendorKey)
}

// vendorNames are the names of those vendors, as public rule sets list them.
const vendorNames = `
abstractapi abuseipdb abyssale accuweather adzuna aeroworkflow airbrake airvisual alconost alegra alienvault amadeus anypoint apacta
apiflash apifonica apify apilayer apimatic apimetrics apitemplate appcues appfollow appointedd appsynergy apptivo atera autoklose avaza
aviationstack axonaut aylien ayrshare baremetrics beamer beebole billomat bitbar bitcoinaverage bitfinex bitmex blazemeter blitapp
blocknative bombbomb boostnote borgbase brandfetch browserstack browshot bscscan buddyns budibase bugherd bulksms buttercms caflou
calendarific calorieninja campayn cannyio capsulecrm captaindata carboninterface cashboard caspio censys centralstationcrm cexio
chartmogul chatfuel chatfule checio checklyhq checkvist clarifai clearbit clickhelp clicksend cliengo clientary clinchpad clockify
clockworksms closecrm cloudconvert cloudelements cloudimage cloudmersive cloudplan cloudsight cloverly clustdoc codacy
codemagic codequiry coinapi coinlayer coinlib collect2 commercejs companyhub convertapi convertkit convier couchbase countrylayer
coveralls craftmypdf crowdin cryptocompare currencycloud currencyfreaks currencyscoop customerguru customerio d7network dailyco dareboost
databox datadog datagov debounce deepai detectify detectlanguage dfuse diffbot docparser documo dotdigital dovico dronahq duply dwolla
dynalist dyspatch eagleeyenetworks easyinsight ecostruxureit edamam edenai eightxeight elasticemail enablex ethplorer eventbrite everhour
faceplusplus fastforex fetchrss fibery fileio finage financialmodelingprep findl finicity finnhub fixerio flatio fleetbase flickr
flightapi flightlabs flightstats flowflu formbucket formcraft foursquare fullstory fxmarket geckoboard gengo geocodify geocodio geoipify
getemail getgeoapi getgist getresponse gitter glassnode glitterly goodday graphcms graphhopper groovehq gtmetrix gumroad gyazo happyscribe
hellosign helpcrunch helpscout hereapi hiveage holidayapi html2pdf hybiscus hypertrack iconfinder iexcloud imagekit imagga insightly
instabot instamojo interseller intrinio invoiceocean ipgeolocation ipify ipinfo ipquality jotform jumpcloud jupiterone kanbantool karmacrm
keenio kickbox knapsackpro kontent kucoin kylas languagelayer leadfeeder lemlist lendflow lessannoyingcrm lexigram linenotify linkpreview
liveagent livestorm loadmill locationiq loginradius lokalise loyverse lunchmoney luno madkudu magicbell mailboxlayer mailerlite mailjet
mailmodo mailsac mapquest marketstack mavenlink meaningcloud mediastack meistertask mesibo metaapi metabase metrilo mindmeister mixmax
mockaroo monkeylearn moonclerk moosend moralis mrticktock myfreshworks nasdaqdatalink nethunt netsuite neutrinoapi newsapi newscatcher
nftport nicereply nozbeteams numverify nutritionix nylas nytimes oanda omnisend onedesk onelogin onepagecrm onesignal onfleet oopspam
opencage openuv openweather optimizely owlbot packagecloud pagarme pandadoc pandascore paperform paralleldots parsehub parseur particleio
partnerstack paydirtapp paymo paystack pdflayer pdfshift peopledatalabs pepipost pinata pipedream pipedrive pivotaltracker pixabay
planviewleankit planyo plivo podio poloniex positionstack postageapp postbacks powrbot prodpad prospectcrm proxycrawl pubnub purestake
pushbullet pyowm qualaroo qubole quickmetrics railway rapidapi reachmail reallysimplesystems rebrandly rechargepayments refiner rentman
repairshopr replyio requestfinance restpack revampcrm ringcentral ritekit robinhoodcrypto rocketreach rockset route4me rownd runrunit
salesblink salescookie salesflare salesmate saucelabs scalr scrapeowl scraperapi scraperbox scrapestack scrapfly scraping_bee scrapingant
scrapingbee screenshotapi screenshotlayer scrutinizerci securitytrails selectpdf sendbird serphouse serpstack sheety sherpadesk shipday
shotstack shutterstock signable signalwire signaturit signupgenius sigopt simfin simplesat simplynoted simvoly sinchmessage siteleaf
skrappio skybiometry smartsheet smartystreets smooch snipcart speechtext spoonacular sportsmonk squarespace sslmate statuscake statuspage
statuspal stitchdata stockdata storecove stormboard stormglass storyblok storychief strava stytch sugester supernotes surveyanyplace
surveybot surveysparrow survicate swiftype tallyfy tatum taxjar teamgate teamworkcrm teletype telnyx testingbot textmagic thinkific
thousandeyes ticketmaster tiingo timecamp timezoneapi tmetric todoist toggl tokeet tomorrowio tomtom tradier transferwise travelpayouts
twelvedata tyntec typetalk uclassify unifyid unplugg unsplash upcdatabase uplead uploadcare uptimerobot upwave urlscan userflow userstack
vagrantcloud vatlayer vbout verimail veriphone versioneye viewneo visualcrossing voicegain voodoosms vouchery walkscore weatherbit
weatherstack web3storage webexbot webscraper websitepulse wepay whoxy wistia worksnaps workstack worldcoinindex worldweather wrike
youneedabudget yousign zapierwebhook zenrows zenscrape zenserp zeplin zerobounce zerotier zipbooks zipcodeapi zipcodebase zohocrm
zonkafeedback
`
