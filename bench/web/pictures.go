package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/chromedp/chromedp"
)

// Pictures are compared at an eighth of their width and height: a pixel is the mean of 64. That keeps the 32 files small, ignores how an
// edge is smoothed, and still differs where a column moves by three pixels or a mark has another colour. A hash would have to be made anew
// with each release of Chromium.
const (
	shrink     = 8
	mostOff    = 8 // by which a channel of a pixel may differ, of 255
	mostPixels = 6 // that may differ by more
)

// pictureFolder has the pictures that were looked at.
const pictureFolder = "bench/web/pictures"

// pictureFonts is the folder of the only font that pages are pictured in, from Debian's fonts-dejavu-core.
const pictureFonts = "/usr/share/fonts/truetype/dejavu"

// makeShelf makes the project of a txtar archive, whose files below 2/ and 3/ are those of later commits. Dates are fixed.
func makeShelf(ctx context.Context, ken, archive, scratch string) (string, error) {
	b, err := os.ReadFile(archive)
	if err != nil {
		return "", err
	}
	root := filepath.Join(scratch, "shelf")
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", err
	}
	run := func(day int, name string, args ...string) error {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir = root
		date := fmt.Sprintf("2024-03-%02dT12:00:00Z", day)
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s %q: %w\n%s", name, args, err, out)
		}
		return nil
	}
	if err := run(1, "git", "init", "-q"); err != nil {
		return "", err
	}
	parts := regexp.MustCompile(`(?m)^-- (?:(\d)/)?(.+) --\n`).FindAllStringSubmatchIndex(string(b), -1)
	for day := 1; day <= 3; day++ {
		for i, p := range parts {
			end := len(b)
			if i+1 < len(parts) {
				end = parts[i+1][0]
			}
			if of := strings.TrimSpace("1" + string(b[max(p[2], 0):max(p[3], 0)])); of[len(of)-1] != byte('0'+day) {
				continue
			}
			at := filepath.Join(root, string(b[p[4]:p[5]]))
			if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, b[p[1]:end], 0o644)); err != nil {
				return "", err
			}
		}
		commit := []string{"-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", fmt.Sprintf("shelf: change %d", day)}
		if err := errors.Join(run(day, "git", "add", "-A"), run(day, "git", commit...)); err != nil {
			return "", err
		}
	}
	return root, run(3, ken, "init")
}

// useOneFont has Chromium know one font alone, whatever the machine has.
func useOneFont(scratch string) error {
	if _, err := os.Stat(filepath.Join(pictureFonts, "DejaVuSans.ttf")); err != nil {
		return fmt.Errorf("Debian's fonts-dejavu-core is needed: %w", err)
	}
	config := filepath.Join(scratch, "fonts.conf")
	text := `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig><dir>` + pictureFonts +
		`</dir><cachedir>` + scratch + `</cachedir></fontconfig>`
	return errors.Join(os.WriteFile(config, []byte(text), 0o644), os.Setenv("FONTCONFIG_FILE", config))
}

// shrunk returns a picture with a pixel for the mean of each square.
func shrunk(b []byte) (*image.NRGBA, error) {
	full, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	size := full.Bounds().Size().Div(shrink)
	out := image.NewNRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			var r, g, b uint32
			for i := range shrink * shrink {
				cr, cg, cb, _ := full.At(x*shrink+i%shrink, y*shrink+i/shrink).RGBA()
				r, g, b = r+cr>>8, g+cg>>8, b+cb>>8
			}
			const n = shrink * shrink
			out.SetNRGBA(x, y, color.NRGBA{uint8(r / n), uint8(g / n), uint8(b / n), 255})
		}
	}
	return out, nil
}

// difference returns the number of pixels that differ.
func difference(a, b *image.NRGBA) int {
	if a.Rect != b.Rect {
		return len(a.Pix)
	}
	n := 0
	for i := 0; i < len(a.Pix); i += 4 {
		for c := range 3 {
			if d := int(a.Pix[i+c]) - int(b.Pix[i+c]); max(d, -d) > mostOff {
				n++
				break
			}
		}
	}
	return n
}

// pictured are the views of which pictures are kept.
func pictured() []shot {
	return []shot{
		{"overview", ""}, {"search", query("search", "q", "openStore")}, {"file", query("file", "path", "src/store.ts")},
		{"symbol", query("symbol", "name", "openStore")}, {"impact", query("impact", "t", "src/store.ts")}, {"deps", "deps"}, {"hotspots", "hotspots"}, {"time", "time"},
	}
}

