package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/signal"
	goruntime "runtime"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/api"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/toolserver"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/webguard"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
)

const mcpHelp = `Mcp lets an assistant ask the rules, by the Model Context Protocol: over standard input and output, as
programs start a server of their own, or over HTTP with --listen. Without a ruleset it answers from all that the module
ships, with --plan from the releases of a directory.

Nine tools: find searches the rules, show tells a definition with its table and its rulings, needs tells what a rule
takes, evaluate carries it out and rolls when no dice are given, odds answers over every way in which the dice can fall, why
says what decided an answer, check judges a character, play goes through a procedure event by event, compare sets
variants side by side. An answer has a sentence in the words of the ruleset, the same as JSON with a schema, where the book
says it, the digest of the rules, and for every roll a receipt that "rules verify" replays. What an input lacks is asked of
the person at the assistant, where that can ask.

With --characters DIR an assistant names characters, "ada" for ada.json in that directory, and no name leads out of it.
A character is played by the revision that it is pinned to, where the call names none. Nothing is written, and no tool reads
another file.

Over HTTP it listens as "rules serve" does: on this machine alone unless --listen says otherwise, without accounts and
without encryption, to hosts that are addresses, localhost or named by --host, and to no page elsewhere.

Exit status: 0 when the client has gone or it was told to stop; 2 when there is nothing to answer from or it cannot listen.`

// A toolServing is what mcp is told.
type toolServing struct {
	serving
	http bool // listen, and do not talk over standard input and output
}

func newMCP(s *settings) *cobra.Command {
	v := &toolServing{serving: serving{s: s}}
	c := &cobra.Command{
		Use:   "mcp [RULESET...]",
		Short: "Let an assistant ask the rules (Model Context Protocol)",
		Long:  mcpHelp,
		Example: `  rules mcp tempestas --characters party
  rules mcp --plan releases --listen 127.0.0.1:7778`,
		Args: usage.ArgCount(0, usage.Many),
		RunE: func(c *cobra.Command, args []string) error {
			v.c, v.http = c, c.Flags().Changed("listen")
			return v.serveTools(args)
		},
		ValidArgsFunction: completion.CompleteRulesets(&s.Workspace),
	}
	f := c.Flags()
	f.StringVar(&v.listen, "listen", "", "answer over HTTP on `ADDRESS`, at /mcp; port 0 takes a free one")
	f.StringArrayVar(&v.hosts, "host", nil,
		"with --listen: answer to this `NAME` too, besides addresses and localhost; may be repeated")
	f.StringVar(&v.plan, "plan", "", "answer from the plan in `FILE`, or the releases of a directory or a lock file")
	f.StringVar(&v.party, "characters", "", "let the characters in `DIR` be named")
	f.Int64Var(&v.budget, "budget", serveBudget, "refuse odds that would meet more than `N` states")
	return c
}

// serveTools answers until the client goes, or until it is interrupted.
func (v *toolServing) serveTools(rulesets []string) error {
	switch {
	case v.budget < 1:
		return fmt.Errorf("--budget %d: it is at least 1", v.budget)
	case len(v.hosts) > 0 && !v.http:
		return errors.New("--host is of --listen: over standard input nobody calls by a name")
	}
	lib, err := library.Open(func() (*library.Shelf, error) { return v.loadShelf(rulesets) })
	if err != nil {
		return err
	}
	options := toolserver.Options{Version: programVersion(), Budget: v.budget}
	if v.party != "" {
		if options.Party, err = toolserver.OpenParty(v.party); err != nil {
			return fmt.Errorf("--characters: %w", err)
		}
		defer options.Party.Close()
	}
	ctx, stop := signal.NotifyContext(v.c.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	v.watch(ctx, lib)
	server := toolserver.New(lib, options)
	if v.http {
		return v.answer(ctx, v.guarded(toolserver.Handler(server)))
	}
	return talk(ctx, server, v.c.InOrStdin(), v.c.OutOrStdout())
}

// guarded puts the guard of pages and one gate before the tools: any of them may take as long as odds do.
func (v *toolServing) guarded(tools http.Handler) http.Handler {
	cores := goruntime.GOMAXPROCS(0)
	gate := webguard.NewGate(webguard.Places{Inside: cores, Waiting: maxWaiting})
	m := http.NewServeMux()
	m.Handle("/mcp", webguard.NewIntake(api.WriteProblem).Wrap(gate, tools))
	guard := webguard.Guard{Hosts: v.hosts, MaxBody: maxBody, Refuse: api.WriteProblem}
	return guard.Wrap(m)
}

// talk answers over a pair of streams until the client closes its own, or the context ends.
func talk(ctx context.Context, server *mcp.Server, in io.Reader, out io.Writer) error {
	err := server.Run(ctx, &toolserver.Stream{In: in, Out: out, MaxLine: maxBody})
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
