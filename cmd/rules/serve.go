package main

// # A server
//
//	listener (connections) ─ guard (hosts, size of bodies) ─┬─ /v1/  api   gates: evaluations, streams, odds
//	                                                        ├─ /healthz
//	                                                        └─ /      site  gate: pages
//	library ─ Watch: a file changed ─ loadShelf ─> a new shelf in the place of the old
//
// A shelf is everything that is served, compiled and immutable. Requests take the shelf once and
// keep it to their end; a reload makes another beside it and swaps them. So no request sees half of
// a change, and a module that does not compile leaves the old shelf where it is.
//
// It listens on this machine only unless --listen says otherwise, has no accounts, and writes nothing but the characters of
// --keep and the tables of --session. The guard refuses names of hosts that it was not told: a page elsewhere could
// otherwise let a reader's browser ask it under a name of its own (DNS rebinding).

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/scorecard"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/release"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/api"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/folder"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/session"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/site"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/webguard"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/revisions"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const serveHelp = `Serve opens the rules as pages that compute, for a browser on this machine: the book of each ruleset
with its tables, formulas in words and rulings, every rule as a form that rolls or takes the faces
that fell, its odds beside it, procedures event by event with the odds of their end, and odds of dice
in notation. Characters and the rulings of a group are kept in the browser, many for each ruleset; the
address of a page holds the answer that it shows. With --keep characters are files in a directory,
DIR/RULESET/NAME.json, as every command reads them: one that two browsers change at once becomes two.

With --session people play together: one begins a table on the first page and gives a link to each of
the others, who see the rolls as they fall and roll for their own characters. Each table is a log in
a directory, DIR/ID.jsonl, one record a line, on the disk before anybody sees it. Its rolls are
receipts: "rules verify DIR/ID.jsonl" checks all of them, and dice that nobody could choose.

Without a ruleset it serves all that the module ships, with --plan the releases of a directory,
without their sources. With a homebrew the book marks what it changed.

The same server answers programs: POST /v1/RULESET/RULE/eval and /odds take and give the JSON of the
commands, /stream takes a character a line as "eval --ndjson" does, and /v1/openapi.json describes
them. A revision stands in the path (tempestas@0.2.0) or in the header Rules-Revision; it refuses a
character that is pinned to another, as a plan file does. Where neither names one, a character is
answered by the revision that it is pinned to, and others by the newest. Pages elsewhere may ask them
when --cors names their origin; nothing that such a page sends counts as its reader's.

It listens on this machine alone unless --listen says otherwise, and answers only to addresses,
localhost, and the names of --host. Nothing that a page needs comes from anywhere else. On another
address everybody who can reach it can read these rules and ask: there are no accounts, and nothing
is encrypted. What clients can hold up is bounded, those of one address among each other; a proxy
before it counts as one address.

Authors read on a page how well the cases hold each definition. What changed has a page, too: the
rules with a homebrew and without it, two releases of a directory, or with --against an earlier
state, as "rules diff" takes it. With --characters it says whose numbers and odds change among the
characters in a directory, and by which edit.

With --dir,
or in a module, pages change when a file is saved; what cannot be compiled is shown with its place,
and the last good rules go on answering. It needs no trust: a module of strangers is compiled within
the bounds of every command.

Exit status: 0 when it was told to stop; 2 when it cannot listen or there is nothing to serve.`

// The bounds of one request and of all.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second // of a whole request
	writeTimeout  = 30 * time.Second // of an answer, from the request on; answers that wait in a gate begin anew
	idleTimeout   = 2 * time.Minute
	stopTimeout   = 5 * time.Second // for what is being answered when the server is told to stop
	watchPause    = 400 * time.Millisecond
	maxHeader     = 64 << 10
	// Character, input and state each have the bound of a record; a question with all three, and
	// what JSON adds to them, must fit.
	maxBody     = 4 * runtime.MaxRecord
	serveBudget = 2_000_000 // states of one question for odds: about a second
	maxWaiting  = 256
	// gcPercent lets the heap grow to four times what lives. Plans and pages that live are some megabytes, and requests are
	// many and small: at Go's own setting the collector would run many times a second.
	gcPercent     = 300
	memoryLimit   = 1 << 30 // from which on the collector works more: large questions at once have much that does not live
	evaluatorsPer = 4       // evaluations at once for each core, so that a long one holds up few
)

