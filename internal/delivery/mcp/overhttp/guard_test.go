package overhttp

import (
	"net"
	"net/http"
	"testing"

	"ken/internal/delivery/httpfront"
)

// TestGuard lets through what the loopback interface names, and nothing else.
func TestGuard(t *testing.T) {
	local := httpfront.NewGuard("", &net.TCPAddr{IP: net.IPv6loopback})
	public := httpfront.NewGuard("0123456789abcdef", &net.TCPAddr{IP: net.IPv4zero})
	for _, c := range []struct {
		host, origin, bearer string
		local, public        int
	}{
		{"localhost", "", "", 0, 401},
		{"localhost:80", "", "Bearer 0123456789abcdef", 0, 0},
		{"127.0.0.1", "", "", 0, 401},
		{"[::ffff:127.0.0.1]:1", "", "", 0, 401},
		{"::1", "", "", 0, 401},
		{"", "", "", 403, 401},
		{":80", "", "", 403, 401},
		{"localhost.", "", "", 403, 401},
		{"127.1", "", "", 403, 401},
		{"2130706433", "", "", 403, 401},
		{"0x7f.0.0.1", "", "", 403, 401},
		{"127.0.0.1@evil.example", "", "", 403, 401},
		{"evil.example", "", "bearer 0123456789abcdef", 403, 0},
		{"evil.example", "http://evil.example", "Bearer 0123456789abcdef", 403, 0},
		{"localhost:1", "http://localhost:1", "Bearer 0123456789abcdef", 0, 0},
		{"localhost:1", "http://localhost:2", "Bearer 0123456789abcdef", 403, 403},
		{"localhost:1", "http://user@localhost:1/", "Bearer 0123456789abcdef", 0, 0},
		{"localhost:1", "https://LOCALHOST:1", "Bearer 0123456789abcdee", 0, 401},
		{"localhost:1", "chrome-extension://localhost:1", "Bearer 0123456789abcdef", 403, 403},
		{"localhost:1", "null", "Bearer 0123456789abcdef", 403, 403},
		{"localhost:1", "", "Bearer0123456789abcdef", 0, 401},
		{"localhost:1", "", " 0123456789abcdef", 0, 401},
	} {
		r, err := http.NewRequest("POST", "/mcp", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		r.Header.Set("Content-Type", "application/json")
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if c.bearer != "" {
			r.Header.Set("Authorization", c.bearer)
		}
		for i, g := range []httpfront.Guard{local, public} {
			got := 0
			if no := check(&g, r); no != nil {
				got = no.status
			}
			if want := []int{c.local, c.public}[i]; got != want {
				t.Errorf("%+v, %d of the two guards: %d", c, i+1, got)
			}
		}
	}
}
