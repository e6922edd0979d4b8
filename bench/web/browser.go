package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// pages is a running ken web.
type pages struct {
	base string // address of the first page, without the token
	full string // with the token
	cmd  *exec.Cmd
}

// serve starts ken web in a folder.
func serve(ctx context.Context, ken, folder string) (*pages, error) {
	cmd := exec.CommandContext(ctx, ken, "web")
	cmd.Dir = folder
	errs, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(errs); lines.Scan(); {
		if full, ok := strings.CutPrefix(lines.Text(), "ken: open "); ok {
			go io.Copy(io.Discard, errs)
			base, _, _ := strings.Cut(full, "#")
			return &pages{base: base, full: full, cmd: cmd}, nil
		}
	}
	return nil, fmt.Errorf("ken web in %s ended before it served: %w", folder, cmd.Wait())
}

func (p *pages) end() {
	p.cmd.Process.Signal(os.Interrupt)
	p.cmd.Wait()
}

// enter starts ken web in a folder and signs in with a tab of Chromium; end ends both.
func enter(ctx context.Context, ken, folder string) (p *pages, b *browser, end func(), err error) {
	p, err = serve(ctx, ken, folder)
	if err != nil {
		return nil, nil, nil, err
	}
	b, endBrowser, err := open(ctx, p.base)
	if err != nil {
		p.end()
		return nil, nil, nil, err
	}
	end = func() {
		endBrowser()
		p.end()
	}
	if err := b.signIn(p); err != nil {
		end()
		return nil, nil, nil, err
	}
	return p, b, end, nil
}

// browser is a tab of Chromium that counts what should not happen.
type browser struct {
	ctx context.Context

	mu      sync.Mutex // guards the fields below
	reports []string   // of the content security policy, and errors of scripts
	strange []string   // requests that leave the server
	base    string
}

// open starts Chromium; end ends it.
func open(ctx context.Context, base string) (b *browser, end func(), err error) {
	opt := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, chromedp.Flag("force-color-profile", "srgb"), chromedp.Flag("disable-lcd-text", true),
		chromedp.Flag("font-render-hinting", "none"),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("disable-features", "Translate,BackForwardCache"))
	all, endAll := chromedp.NewExecAllocator(ctx, opt...)
	tab, endTab := chromedp.NewContext(all, chromedp.WithErrorf(func(string, ...any) {}))
	b = &browser{ctx: tab, base: base}
	chromedp.ListenTarget(tab, b.note)
	if err := chromedp.Run(tab, network.Enable(), log.Enable(), runtime.Enable()); err != nil {
		endTab()
		endAll()
		return nil, nil, fmt.Errorf("start Chromium: %w", err)
	}
	return b, func() { endTab(); endAll() }, nil
}

func (b *browser) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		if e.Entry.Source == log.SourceSecurity || strings.Contains(e.Entry.Text, "Content Security Policy") {
			b.reports = append(b.reports, e.Entry.Text)
		}
	case *runtime.EventExceptionThrown:
		b.reports = append(b.reports, e.ExceptionDetails.Error())
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, b.base) && !strings.HasPrefix(e.Request.URL, "data:") && e.Request.URL != "about:blank" {
			b.strange = append(b.strange, e.Request.URL)
		}
	}
}

// taken returns the reports and strange requests so far, and forgets them.
func (b *browser) taken() (reports, strange []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	reports, strange = b.reports, b.strange
	b.reports, b.strange = nil, nil
	return reports, strange
}

// signIn opens the address with the token and waits for the first page.
func (b *browser) signIn(p *pages) error {
	if err := chromedp.Run(b.ctx, chromedp.Navigate(p.full), chromedp.WaitVisible("header.top", chromedp.ByQuery)); err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	return nil
}

// size sets the window, and the theme that the system prefers.
func (b *browser) size(width, height int, theme string) error {
	return chromedp.Run(b.ctx, emulation.SetDeviceMetricsOverride(int64(width), int64(height), 1, false),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}))
}

// visit opens a page.
func (b *browser) visit(p *pages, path string) error {
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	if err := chromedp.Run(ctx, chromedp.Navigate(p.base+path), chromedp.WaitReady("#main", chromedp.ByQuery)); err != nil {
		return fmt.Errorf("visit %s: %w", path, err)
	}
	return nil
}

// eval runs a script that tests need; the pages' own policy does not hold for it.
func (b *browser) eval(script string, into any) error {
	await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
	return chromedp.Run(b.ctx, chromedp.Evaluate(script, into, await))
}

func query(view string, pairs ...string) string {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	if len(v) == 0 {
		return view
	}
	return view + "?" + v.Encode()
}
