package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
)

//go:embed assets/app.css assets/app.js assets/icon.svg
var assetFiles embed.FS

// nothingHere is the answer to an address that leads nowhere.
const nothingHere = "there is nothing here"

// assetFolder is where assets are, below the prefix.
const assetFolder = "a/"

// assets are the files that pages load. A name holds the hash of its file, so that browsers may keep it for ever.
type assets struct {
	Style, Script, Icon string // addresses, from a page
	files               map[string]asset
}

type asset struct {
	kind string
	body []byte
}

func newAssets() (*assets, error) {
	a := &assets{files: map[string]asset{}}
	for name, one := range map[string]struct {
		kind string
		at   *string
	}{
		"app.css":  {"text/css; charset=utf-8", &a.Style},
		"app.js":   {"text/javascript; charset=utf-8", &a.Script},
		"icon.svg": {"image/svg+xml", &a.Icon},
	} {
		body, err := assetFiles.ReadFile("assets/" + name)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(body)
		ext := path.Ext(name)
		hashed := strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
		a.files[hashed] = asset{one.kind, body}
		*one.at = assetFolder + hashed
	}
	return a, nil
}

// serve answers with the file of a name.
func (a *assets) serve(w http.ResponseWriter, name string) {
	f, ok := a.files[name]
	if !ok {
		http.Error(w, "ken: "+nothingHere, http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", f.kind)
	w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	w.Write(f.body) // a client that is gone needs nothing
}
