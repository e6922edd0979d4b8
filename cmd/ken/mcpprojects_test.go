package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// another makes an indexed project with one file beside that of served.
func another(t *testing.T, name, file, text string) string {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(base, name)
	writeFile(t, dir, file, text)
	if out, err := exec.Command("ken", "-C", dir, "init").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

func has(t *testing.T, what, text, want string) {
	t.Helper()
	if !strings.Contains(text, want) {
		t.Errorf("%s: %q lacks %q", what, text, want)
	}
}

// TestMCPProjects asks about several projects that were given at start.
func TestMCPProjects(t *testing.T) {
	dir := served(t)
	web := another(t, "web", "src/page.py", "def render_page():\n    pass\n")
	api := another(t, "api", "lib/handler.py", "def handle_call():\n    pass\n")
	secret := another(t, "secret", "hidden.py", "def hidden_thing():\n    pass\n")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(web, link); err != nil {
		t.Skip(err)
	}
	c := newClient(t, dir, "--project", link, "--project", filepath.Join(api, "lib")).hello()
	c.send(`{"jsonrpc":"2.0","id":"l","method":"tools/list"}`)
	has(t, "listing", string(c.read().raw), `"project":{"enum":["`+filepath.Base(dir)+`","web","api"]}`)

	has(t, "the working directory's", c.text("grep", `{"regex":"func Open"}`), "store/store.go")
	for _, name := range []string{"web", web, link, "file://" + web, web + "/"} {
		has(t, name, c.text("grep", fmt.Sprintf(`{"regex":"render_page","project":%q}`, name)), "src/page.py")
	}
	has(t, "in a folder of it", c.text("show", `{"target":"handle_call","project":"api"}`), "lib/handler.py")
	has(t, "by an absolute path", c.text("show", fmt.Sprintf(`{"target":%q}`, web+"/src/page.py")), "render_page")
	has(t, "by a path through a link", c.text("show", fmt.Sprintf(`{"target":%q}`, link+"/src/page.py")), "render_page")
	has(t, "a path of the named one", c.text("show", `{"target":"src/page.py","project":"web"}`), "render_page")
	has(t, "a list of paths", c.text("grep", fmt.Sprintf(`{"regex":"render_page","path":[%q]}`, web+"/src")), "src/page.py")

	for _, refused := range []struct{ tool, args, why string }{
		{"grep", fmt.Sprintf(`{"regex":"x","project":%q}`, secret), "is no project that may be asked about here; there are: " + dir + ", " + web + ", " + api},
		{"grep", fmt.Sprintf(`{"regex":"x","project":%q}`, filepath.Dir(web)), "is no project that may be asked"},
		{"grep", `{"regex":"x","project":"/"}`, "is no project that may be asked"},
		{"show", fmt.Sprintf(`{"target":%q}`, secret+"/hidden.py"), "is not inside the project"},
		{"show", fmt.Sprintf(`{"target":%q,"project":"api"}`, web+"/src/page.py"), `pass project="web"`},
		{"impact", fmt.Sprintf(`{"target":[%q,%q]}`, web+"/src/page.py", api+"/lib/handler.py"), "several projects"},
	} {
		r := c.call(refused.tool, refused.args)
		if !r.Result.IsError || len(r.Result.Content) == 0 || !strings.Contains(r.Result.Content[0].Text, refused.why) {
			t.Errorf("%s %s: %s\nwant: %s", refused.tool, refused.args, r.raw, refused.why)
		}
	}
	has(t, "a path of another one", c.text("show", `{"target":"src/page.py"}`), `in another project: pass project="web"`)
	// One that goes away says so, and is there again when it is.
	if err := os.Rename(web, web+"-away"); err != nil {
		t.Fatal(err)
	}
	has(t, "deleted", c.text("grep", `{"regex":"render_page","project":"api"}`), "")
	r := c.call("grep", fmt.Sprintf(`{"regex":"render_page","project":%q}`, link))
	if !r.Result.IsError {
		t.Errorf("the deleted project answers: %s", r.raw)
	}
	if err := os.Rename(web+"-away", web); err != nil {
		t.Fatal(err)
	}
	has(t, "there again", c.text("grep", `{"regex":"render_page","project":"web"}`), "src/page.py")
	c.end()

	// A single project lists no such argument, and takes it.
	c = newClient(t, dir).hello()
	c.send(`{"jsonrpc":"2.0","id":"l","method":"tools/list"}`)
	if raw := c.read().raw; bytes.Contains(raw, []byte(`"project"`)) {
		t.Errorf("the listing of one project: %s", raw)
	}
	has(t, "itself", c.text("grep", fmt.Sprintf(`{"regex":"func Open","project":%q}`, dir)), "store/store.go")
	if r := c.call("grep", fmt.Sprintf(`{"regex":"x","project":%q}`, web)); !r.Result.IsError {
		t.Errorf("another project was asked: %s", r.raw)
	}
	c.end()
	if out, err := exec.Command("ken", "-C", dir, "mcp", "--project", "nosuch").CombinedOutput(); err == nil || !bytes.Contains(out, []byte("is no directory")) {
		t.Errorf("%v: %s", err, out)
	}
}

// removeServed removes a folder in which a server may be making a file.
func removeServed(t *testing.T, dir string) {
	t.Helper()
	var err error
	for range 50 {
		if err = os.RemoveAll(dir); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal(err)
}

// TestMCPNested: a project that is deleted is not mistaken for the one around it.
func TestMCPNested(t *testing.T) {
	dir := served(t)
	inner := filepath.Join(dir, "inner")
	writeFile(t, inner, "only.py", "def inner_thing():\n    pass\n")
	if err := os.Mkdir(filepath.Join(inner, ".ken"), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("ken", "-C", inner, "index").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c := newClient(t, inner).hello()
	has(t, "inner", c.text("grep", `{"regex":"inner_thing"}`), "only.py")
	removeServed(t, filepath.Join(inner, ".ken"))
	r := c.call("grep", `{"regex":"inner_thing"}`)
	if !r.Result.IsError || !bytes.Contains(r.raw, []byte("is gone")) {
		t.Errorf("%s", r.raw)
	}
	c.end()
}

// rooted begins a session of a client that has roots, and answers the first question for them.
func rooted(t *testing.T, dir string, roots ...string) *client {
	t.Helper()
	c := newClient(t, dir)
	c.send(strings.Replace(hello, `"capabilities":{}`, `"capabilities":{"roots":{"listChanged":true}}`, 1))
	c.read()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	c.answerRoots(roots...)
	return c
}

func (c *client) answerRoots(roots ...string) {
	c.t.Helper()
	q := c.read()
	if !bytes.Contains(q.raw, []byte("roots/list")) {
		c.t.Fatalf("no question for roots: %s", q.raw)
	}
	var list []string
	for _, r := range roots {
		list = append(list, fmt.Sprintf(`{"uri":%q,"name":"x"}`, r))
	}
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"roots":[%s]}}`, q.ID, strings.Join(list, ",")))
}

// TestMCPRoots asks about the projects of a client's roots.
func TestMCPRoots(t *testing.T) {
	dir := served(t)
	web := another(t, "web", "src/page.py", "def render_page():\n    pass\n")
	api := another(t, "api", "lib/handler.py", "def handle_call():\n    pass\n")
	nowhere := t.TempDir()

	c := rooted(t, dir, "file://"+dir, "file://"+web, "https://example.com/x", "file://"+nowhere, "nonsense")
	if r := c.read(); !bytes.Contains(r.raw, []byte("tools/list_changed")) {
		t.Fatalf("%s", r.raw)
	}
	c.send(`{"jsonrpc":"2.0","id":"l","method":"tools/list"}`)
	has(t, "listing", string(c.read().raw), `"project":{"enum":["`+filepath.Base(dir)+`","web"]}`)
	has(t, "a root", c.text("grep", `{"regex":"render_page","project":"web"}`), "src/page.py")
	if r := c.call("grep", fmt.Sprintf(`{"regex":"x","project":%q}`, api)); !r.Result.IsError {
		t.Errorf("no root: %s", r.raw)
	}
	// Other roots replace those before.
	c.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	c.answerRoots("file://"+dir, "file://"+api)
	if r := c.read(); !bytes.Contains(r.raw, []byte("tools/list_changed")) {
		t.Fatalf("%s", r.raw)
	}
	has(t, "a new root", c.text("grep", `{"regex":"handle_call","project":"api"}`), "lib/handler.py")
	if r := c.call("grep", fmt.Sprintf(`{"regex":"x","project":%q}`, web)); !r.Result.IsError {
		t.Errorf("a root that is none any more: %s", r.raw)
	}
	c.end()

	// A client that was started in no project works in its only root, and has to choose among several.
	c = rooted(t, nowhere, "file://"+web)
	has(t, "the only root", c.text("grep", `{"regex":"render_page"}`), "src/page.py")
	c.end()
	c = rooted(t, nowhere, "file://"+web, "file://"+api)
	c.read()
	r := c.call("grep", `{"regex":"render_page"}`)
	if !r.Result.IsError || !bytes.Contains(r.raw, []byte("name one in the argument project")) {
		t.Errorf("%s", r.raw)
	}
	c.end()

	// One that never answers is not waited for where there is a project.
	c = newClient(t, dir)
	c.send(strings.Replace(hello, `"capabilities":{}`, `"capabilities":{"roots":{}}`, 1))
	c.read()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	c.read()
	has(t, "without an answer", c.text("grep", `{"regex":"func Open"}`), "store/store.go")
	c.end()
}

// TestMCPSets offers the sets of the user's settings, and never those of a repository's.
func TestMCPSets(t *testing.T) {
	dir := served(t)
	config := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	writeFile(t, dir, ".ken/config.yml", "mcp_tools: full\n")
	tools := func(args ...string) int {
		c := newClient(t, dir, args...).hello()
		c.send(`{"jsonrpc":"2.0","id":"l","method":"tools/list"}`)
		n := len(c.read().Result.Tools)
		c.end()
		return n
	}
	if n := tools(); n != 8 {
		t.Errorf("a repository chooses: %d tools", n)
	}
	writeFile(t, config, "ken/config.yml", "mcp_tools: [core, knowledge]\n")
	if n := tools(); n != 16 {
		t.Errorf("by the user's settings: %d tools", n)
	}
	if n := tools("--tools", "core"); n != 8 {
		t.Errorf("by the argument: %d tools", n)
	}
	writeFile(t, config, "ken/config.yml", "mcp_tools: cores\n")
	out, err := exec.Command("ken", "-C", dir, "mcp").CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte(`mcp_tools: "cores" is no set of tools; there are: core, knowledge, `)) {
		t.Errorf("%v: %s", err, out)
	}
}

// TestMCPOddAddresses: an address with bytes that the library cannot put into its error ends no session.
func TestMCPOddAddresses(t *testing.T) {
	c := newClient(t, served(t)).hello()
	for _, uri := range []string{`ken://file/a\u0000`, `ken://nosuch/\u007f\u0001`, `ken://\u0007`, `ken://schema/\u200b\u0080`, `\u0000`} {
		c.send(`{"jsonrpc":"2.0","id":"r","method":"resources/read","params":{"uri":"` + uri + `"}}`)
		if r := c.read(); r.Error == nil {
			t.Errorf("%s: %s", uri, r.raw)
		}
	}
	has(t, "it goes on", c.text("grep", `{"regex":"func Open"}`), "store/store.go")
	c.end()
}
