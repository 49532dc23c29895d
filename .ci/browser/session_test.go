package browser

import (
	"bufio"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// A host is a server that a test may kill.
type host struct {
	dir, address string
	command      *exec.Cmd
}

// start serves the tables of the directory, at the address that it had before.
func (h *host) start(t *testing.T) {
	t.Helper()
	listen := "127.0.0.1:0"
	if h.address != "" {
		listen = strings.TrimPrefix(h.address, "http://")
	}
	h.command = exec.Command(os.Getenv("PROGRAM"), "serve", "tempestas", "--listen", listen, "--session", "tables")
	h.command.Dir, h.command.Stderr = h.dir, os.Stderr
	h.command.Env = append(os.Environ(), "HOME="+h.dir, "XDG_CONFIG_HOME="+h.dir)
	out, err := h.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.command.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	h.address = strings.TrimSuffix(strings.TrimSpace(line), "/")
}

// kill ends the server as kill -9 does.
func (h *host) kill() {
	h.command.Process.Kill()
	h.command.Wait()
}

// A wire lies between a browser and a server, and can be cut.
type wire struct {
	address string
	mu      sync.Mutex
	open    []net.Conn
}

func newWire(t *testing.T, server string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	w := &wire{address: "http://" + l.Addr().String()}
	go func() {
		for near, err := l.Accept(); err == nil; near, err = l.Accept() {
			far, err := net.Dial("tcp", strings.TrimPrefix(server, "http://"))
			if err != nil {
				near.Close()
				continue
			}
			w.mu.Lock()
			w.open = append(w.open, near, far)
			w.mu.Unlock()
			for _, ends := range [][2]net.Conn{{near, far}, {far, near}} {
				go func() {
					io.Copy(ends[0], ends[1])
					ends[0].Close()
				}()
			}
		}
	}()
	return w
}

// cut ends all connections.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.open {
		c.Close()
	}
	w.open = nil
}

const isLoaded = `document.readyState === "complete"`

// visit opens an address, and waits until the page is there with its script.
func visit(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(url))
	await(t, ctx, isLoaded)
}

// join comes to the table as a player, by a link.
func join(t *testing.T, ctx context.Context, link, name, character string) {
	t.Helper()
	visit(t, ctx, link)
	await(t, ctx, `document.getElementById("code").value.startsWith("players.") && !location.hash`)
	set(t, ctx, "name", name)
	press(t, ctx, "#enter button")
	await(t, ctx, isLoaded+` && document.getElementById("live-state")?.textContent === "live"`)
	set(t, ctx, "called", name)
	set(t, ctx, "brought", character)
	press(t, ctx, "#bring button.main")
	await(t, ctx, isLoaded+` && document.querySelector(".rolls a.roll") !== null &&
		document.getElementById("live-state").textContent === "live"`)
}

// rolls are how many rolls a page shows.
const rolls = `document.querySelectorAll("#entries .rolled").length`

