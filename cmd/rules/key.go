package main

// A private key is the only secret that this program makes. It is written once, for the user alone
// (0600), and nowhere else: no agent, no key ring, no password prompt that a build could not
// answer. Who needs more keeps the file in a store of their own and gives it on standard input
// (--sign -).

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/signature"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
)

const keyHelp = `Key new makes a key that signs releases. It writes the private key to FILE, readable by you alone,
and prints the public key, which others add to the keys they trust with "rules trust add". NAME is
how messages call the signer.`

func newKey(*settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "key",
		Short: "Make a key that signs releases",
		Long:  keyHelp,
		Args:  usage.ArgCount(0, 0),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	usage.RefuseFlags(c, "a key is of no ruleset", "dir", "with")
	c.AddCommand(newKeyNew())
	return c
}

func newKeyNew() *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:     "new NAME -o FILE",
		Short:   "Write a private key and print its public key",
		Long:    keyHelp,
		Example: "  rules key new harbor.example/releases -o harbor.key",
		Args:    usage.ArgCount(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			// The public key goes to standard output alone, so that "rules key new ... > key.pub"
			// holds just what others add.
			private, public, err := signature.NewKey(args[0])
			if err != nil {
				return err
			}
			if err := writeNewFile(file, private+"\n"); err != nil {
				return err
			}
			if _, err := fmt.Fprintln(c.OutOrStdout(), public); err != nil {
				return errors.Join(fmt.Errorf("the public key cannot be written: %w", err), os.Remove(file))
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().StringVarP(&file, "out", "o", "", "write the private key to `FILE`, which must not be there")
	must.Succeed(c.MarkFlagRequired("out"))
	usage.RefuseFlags(c, "a key is of no ruleset", "dir", "with")
	return c
}

// writeNewFile writes a file for the user's eyes alone. It never replaces one: a key that is lost cannot be made again.
//
// O_EXCL decides between two processes that choose the same name at once; a look before the write
// would not.
func writeNewFile(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: choose another file for the new key", name)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}
