// Command web tries ken's pages in Chromium. It is a module of its own, because ken is built without a browser.
//
//	cd bench/web && go run . -ken PROGRAM -shots FOLDER NAME=REPOSITORY…   pictures of views in both themes and two widths
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ken := flag.String("ken", "ken", "the program")
	shots := flag.String("shots", "", "`FOLDER` that pictures are written to")
	pick := flag.String("pick", "", "views that are pictured, by commas; all without it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := takeShots(ctx, *ken, *shots, *pick, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "web:", err)
		os.Exit(1)
	}
}