// TestSession is an evening: a master and two players in three browsers.
func TestSession(t *testing.T) {
	h := &host{dir: t.TempDir()}
	h.start(t)
	defer func() { h.kill() }()
	master, ada, bela := open(t), open(t), open(t)

	visit(t, master, h.address)
	do(t, master, chromedp.Click(chromedp.CSS(`a[href="session/"]`)))
	await(t, master, isLoaded+` && document.getElementById("called") !== null`)
	set(t, master, "called", "Friday")
	set(t, master, "ruleset", "tempestas")
	press(t, master, "form.card button.main")
	await(t, master, isLoaded+` && document.getElementById("live-state")?.textContent === "live"`)
	link := eval[string](t, master, `document.querySelector("[data-select]").value`)
	table := eval[string](t, master, "location.pathname")

	join(t, ada, link, "Ada", `{"skills": {"navigation": 90}}`)
	between := newWire(t, h.address)
	join(t, bela, strings.Replace(link, h.address, between.address, 1), "Bela", `{"skills": {"climb": 40}}`)
	await(t, master, `document.getElementById("party").innerText.includes("Bela")`)

	rollFrom := func(t *testing.T, ctx context.Context, how string) {
		t.Helper()
		press(t, ctx, `.rolls a.roll[href*="try/test?"]`)
		await(t, ctx, isLoaded+` && document.querySelector("button[value=table]") !== null`)
		set(t, ctx, "how", how)
		press(t, ctx, "button[value=table]")
		await(t, ctx, isLoaded+` && document.getElementById("live-state")?.textContent === "live"`)
	}

	t.Run("a roll is seen by all", func(t *testing.T) {
		rollFrom(t, ada, "")
		for _, ctx := range []context.Context{master, ada, bela} {
			await(t, ctx, rolls+` === 1 && document.querySelector("#entries .rolled").innerText.includes("Ada")`)
		}
	})

	t.Run("a hidden roll is seen by the master, until it is shown", func(t *testing.T) {
		visit(t, master, h.address+"/tempestas/try/test?at="+strings.Split(table, "/")[2])
		set(t, master, "how", "hidden")
		set(t, master, "who", "Wyvern")
		press(t, master, "button[value=table]")
		await(t, master, isLoaded+` && `+rolls+` === 2 &&
			document.querySelector("#entries .rolled").innerText.includes("Wyvern")`)
		await(t, bela, `document.getElementById("entries").innerText.includes("something that is hidden")`)
		if eval[bool](t, bela, `document.body.innerHTML.includes("Wyvern")`) {
			t.Error("a player sees the hidden roll")
		}
		press(t, master, "button[value=show]")
		await(t, bela, rolls+` === 2 && document.querySelector("#entries .rolled").innerText.includes("Wyvern")`)
	})

	t.Run("the master takes a roll back", func(t *testing.T) {
		press(t, master, "#entries button[value=back]")
		await(t, ada, `document.querySelector("#entries .rolled.back") !== null`)
	})

	t.Run("dice that nobody can choose", func(t *testing.T) {
		// With the focus in it the part of the round waits, and the dice do not.
		eval[any](t, bela, `(x => { x.tabIndex = -1; x.focus(); })(document.getElementById("round"))`)
		rollFrom(t, ada, "together")
		for _, ctx := range []context.Context{master, ada, bela} {
			await(t, ctx, rolls+` === 3 && document.querySelector("#entries .rolled").innerText.includes("nobody could choose")`)
		}
		eval[any](t, bela, `document.activeElement.blur()`)
	})

	t.Run("a connection that was cut", func(t *testing.T) {
		between.cut()
		rollFrom(t, ada, "")
		await(t, bela, rolls+" === 4")
	})

	second, end := chromedp.NewContext(bela) // each round asks both her tabs
	t.Cleanup(end)
	visit(t, second, between.address+table)
	await(t, second, `document.getElementById("live-state").textContent === "live"`)

	t.Run("kill -9 of the server", func(t *testing.T) {
		before := eval[string](t, ada, `document.getElementById("head-line").textContent`)
		h.kill()
		await(t, ada, `document.getElementById("live-state").textContent.includes("does not answer")`)
		h.start(t)
		await(t, ada, `document.getElementById("live-state").textContent === "live"`)
		if after := eval[string](t, ada, `document.getElementById("head-line").textContent`); after != before {
			t.Errorf("the log ends with %q, and did with %q", after, before)
		}
		rollFrom(t, ada, "together")
		await(t, bela, rolls+" === 5")
		await(t, master, rolls+" === 5")
	})

	t.Run("a second tab has nothing to complain of", func(t *testing.T) {
		await(t, second, rolls+" === 5")
		for _, ctx := range []context.Context{bela, second} {
			if said := eval[string](t, ctx, `document.getElementById("problem").textContent`); said != "" {
				t.Errorf("a tab says %q", said)
			}
		}
	})

	t.Run("the transcript is verified", func(t *testing.T) {
		text := evalPromise[string](t, bela, `fetch("transcript").then(x => x.text())`)
		file := filepath.Join(h.dir, "transcript.jsonl")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("python3", filepath.Join("..", "session.py"), file).CombinedOutput()
		if err != nil || strings.Count(string(out), "of Ada, Bela and the server") != 2 {
			t.Errorf("by itself: %v\n%s", err, out)
		}
		verify := exec.Command(os.Getenv("PROGRAM"), "verify", file)
		verify.Dir = h.dir
		out, err = verify.CombinedOutput()
		if err != nil || strings.Count(string(out), "everything matches") != 5 {
			t.Errorf("by the rules: %v\n%s", err, out)
		}
		first := regexp.MustCompile(`"seed":(\d)`)
		altered := first.ReplaceAllString(text, `"seed":9$1`)
		if err := os.WriteFile(file, []byte(altered), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("python3", filepath.Join("..", "session.py"), file).CombinedOutput(); err == nil {
			t.Errorf("a transcript with other seeds passes: %s", out)
		}
	})

	t.Run("a procedure that all play", func(t *testing.T) {
		id := strings.Split(table, "/")[2]
		play := h.address + "/tempestas/try/task?at=" + id
		step := func(n string) string {
			return isLoaded + ` && document.querySelectorAll("ol.line > li").length === ` + n
		}
		visit(t, ada, play)
		set(t, ada, "in.name", "navigation")
		set(t, ada, "in.target_value", "60")
		do(t, ada, chromedp.Click(chromedp.CSS(rollButton)))
		await(t, ada, isLoaded+` && document.querySelector("form.play") !== null`)
		for _, ctx := range []context.Context{bela, master, ada} {
			visit(t, ctx, play)
			await(t, ctx, step("1"))
		}
		eval[any](t, master, `document.querySelector("form.play").dispatchEvent(new Event("input"))`)
		press(t, ada, `button[value="event roll"]`)
		await(t, bela, step("2"))
		await(t, master, `document.getElementById("gone-on").checkVisibility()`)
		if eval[int](t, master, `document.querySelectorAll("ol.line > li").length`) != 1 {
			t.Error("what the master had typed is gone")
		}
		do(t, master, chromedp.Reload())
		await(t, master, step("2"))
	})

	t.Run("accessible", func(t *testing.T) {
		axe, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
		if err != nil {
			t.Fatal(err)
		}
		visit(t, master, h.address+table)
		for name, ctx := range map[string]context.Context{"table of the master": master, "play of a player": bela} {
			for _, screen := range screens {
				emulate(t, ctx, screen)
				do(t, ctx, chromedp.Reload()) // a page that is shown keeps some colours of the other scheme
				await(t, ctx, isLoaded+` && (document.getElementById("live-state")?.textContent ?? "live") === "live"`)
				shoot(t, ctx, screen.name+"/"+name)
				judge(t, ctx, string(axe), screen.name+" "+name)
			}
		}
	})
}