// A serving is what serve is told.
//
// It is read by the handlers of many requests and written by none. What may change while it serves,
// the shelf of rulesets, is the library's; earlier is written once, under compiling.
type serving struct {
	listen  string
	hosts   []string
	origins []string
	plan    string
	against string
	party   string
	folder  string // for characters as files; "" for none
	tables  string // for sessions; "" for none
	budget  int64
	openAPI bool
	s       *settings
	c       *cobra.Command

	reach     []string       // addresses for other devices, written before the first request
	earlier   *release.State // of --against, nil until it was read
	compiling sync.Mutex     // a page may ask for a compilation while a reload is compiling
}

func newServe(s *settings) *cobra.Command {
	v := &serving{s: s}
	c := &cobra.Command{
		Use:   "serve [RULESET...]",
		Short: "Open the rules as pages that compute, and answer programs over HTTP",
		Long:  serveHelp,
		Example: `  rules serve
  rules serve tempestas --listen 127.0.0.1:8080
  rules serve --plan releases --listen 0.0.0.0:7777 --host rules.example.org
  rules serve tempestas --against git:HEAD --characters party
  rules serve tempestas --openapi > openapi.json`,
		Args: usage.ArgCount(0, usage.Many),
		RunE: func(c *cobra.Command, args []string) error {
			v.c = c
			return v.serve(args)
		},
		ValidArgsFunction: completion.CompleteRulesets(&s.Workspace),
	}
	f := c.Flags()
	f.StringVar(&v.listen, "listen", "127.0.0.1:7777", "listen on `ADDRESS`; port 0 takes a free one")
	f.StringArrayVar(&v.hosts, "host", nil, "answer to this `NAME` too, besides addresses and localhost; may be repeated")
	f.StringArrayVar(&v.origins, "cors", nil,
		"let pages of this `ORIGIN` ask the API, https://table.example.org; may be repeated")
	f.StringVar(&v.plan, "plan", "", "serve the plan in `FILE`, or the releases of a directory or a lock file")
	f.StringVar(&v.against, "against", "", "show what changed since `STATE`: a release, a directory or git:REV")
	f.StringVar(&v.party, "characters", "", "say whose numbers and odds change among the characters in `DIR`")
	f.StringVar(&v.folder, "keep", "", "keep characters as files in `DIR`, one for each, and not in the browser")
	f.StringVar(&v.tables, "session", "", "let people play together, and keep each table as a log in `DIR`")
	f.BoolVar(&v.openAPI, "openapi", false,
		"print the description of the answers to programs (OpenAPI 3.1), and do not serve")
	f.Int64Var(&v.budget, "budget", serveBudget, "refuse odds that would meet more than `N` states")
	for _, name := range []string{"port", "p", "address", "addr", "bind"} {
		usage.AdviseInstead(c, name, "write --listen 127.0.0.1:8080")
	}
	c.MarkFlagsMutuallyExclusive("openapi", "listen")
	c.MarkFlagsMutuallyExclusive("openapi", "host")
	c.MarkFlagsMutuallyExclusive("openapi", "cors")
	c.MarkFlagsMutuallyExclusive("openapi", "keep")
	c.MarkFlagsMutuallyExclusive("openapi", "session")
	return c
}

