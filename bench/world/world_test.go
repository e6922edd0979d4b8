package world

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain is also a server that echoes, when started with an argument.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "echo" {
		echo()
		return
	}
	os.Exit(m.Run())
}

// echo answers each request with its method, after a notification, and refuses
// "bad".
func echo() {
	for id := 1; ; id++ {
		var line string
		if _, err := fmt.Scanln(&line); err != nil {
			return
		}
		if strings.Contains(line, "notifications/") {
			id--
			continue
		}
		fmt.Println(`{"jsonrpc":"2.0","method":"notifications/progress"}`)
		if strings.Contains(line, `"bad"`) {
			fmt.Printf(`{"jsonrpc":"2.0","id":%d,"error":{"message":"no"}}`+"\n", id)
			continue
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%d,"result":{"n":%d}}`+"\n", id, id)
	}
}

func TestClient(t *testing.T) {
	c, err := Start(exec.Command(os.Args[0], "echo"), "1")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	got, err := c.Request("tools/list", nil)
	if err != nil || string(got) != `{"n":2}` {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := c.Request("bad", nil); err == nil || !strings.Contains(err.Error(), "no") {
		t.Errorf("an error of the server is %v", err)
	}
}

func TestRepositories(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	tree := filepath.Join(dir, "tree")
	if err := WriteFiles(tree, map[string]string{"a/b.txt": "one\n", "c.txt": "two\n"}); err != nil {
		t.Fatal(err)
	}
	if err := Commit(ctx, tree, "first"); err != nil {
		t.Fatal(err)
	}
	first, err := Git(ctx, tree, "rev-parse", "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteFiles(tree, map[string]string{"c.txt": "three\n"}); err != nil {
		t.Fatal(err)
	}
	if err := Commit(ctx, tree, "second"); err != nil {
		t.Fatal(err)
	}
	if err := Checkout(ctx, tree, first); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(filepath.Join(tree, "c.txt")); string(text) != "two\n" {
		t.Errorf("the file of the first commit is %q", text)
	}
	if _, err := Git(ctx, tree, "no-such-command"); err == nil {
		t.Error("git's failure is no error")
	}
	if err := os.CopyFS(filepath.Join(dir, "clones", "Owner+Name", "repo"), os.DirFS(filepath.Join(tree, ".git"))); err != nil {
		t.Fatal(err)
	}
	if got, err := Clone(filepath.Join(dir, "clones"), "owner/name"); err != nil || !strings.HasSuffix(got, "Owner+Name/repo") {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := Clone(filepath.Join(dir, "clones"), "owner/other"); err == nil {
		t.Error("a clone that is missing is no error")
	}
	for range 2 { // made, and used again
		shared, err := ShareClone(ctx, filepath.Join(dir, "clones"), "owner/name", dir)
		if err != nil || shared != filepath.Join(dir, "owner+name") {
			t.Fatalf("%s, %v", shared, err)
		}
		if err := Checkout(ctx, shared, first); err != nil {
			t.Error(err)
		}
	}
}

func TestCorpus(t *testing.T) {
	file := filepath.Join(t.TempDir(), "corpus.txt")
	if err := os.WriteFile(file, []byte("# comment a@b\na/b@123 looked at\n\nc/d@456\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Corpus(file)
	if want := []Pin{{"a/b", "123"}, {"c/d", "456"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("KEN_TOOLS", "x")
	t.Setenv("CLAUDE_SESSION", "y")
	env := Environment("/home/a", "EXTRA=1")
	if slices.ContainsFunc(env, func(e string) bool { return strings.HasPrefix(e, "KEN_TOOLS") || strings.HasPrefix(e, "CLAUDE") }) {
		t.Errorf("%q has the user's settings", env)
	}
	if !slices.Contains(env, "HOME=/home/a") || !slices.Contains(env, "EXTRA=1") {
		t.Errorf("%q lacks the home or what was given", env)
	}
}

func TestKillTree(t *testing.T) {
	cmd := exec.Command("sh", "-c", "sleep 60 & echo $!; wait")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var child int
	if _, err := fmt.Fscan(out, &child); err != nil {
		t.Fatal(err)
	}
	KillTree(cmd.Process, true)
	cmd.Wait()
	for range 100 {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the child lives on")
}

func TestResident(t *testing.T) {
	if kb := ResidentMemory(os.Getpid()); kb < 1000 {
		t.Errorf("this process has %d kB", kb)
	}
}

func TestTable(t *testing.T) {
	table := Table{Short: true}
	table.Row("a", "b", "c", true)
	table.Row("a", "b", "c", false)
	table.RowOfTime("a", "b", "c", false)
	table.LeaveOut("a", "b", "c")
	if table.Kept != 1 || table.Missed != 1 || table.Left != 2 || table.Summary() == nil {
		t.Errorf("%+v", table)
	}
}

func TestPercentile(t *testing.T) {
	list := []time.Duration{3, 1, 2, 4}
	if got := Percentile(list, 50); got != 3 {
		t.Errorf("p50 is %d", got)
	}
	if got := Percentile(list, 100); got != 4 {
		t.Errorf("p100 is %d", got)
	}
	if Percentile(nil, 50) != 0 || Ratio(list, nil, 50) != 0 {
		t.Error("an empty list has a percentile")
	}
	if got := Millis(1500 * time.Microsecond); got != "1.5 ms" {
		t.Errorf("%s", got)
	}
}
