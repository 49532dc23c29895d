package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/signature"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
)

const trustHelp = `Trust lists the public keys that you trust. "rules verify RELEASE" accepts a release that one of them signed. "rules trust
add KEY" adds a public key, as "rules key new" prints it. The keys stand one a line in tabletop-rules/trusted_keys, in the
directory where your system keeps settings.`

func newTrust(*settings) *cobra.Command {
	c := &cobra.Command{
		Use:     "trust",
		Short:   "List the keys whose signatures you trust, or add one",
		Long:    trustHelp,
		Example: "  rules trust",
		Args:    usage.ArgCount(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			keys, err := signature.TrustedKeys()
			for _, k := range keys {
				fmt.Fprintln(c.OutOrStdout(), k)
			}
			return err
		},
	}
	add := &cobra.Command{
		Use:   "add KEY",
		Short: "Trust the signatures of a key",
		Long:  trustHelp,
		Args:  usage.ArgCount(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			key, err := signature.ParsePublicKey(args[0])
			if err != nil {
				return err
			}
			if err := signature.AddTrusted(args[0]); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "signatures of %s are trusted\n", signature.KeyName(key))
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	for _, x := range []*cobra.Command{c, add} {
		usage.RefuseFlags(x, "trusted keys are the same for all rulesets", "dir", "with")
	}
	c.AddCommand(add)
	return c
}