// serve answers until it is interrupted.
//
// The order: everything that can be wrong about the question is found before the socket is opened. Then the address is
// printed, which is the only line on standard output. A script that reads it knows that the rules which it named compile;
// where none is named, those of a module with several are compiled meanwhile, and the pages tell of mistakes.
func (v *serving) serve(rulesets []string) error {
	if v.budget < 1 {
		return fmt.Errorf("--budget %d: it is at least 1", v.budget)
	}
	for _, name := range rulesets {
		host, port, isAddress := strings.Cut(name, ":")
		if !isAddress {
			host, port = "", name
		}
		if _, err := strconv.ParseUint(port, 10, 16); err == nil {
			return fmt.Errorf("%s is no ruleset: the address is --listen %s:%s", name, cmp.Or(host, "127.0.0.1"), port)
		}
	}
	for _, origin := range v.origins {
		if u, err := url.Parse(origin); err != nil || u.Scheme == "" || u.Host == "" || origin != u.Scheme+"://"+u.Host {
			return fmt.Errorf("--cors %s: it is an origin, such as https://table.example.org", origin)
		}
	}
	lib, err := library.Open(func() (*library.Shelf, error) { return v.loadShelf(rulesets) })
	if err != nil {
		return err
	}
	if v.party != "" { // a page reads it again when it is asked
		editions, err := lib.Shelf().Editions()
		if err != nil {
			return err
		}
		if _, err := loadParty(v.party, editions[0].Plan); err != nil {
			return fmt.Errorf("--characters: %w", err)
		}
	}
	if v.openAPI {
		described, err := api.Describe(lib.Shelf())
		if err != nil {
			return err
		}
		return jsontext.PrintJSON(v.c.OutOrStdout(), described)
	}
	ctx, stop := signal.NotifyContext(v.c.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var hub *session.Hub
	if v.tables != "" {
		hub = &session.Hub{Dir: v.tables, Evaluate: site.NewEvaluator(lib), Now: time.Now, Warn: v.warn}
		if err := hub.Open(); err != nil {
			return fmt.Errorf("--session: %w", err)
		}
	}
	v.watch(ctx, lib)
	return v.answer(ctx, v.handler(lib, hub))
}

// watch reloads the library when a file of the module has changed, until the context ends.
func (v *serving) watch(ctx context.Context, lib *library.Library) {
	if dir := v.s.ModuleDir(); dir != "" && v.plan == "" {
		watched := append([]string{dir}, v.s.With...)
		if v.party != "" {
			watched = append(watched, v.party)
		}
		go lib.Watch(ctx, watched, watchPause)
	}
}

// answer listens, and answers by a handler until the context ends.
func (v *serving) answer(ctx context.Context, handler http.Handler) error {
	listener, err := net.Listen("tcp", v.listen)
	if err != nil {
		return listenError(v.listen, err)
	}
	// The listener's address and not the flag's: with port 0 only the system knows it.
	fmt.Fprintf(v.c.OutOrStdout(), "http://%s/\n", listener.Addr())
	v.warnIfOpen(listener.Addr())
	v.reach = addressesOf(listener.Addr())
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memoryLimit))
	log := slog.New(slog.NewTextHandler(v.c.ErrOrStderr(), nil))
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		ErrorLog:    slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnContext: webguard.WithConnection,
	}
	// Room for one, so that the goroutine ends also when nobody waits for it any more.
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(webguard.LimitConnections(listener)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if err := server.Shutdown(last); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// warn tells whoever has started the server.
func (v *serving) warn(text string) { fmt.Fprintln(v.c.ErrOrStderr(), "rules: "+text) }

// listenError returns the error of an address at which nothing can listen, with another one to write.
func listenError(address string, err error) error {
	host, port, split := net.SplitHostPort(address)
	_, noPort := strconv.ParseUint(address, 10, 16)
	switch {
	case split != nil && noPort == nil:
		return fmt.Errorf("--listen %s: it is an address with a port: write --listen 127.0.0.1:%[1]s", address)
	case split != nil:
		return fmt.Errorf("--listen %s: it is an address with a port: write --listen %[1]s:7777", address)
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("--listen %s: another program listens at port %s: --listen %s takes a free one", address, port,
			net.JoinHostPort(host, "0"))
	}
	return fmt.Errorf("--listen %s: %w", address, err)
}

// addressesOf returns the addresses by which other devices in the network reach a listener.
func addressesOf(listening net.Addr) []string {
	at, ok := listening.(*net.TCPAddr)
	if !ok || at.IP.IsLoopback() {
		return nil
	}
	if !at.IP.IsUnspecified() {
		return []string{"http://" + at.String()}
	}
	var out []string
	all, _ := net.InterfaceAddrs() // none is an answer, too
	for _, x := range all {
		if n, ok := x.(*net.IPNet); ok && n.IP.IsPrivate() && n.IP.To4() != nil {
			out = append(out, fmt.Sprintf("http://%s:%d", n.IP, at.Port))
		}
	}
	return out
}

// warnIfOpen says who can ask when others than this machine can.
func (v *serving) warnIfOpen(address net.Addr) {
	if at, ok := address.(*net.TCPAddr); ok && !at.IP.IsLoopback() {
		v.warn(address.String() + " can be reached from other machines: " +
			"everybody there can read these rules and ask; there are no accounts, and nothing is encrypted")
	}
}

// handler returns the handler of the pages and of the API, behind the guard.
//
// Gates bound the requests that run at once; a client that sends or reads slowly is not inside. Evaluations take
// microseconds, so some per core may be inside. Counting odds takes up to a second, so it gets one per core and does
// not starve evaluations. Pages share a gate of their own, because they ask for odds too. A request beyond maxWaiting
// is told at once to come again in a second, instead of after a timeout.
func (v *serving) handler(lib *library.Library, tables *session.Hub) http.Handler {
	cores := goruntime.GOMAXPROCS(0)
	intake := webguard.NewIntake(api.WriteProblem)
	answers := api.Options{Budget: v.budget, Evaluating: cores * evaluatorsPer, Counting: cores, Waiting: maxWaiting,
		Intake: intake}
	m := http.NewServeMux()
	programs := api.Handler(lib, answers)
	m.Handle("/v1/", programs)
	m.Handle("/v1", programs) // without which the multiplexer answers in HTML that it has moved
	m.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	gate := webguard.NewGate(webguard.Places{Inside: cores, Waiting: maxWaiting})
	pages := site.Options{Budget: v.budget, Gate: func(next http.Handler) http.Handler { return intake.Wrap(gate, next) },
		Sessions: tables, Reach: func() []string { return v.reach }}
	// The workshop plays cases and measures branches, for which the sources are needed.
	if v.plan == "" {
		pages.Workshop = &site.Workshop{Examine: v.examine, LastScore: v.lastScore}
	}
	if v.party != "" {
		pages.Party = func(p *plan.Plan) ([]revisions.Member, error) { return loadParty(v.party, p) }
	}
	if v.folder != "" {
		pages.HasFolder = true
		kept := &folder.Folder{Dir: v.folder, Rulesets: func() []string { return lib.Shelf().Rulesets() }}
		m.Handle("/kept/", kept.Handler())
	}
	m.Handle("/", refuseJSON(site.Handler(lib, pages)))
	guard := webguard.Guard{Hosts: v.hosts, MaxBody: maxBody, IsEndless: api.IsStream, Refuse: api.WriteProblem,
		Origins: v.origins, Shared: func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/v1/") }}
	return prepareAfter(guard.Wrap(m), lib)
}

// refuseJSON tells a program that asks a page where its answers are: pages take forms, and answer in HTML.
func refuseJSON(pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "application/json" {
			api.WriteProblem(w, http.StatusNotFound, "unknown-path",
				"here are pages for people; programs ask below /v1/, as /v1"+r.URL.Path)
			return
		}
		pages.ServeHTTP(w, r)
	})
}

