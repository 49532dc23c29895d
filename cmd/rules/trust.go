package main

// Two kinds of trust are listed here. A trusted key makes pulled releases and homebrews welcome. A
// trusted directory is compiled in this process, with ten times the bounds of the sandbox, because its
// author is trusted not to write a module that never ends. Neither implies the other: who signed a
// homebrew says nothing about how long it takes to compile.

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/trust"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/signature"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
)

const trustHelp = `Trust lists what you trust: directories of modules, and public keys.

The rulesets and homebrews of others are compiled in a process of their own, with bounds on its time
and its memory, because a file of a few hundred bytes can take all of both. A module that you wrote
yourself, or have read, can be trusted: "rules trust add DIR" lets it be compiled at once and
within ten times these bounds, "rules trust remove DIR" ends that, and "rules init" trusts what it makes. A
directory that lies in a trusted one is not trusted by that. What is trusted is the directory that was
there: another one in its place is a stranger's, and so is one that others may write, or rename.

What the process of a stranger's module is kept to depends on the system. Everywhere its time and its
memory have bounds, its environment is empty, and CUE has no function that opens a file, a connection or
a program. On Unix the system keeps the bounds too. On Linux with amd64 or arm64, where the kernel has
seccomp, it also gains no privileges, and cannot start a program, open a connection, change a file or
touch another process, whatever goes wrong in it. On Windows processor time is estimated by the clock.

"rules verify" and "rules pull" accept what a trusted key has signed. "rules trust add KEY" adds a
public key, as "rules key new" prints it, or the one in a file, and "rules trust remove KEY" takes it
away again; NAME+HASH, as messages name it, is enough for that. A homebrew that a trusted key has
signed is still a stranger's: who made it and how it is compiled are two questions. Keys and
directories stand one a line in tabletop-rules/trusted_keys and tabletop-rules/trusted, in the
directory where your system keeps settings. Neither is believed when others can change it: the file,
or a directory above it.`

func newTrust(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:     "trust",
		Short:   "List the modules and the keys that you trust, or add one",
		Long:    trustHelp,
		Example: "  rules trust\n  rules trust add myhouse\n  rules trust add games.pub",
		Args:    usage.ArgCount(0, 0),
		RunE:    func(c *cobra.Command, _ []string) error { return listTrusted(s, c) },
	}
	add := newTrustChange(s, "add", "KEY|DIR", "Trust the signatures of a key, or the module in a directory", addTrusted)
	remove := newTrustChange(s, "remove", "KEY|DIR", "Trust a key, or the module in a directory, no more", removeTrusted)
	for _, x := range []*cobra.Command{c, add, remove} {
		usage.RefuseFlags(x, "what you trust is the same for all rulesets", "dir", "with")
	}
	c.AddCommand(add, remove)
	return c
}

// newTrustChange returns a command that changes the trust in its one argument, and prints the result.
func newTrustChange(s *settings, name, argument, short string,
	change func(argument string) (string, error)) *cobra.Command {
	return &cobra.Command{
		Use:     name + " " + argument,
		Short:   short,
		Long:    trustHelp,
		Example: "  rules trust " + name + " myhouse",
		Args:    usage.ArgCount(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			done, err := change(args[0])
			if err != nil {
				return err
			}
			page := s.newPage(c.OutOrStdout())
			page.AddLine(0, "%s", done)
			return page.Flush(c.OutOrStdout())
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
}

// addTrusted trusts a key, that in a file, or else a directory.
//
// A text that parses as a key, with its hash, is taken for one: no directory has such a name by accident.
func addTrusted(argument string) (string, error) {
	for _, text := range []string{argument, keyIn(argument)} {
		if key, err := signature.ParsePublicKey(text); err == nil {
			return fmt.Sprintf("signatures of %s are trusted", signature.KeyName(key)), signature.AddTrusted(text)
		}
	}
	dir, err := trust.Add(argument)
	if err != nil {
		return "", fmt.Errorf("%q is no public key, and no directory that can be trusted: %w", argument, err)
	}
	return dir + " is trusted", nil
}

// keyIn returns the text of a file, as "rules key new > FILE" writes it; "" of anything else.
func keyIn(file string) string {
	data, err := safefile.Read(file)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// removeTrusted ends the trust in a key, that in a file, or else in a directory. A key may be given by its name alone,
// since messages show only this.
func removeTrusted(argument string) (string, error) {
	for _, text := range []string{argument, keyIn(argument)} {
		name, err := signature.RemoveTrusted(text)
		if err != nil {
			return "", err
		}
		if name != "" {
			return fmt.Sprintf("signatures of %s are trusted no more", name), nil
		}
	}
	dir, err := trust.Remove(argument)
	return dir + " is trusted no more", err
}

// listTrusted prints the directories, then the keys.
func listTrusted(s *settings, c *cobra.Command) error {
	dirs, err := trust.List()
	if err != nil {
		return err
	}
	keys, err := signature.TrustedKeys()
	if err != nil {
		return err
	}
	page := s.newPage(c.OutOrStdout())
	for _, line := range append(dirs, keys...) {
		page.AddLine(0, "%s", line)
	}
	return page.Flush(c.OutOrStdout())
}

// trustOwn trusts a module that this program has just made. Where the list cannot be written the module is compiled like a
// stranger's, which only takes a moment longer.
func trustOwn(dir string) { _, _ = trust.Add(dir) }