// damages are rules of style that a picture of a view has to show.
func damages() []struct{ name, view, rule string } {
	return []struct{ name, view, rule string }{
		{"colour of links", "file", "main a { color: #2f6fd0 !important }"}, {"contrast of quiet text", "search", ".quiet { color: #b9b9b9 !important }"},
		{"overflow of a card", "overview", ".card { min-width: 1500px }"}, {"column shifted by 3 px", "hotspots", "td.num { position: relative; left: 3px }"},
		{"order of cards", "impact", ".columns { direction: rtl }"}, {"labels of figures lost", "file", ".figures dt { visibility: hidden }"},
		{"shade of tiles", "overview", "rect.s0, rect.s1 { fill: #888 !important }"}, {"larger text", "time", "body { font-size: 16px }"},
		{"marks that lead back look like others", "deps", ".back { fill: #3560ad !important }"}, {"tags lost", "search", ".tag { display: none }"},
		{"heading lost", "impact", "h1 { visibility: hidden }"}, {"letters of confidence lost", "symbol", ".tier { visibility: hidden }"},
		{"tiles shifted by 20 px", "overview", ".treemap rect { transform: translate(20px, 0) }"}, {"ground of cards", "time", ".card { background: #f2f2f2 !important }"},
		{"points lost", "hotspots", ".points circle { r: 0 }"}, {"lines of source closer", "file", ".source code { line-height: 1.5 !important }"},
	}
}

// checkPictures compares pictures of views with those that were looked at, or writes them with -update, and sees that damages are noticed.
func (t *table) checkPictures(ctx context.Context, opt *options, scratch string) error {
	if err := useOneFont(scratch); err != nil {
		return err
	}
	folder, err := makeShelf(ctx, opt.ken, "internal/app/testdata/pages.txtar", scratch)
	if err != nil {
		return err
	}
	p, b, end, err := enter(ctx, opt.ken, folder)
	if err != nil {
		return err
	}
	defer end()
	var differ []string
	for _, theme := range []string{"light", "dark"} {
		for _, size := range [][2]int{{1280, 1200}, {390, 1600}} {
			if err := b.size(size[0], size[1], theme); err != nil {
				return err
			}
			for _, s := range pictured() {
				name := fmt.Sprintf("%s-%s-%d", s.name, theme, size[0])
				off := mostPixels + 1
				for try := 0; try < 3 && off > mostPixels; try++ { // on a busy machine a page may be pictured before it is whole
					if off, err = b.comparePicture(p, opt, s.path, name, ""); err != nil {
						return err
					}
				}
				if off > mostPixels {
					differ = append(differ, fmt.Sprintf("%s by %d pixels", name, off))
				}
			}
		}
	}
	t.add(len(differ) == 0, "pictures of 8 views, two themes, two widths", "equal", "%d differ %.300q", len(differ), differ)
	var unnoticed []string
	if err := b.size(1280, 1200, "light"); err != nil {
		return err
	}
	for _, d := range damages() {
		for _, s := range pictured() {
			if s.name != d.view {
				continue
			}
			off, err := b.comparePicture(p, &options{}, s.path, s.name+"-light-1280", d.rule)
			if err != nil {
				return err
			}
			if off <= mostPixels {
				unnoticed = append(unnoticed, d.name)
			}
		}
	}
	noticed := len(damages()) - len(unnoticed)
	t.add(len(unnoticed) == 0, "damages of the style that pictures show", "all", "%d of %d %.200q", noticed, len(damages()), unnoticed)
	return nil
}

// comparePicture returns how many pixels of a page differ from its picture, after a rule of style was added. With -update it writes the
// picture.
func (b *browser) comparePicture(p *pages, opt *options, path, name, rule string) (off int, err error) {
	if err := b.visit(p, path); err != nil {
		return 0, err
	}
	var done int
	const add = `(%q && document.styleSheets[0].insertRule(%[1]q, document.styleSheets[0].cssRules.length), document.fonts.ready.then(() => 1))`
	if err := b.eval(fmt.Sprintf(add, rule), &done); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	var taken []byte
	if err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot(&taken)); err != nil {
		return 0, err
	}
	got, err := shrunk(taken)
	if err != nil {
		return 0, err
	}
	at := filepath.Join(pictureFolder, name+".png")
	if opt.update {
		var out bytes.Buffer
		err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, got)
		return 0, errors.Join(err, os.WriteFile(at, out.Bytes(), 0o644))
	}
	kept, err := os.ReadFile(at)
	if err != nil {
		return 0, err
	}
	seen, err := png.Decode(bytes.NewReader(kept))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", at, err)
	}
	want := image.NewNRGBA(seen.Bounds())
	for y := range want.Rect.Max.Y {
		for x := range want.Rect.Max.X {
			want.Set(x, y, seen.At(x, y))
		}
	}
	return difference(want, got), nil
}
