package browser

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// strictPolicy is the policy that the README of a package names, of a page that may do nothing else.
const strictPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'"

// TestPackageInAPage opens the example page of .ci/npm beside a package, as a server of files has both, under a strict
// Content-Security-Policy: it rolls, it tells odds, and nothing of it comes from elsewhere.
func TestPackageInAPage(t *testing.T) {
	dir := t.TempDir()
	module := filepath.Join(t.TempDir(), "odds.wasm.gz")
	run := func(program string, args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", program, err, out)
		}
	}
	run("../odds", module)
	run(os.Getenv("PROGRAM"), "generate", "npm", "tempestas", "--dir", "../..", "-o", filepath.Join(dir, "rules-tempestas"), "--odds", module)
	if err := os.CopyFS(dir, os.DirFS("../npm/page")); err != nil {
		t.Fatal(err)
	}
	files := http.FileServer(http.Dir(dir))
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		w.Header().Set("Content-Security-Policy", strictPolicy)
		files.ServeHTTP(w, r)
	}))
	defer s.Close()
	ctx := open(t)
	do(t, ctx, chromedp.Navigate(s.URL+"/"))
	await(t, ctx, `document.body.dataset.ready === "yes"`)
	press(t, ctx, "#roll")
	await(t, ctx, `/^\d+: (fools_failure|failure|success|heroic)$/.test(document.getElementById("answer").textContent)`)
	for _, path := range asked {
		if strings.Contains(path, "odds.wasm") {
			t.Error("the solvers of odds are loaded before anybody asks for odds")
		}
	}
	// Of a value of 60, 1 to 5 are a fool's failure and 61 to 100 fail.
	press(t, ctx, "#odds")
	await(t, ctx, `document.getElementById("answer").textContent === "55 % succeed"`)
	if evalPromise[bool](t, ctx, `fetch("data:,x").then(() => true, () => false)`) {
		t.Error("the page is not under the policy")
	}
}