// prepareAfter returns a handler that lets the rulesets of a late shelf be loaded once it has answered: the first reader
// waits for nothing but the page that is opened, and the next page is ready.
func prepareAfter(next http.Handler, lib *library.Library) http.Handler {
	var once sync.Once
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer once.Do(func() { go lib.Shelf().Prepare() })
		next.ServeHTTP(w, r)
	})
}

// examine plays the golden cases of a ruleset and returns the report, with the branches that they take.
//
// Plans for coverage are compiled apart from those that are served. Their graphs count branches, and readers of the
// book should not pay for the author's examination.
func (v *serving) examine(ruleset string) (*golden.Report, error) {
	v.compiling.Lock()
	defer v.compiling.Unlock()
	plans, err := compileForCoverage(v.s, "", []string{ruleset})
	if err != nil {
		return nil, err
	}
	reports, unread := playCases(v.s, "", plans)
	if unread != nil {
		return nil, unread
	}
	return reports[0], nil
}

// lastScore returns the last measurement of a ruleset by mutants, and whether something has changed
// since; nil when there is none, as with homebrews.
func (v *serving) lastScore(ruleset string) (card *scorecard.Card, stale bool) {
	if len(v.s.With) > 0 {
		return nil, false
	}
	return scoreShelf(v.s).Last(ruleset)
}

// loadShelf returns the shelf of the rulesets, compiled or from releases, each with the earlier editions it can be
// compared with.
func (v *serving) loadShelf(rulesets []string) (*library.Shelf, error) {
	v.compiling.Lock()
	defer v.compiling.Unlock()
	if ids := v.lateRulesets(rulesets); ids != nil {
		return library.NewLateShelf(ids, v.compileEdition, time.Now()), nil
	}
	editions, err := v.loadEditions(rulesets)
	if err != nil {
		return nil, err
	}
	// The order is that in which a page offers them to compare with.
	for _, load := range []func([]*library.Edition) error{v.addWithoutHomebrews, v.addAgainst} {
		if err := load(editions); err != nil {
			return nil, err
		}
	}
	return library.NewShelf(editions, time.Now())
}

