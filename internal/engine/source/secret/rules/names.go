package rules

import (
	"strings"

	"ken/internal/engine/source/secret/look"
)

// vendorKey is the rule of vendors whose keys have no shape of their own, and whose names are no words: a random value that is given to
// such a name, without a word for key or secret, is a key.
func vendorKey() Rule {
	r := Near("vendor-key", KindAPIKey, `[A-Za-z0-9_~.+/=$%!-]{16,160}`, strings.Fields(vendorNames)...).Looking(look.VendorKey)
	r.Plain = true
	return r
}

// vendorKeyBeside is the rule of the same vendors where prose or a message names the key beside its vendor: toggl-KEY-v, luno secret key v.
func vendorKeyBeside() Rule {
	const expr = `(?i:[\w .-]{3,32}?(?:key|token|secret|access|private))[\w -]{0,12}?[ ./:=+-]{1,3}["']?([A-Za-z0-9_+/=-]{20,160})`
	return Token("vendor-key-beside", KindAPIKey, expr, strings.Fields(vendorNames)...).Looking(look.VendorKey)
}

// vendorNames are the names of those vendors, as public rule sets list them.
const vendorNames = `
abstractapi abuseipdb accuweather adzuna airbrake airvisual alconost alegra alienvault amadeus anypoint apifonica apify apiflash apilayer apimatic
apimetrics apitemplate appcues appfollow appointedd appsynergy autoklose avaza aviationstack axonaut aylien ayrshare baremetrics beamer beebole
bitmex blazemeter blocknative bombbomb browserstack browshot buddyns bugherd bulksms buttercms calendarific campayn centralstationcrm capsulecrm captaindata
cashboard caspio chartmogul chatfuel clarifai clearbit clickhelp clicksend cliengo clockify cloudconvert cloudimage cloudmersive cloudsmith
cloverly clustdoc codacy codemagic codequiry coinapi coveralls coinlayer coinlib collect2 commercejs convertapi convertkit couchbase currencyfreaks
customerguru d7network dareboost datadog datagov debounce deepai detectify detectlanguage dfuse diffbot docparser documo dotdigital dovico dronahq
duply dwolla dynalist easyinsight edamam elasticemail enablex ethplorer eventbrite everhour faceplusplus fastforex finage findl finnhub
fixerio flatio flickr flightapi flightstats formbucket formcraft foursquare fullstory geckoboard geocodify geocodio geoipify getgeoapi
getgist getresponse gitter glassnode glitterly graphcms graphhopper gtmetrix gumroad gyazo happyscribe hellosign helpcrunch helpscout
hereapi hiveage holidayapi hybiscus hypertrack iconfinder iexcloud imagekit imagga instabot interseller intrinio invoiceocean ipgeolocation ipify
ipinfo ipquality jotform jumpcloud karmacrm keenio kickbox kontent kucoin languagelayer leadfeeder lemlist lessannoyingcrm lexigram
linkpreview liveagent livestorm locationiq loginradius lokalise loyverse luno mailboxlayer mailerlite mailjet mailmodo mailsac mapquest marketstack
mavenlink mediastack meistertask metaapi metabase metrilo mindmeister mixmax mockaroo monkeylearn moonclerk moosend moralis mrticktock
nasdaqdatalink nethunt neutrinoapi newsapi newscatcher nftport nicereply numverify nutritionix nylas nytimes omnisend onelogin onepagecrm
onesignal oopspam opencage openuv openweather optimizely owlbot packagecloud pandadoc pandascore paperform paralleldots parsehub parseur
partnerstack paymo paystack pdflayer pdfshift peopledatalabs pepipost pipedream pipedrive pivotaltracker pixabay planviewleankit planyo plivo
podio poloniex positionstack postageapp postbacks powrbot prospectcrm proxycrawl pubnub purestake pushbullet pyowm qualaroo qubole quickmetrics
railway rapidapi rebrandly refiner rentman repairshopr restpack ringcentral ritekit rocketreach rockset route4me rownd runrunit salesblink
salescookie salesflare saucelabs scalr scrapeowl scraperapi scraperbox scrapestack scrapfly scrapingant scrapingbee scraping_bee
screenshotapi screenshotlayer securitytrails sendbird serphouse serpstack sherpadesk shipday shotstack shutterstock signable signaturit
signupgenius sigopt simfin simplesat simvoly sinchmessage siteleaf skrappio skybiometry smartsheet smartystreets smooch snipcart speechtext
spoonacular sportsmonk squarespace sslmate statuspage statuspal stitchdata stockdata storecove stormboard stormglass storyblok storychief
strava stytch sugester supernotes surveybot surveysparrow survicate swiftype tatum taxjar teamgate telnyx testingbot textmagic thinkific
thousandeyes ticketmaster tiingo timecamp timezoneapi toggl tomorrowio tomtom tradier transferwise travelpayouts twelvedata tyntec typetalk
uclassify unplugg unsplash upcdatabase uplead uploadcare uptimerobot urlscan userstack vatlayer versioneye viewneo visualcrossing voicegain
voodoosms vouchery walkscore weatherbit weatherstack web3storage webscraper websitepulse wepay whoxy worksnaps worldcoinindex worldweather wrike
youneedabudget yousign zapierwebhook zenrows zenscrape zenserp zeplin zerobounce zerotier zipbooks zipcodeapi zipcodebase zonkafeedback
`
