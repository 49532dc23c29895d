package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
)

// TestEveryFlagCompletes fails for a flag whose value the shell would complete with names of files, though it is none.
func TestEveryFlagCompletes(t *testing.T) {
	visit(newRoot(), func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" || usage.Placeholder(f) == "FILE" || usage.Placeholder(f) == "DIR" {
				return
			}
			if _, known := c.GetFlagCompletionFunc(f.Name); !known {
				t.Errorf("%s: nothing completes --%s", c.CommandPath(), f.Name)
			}
		})
	})
}

// visit calls f for our commands, without those of cobra.
func visit(c *cobra.Command, f func(*cobra.Command)) {
	if c.Name() == "completion" {
		return
	}
	f(c)
	for _, sub := range c.Commands() {
		visit(sub, f)
	}
}

func TestCompletion(t *testing.T) {
	for _, x := range []struct {
		line string
		want []string // among what is offered
	}{
		{"eval tempestas|", []string{"test\tOne roll of d100 against a statistic or a skill."}},
		{"eval tempestas test --set|d", []string{"difficulty=\tstring, standard|moderate|hard|extreme|monstrous"}},
		{"eval tempestas test --set|difficulty=", []string{"difficulty=hard", "difficulty=monstrous"}},
		{"odds tempestas test --vary|", []string{"complications=\tint, at least 0"}},
		{"eval tempestas test --dice|", []string{"roll="}},
		{"eval tempestas test --option|", []string{"heroic_band=none\tnowhere: only the Active Value itself is heroic"}},
		{"eval tempestas test --output|success,", []string{"success,outcome"}},
		{"odds tempestas task --policy|", []string{"roll:"}},
		{"odds tempestas test --format|", []string{"svg"}},
		{"schema tempestas --input|", []string{"task.roll", "test\tOne roll of d100 against a statistic or a skill."}},
		{"test tempestas|", []string{"haze"}},
		{"init x --homebrew|", []string{"haze"}},
		{"plan tempestas --without|", []string{"fuse"}},
		{"help|", []string{"dice\tGiving, drawing and writing dice",
			"eval\tCarry out a rule for a character and print its sheet"}},
		{"vet --color|", []string{"never"}},
	} {
		before, begun, _ := strings.Cut(x.line, "|")
		var out strings.Builder
		if status := Main(append(append([]string{"__complete"}, strings.Fields(before)...), begun), nil, &out,
			io.Discard); status != exit.Done {
			t.Errorf("%s: status %d", x.line, status)
		}
		offered := strings.Split(out.String(), "\n")
		for _, w := range x.want {
			if !slices.ContainsFunc(offered, func(s string) bool { return s == w || strings.HasPrefix(s, w+"\t") }) {
				t.Errorf("%s: %q is not offered, but %q", x.line, w, offered)
			}
		}
	}
}