// lateRulesets returns the rulesets that are compiled when they are opened: those of a module that has several, when nobody
// names one and nothing stands beside them. Nil stands for none.
func (v *serving) lateRulesets(named []string) []string {
	if len(named) > 0 || v.plan != "" || v.against != "" || len(v.s.With) > 0 {
		return nil
	}
	ids := v.s.RulesetIDs()
	if len(ids) < 2 {
		return nil
	}
	return ids
}

// compileEdition compiles one ruleset of the module.
func (v *serving) compileEdition(ruleset string) (*library.Edition, error) {
	v.compiling.Lock()
	defer v.compiling.Unlock()
	p, err := v.s.CompileRuleset(ruleset)
	if err != nil {
		return nil, err
	}
	return library.NewEdition(p, v.s.Files()), nil
}

// addWithoutHomebrews adds to a ruleset with homebrews its edition without them.
func (v *serving) addWithoutHomebrews(editions []*library.Edition) error {
	if len(v.s.With) == 0 || v.plan != "" {
		return nil
	}
	for _, e := range editions {
		p, err := compileBase(v.s, e.Plan.Ruleset)
		if err != nil {
			return err
		}
		e.Base = p
		e.Earlier = append(e.Earlier, &library.Earlier{Called: "without " + strings.Join(e.Plan.Overlays, ", "),
			Edition: library.NewEdition(p, v.s.Files())})
	}
	return nil
}

// addAgainst adds the state of --against, which is read once.
//
// git is asked once: an earlier state does not change while files are edited, and a reload happens
// with every save.
func (v *serving) addAgainst(editions []*library.Edition) error {
	if v.against == "" {
		return nil
	}
	if v.earlier == nil {
		var ids []string
		for _, e := range editions {
			ids = append(ids, e.Plan.Ruleset)
		}
		state, err := release.ReadState(&v.s.Workspace, v.against, ids)
		if err != nil {
			return err
		}
		v.earlier = state
	}
	found := false
	for _, e := range editions {
		if r := v.earlier.Of(e.Plan.Ruleset); r != nil {
			was := library.NewEdition(r.Plan, nil)
			was.Cases = r.Cases
			e.Earlier = append(e.Earlier, &library.Earlier{Called: v.against, Edition: was})
			found = true
		}
	}
	if !found {
		return fmt.Errorf("--against %s: it has none of the rulesets that are served", v.against)
	}
	return nil
}

// loadEditions compiles the rulesets, or reads those of --plan. Editions of releases bring their
// cases; those of the module find them in its files.
func (v *serving) loadEditions(rulesets []string) (out []*library.Edition, err error) {
	switch {
	case v.plan == "":
		return v.compileEditions(rulesets)
	case len(rulesets) > 0:
		return nil, errors.New("--plan says which rulesets are served: leave their names out")
	}
	if !workspace.HoldsReleases(v.plan) {
		p, err := v.s.PlanFile(v.plan, nil)
		if err != nil {
			return nil, err
		}
		return []*library.Edition{library.NewEdition(p, nil)}, nil
	}
	releases, err := v.s.ReadReleases(v.plan)
	if err != nil {
		return nil, err
	}
	plans, err := releases.All()
	if err != nil {
		return nil, err
	}
	for _, p := range plans {
		e := library.NewEdition(p, nil)
		e.Cases = releases.ReleaseOf(p).Cases
		out = append(out, e)
	}
	return out, nil
}

// compileEditions returns the editions of the named rulesets, or of all. A name is checked first, unless the module
// itself is wrong: then compiling says so.
func (v *serving) compileEditions(rulesets []string) (out []*library.Edition, err error) {
	known := v.s.RulesetIDs()
	for _, id := range rulesets {
		if !slices.Contains(known, id) && v.s.CheckDir() == nil {
			return nil, v.s.UnknownRuleset(id)
		}
	}
	plans, err := v.s.CompileAll(rulesets...)
	for _, p := range plans {
		out = append(out, library.NewEdition(p, v.s.Files()))
	}
	return out, err
}
