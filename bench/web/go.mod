module ken/bench/web

go 1.26.0

require (
	github.com/chromedp/chromedp v0.14.1
	github.com/evanw/esbuild v0.25.10
)

require golang.org/x/sys v0.34.0 // indirect
