package main

// # What a registry holds
//
// Releases and homebrews are published as artifacts of the Open Container Initiative (OCI), in
// registries that are made for container images: they exist everywhere, know accounts, and keep
// things by their digests. Package registry speaks the protocol. An artifact is a manifest, which
// names by digest one blob, the file, and further ones, its signature files.
//
//	REGISTRY/REPOSITORY:TAG     a name that its owner may move
//	REGISTRY/REPOSITORY@DIGEST  a manifest for ever
//
// A tag is for people. Whatever counts on getting the same again (the lock file) keeps the digest.

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/artifact"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/registry"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/signature"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
)

const publishHelp = `Publish puts a release file, or the directory of a homebrew, into an OCI registry: the kind that
container images live in. REF is HOST/REPOSITORY:TAG or, of a directory in the OCI layout that other
tools read too, its path, ./games/cairn:TAG; the directory is new, empty or a layout. The tag of a
release is its revision unless REF says another; a homebrew needs one.

The signatures in FILE.sig or DIR.sig, which "rules sign" writes, are attached. When others sign the
same file later, publishing it again adds their signatures. Everything else that is published stays
as it is: a tag that has another file is refused. So is a place that is not the signed one, as "rules
sign" says, and a number as the tag of another revision: "rules pull" would not take it.

Of a directory all files are published but those whose names begin with a dot. Links are refused.

` + registryHelp

// registryHelp is what publish and pull have in common.
const registryHelp = `Credentials are those that "docker login HOST" keeps. Plain HTTP is spoken with this machine, and with
others where --insecure allows it.`

// A published is a thing that a registry has.
//
// Digest is of the manifest, by which a registry is asked, and Content of the file, by which people
// compare what they hold.
type published struct {
	Kind      signature.Kind `json:"kind"`
	Name      string         `json:"name"`
	Reference string         `json:"reference"`
	Digest    string         `json:"digest"`  // in the registry
	Content   string         `json:"content"` // digest of the file
	Signed    bool           `json:"signed"`
}

func newPublish(s *settings) *cobra.Command {
	var insecure bool
	var format usage.Format
	c := &cobra.Command{
		Use:   "publish REF FILE|DIR",
		Short: "Publish a release or a homebrew in a registry",
		Long:  publishHelp,
		Example: "  rules publish registry.example/games/tempestas tempestas-0.2.0.rules\n" +
			"  rules publish ./games/tempestas tempestas-0.2.0.rules\n" +
			"  rules publish registry.example/homebrews/myhomebrew:1 myhomebrew",
		Args: usage.ArgCount(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			ref, err := registry.ParseReference(args[0])
			if err != nil {
				return err
			}
			done, err := publishFile(s, c, ref, args[1], insecure)
			if err != nil {
				return err
			}
			if format == usage.AsJSON {
				return jsontext.PrintJSON(c.OutOrStdout(), done)
			}
			page := s.newPage(c.OutOrStdout())
			page.AddLine(0, "%s", page.Style(layout.Bold, done.Reference+"@"+done.Digest))
			if done.Signed {
				page.AddLine(2, "%s, with its signatures", args[1])
			} else {
				page.AddLine(2, "%s, which is not signed", args[1])
			}
			return page.Flush(c.OutOrStdout())
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 1 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return nil, usage.NoFiles
		},
	}
	addInsecure(c, &insecure)
	format.AddTo(c)
	usage.RefuseFlags(c, "what is published are files as they are", "dir", "with")
	return c
}

// addInsecure adds --insecure. A registry on this machine is spoken to over plain HTTP in any case:
// nobody listens in between.
func addInsecure(c *cobra.Command, insecure *bool) {
	c.Flags().BoolVar(insecure, "insecure", false, "speak plain HTTP with a registry that is not this machine")
}

// publishFile publishes a release file or the directory of a homebrew.
//
// The signature file is checked against the contents before it goes anywhere: a registry would keep a signature of
// other bytes for ever. Nothing published holds a secret or a path of this machine.
func publishFile(s *settings, c *cobra.Command, ref registry.Reference, file string, insecure bool) (*published, error) {
	a, err := readArtifact(s, file)
	if err != nil {
		return nil, err
	}
	switch {
	case ref.Digest != "":
		return nil, errors.New("a digest comes of what is published: leave it out of REF")
	case ref.Tag == "" && a.Revision == "":
		return nil, fmt.Errorf("a homebrew has no revision of its own: name a tag, like %s:1", ref)
	// A release names itself: its tag is its revision, so that no two revisions get one tag by a
	// slip.
	case ref.Tag == "":
		ref.Tag = a.Revision
	}
	t := &registry.Thing{Type: registry.ReleaseType, Name: a.Name, Data: a.Data}
	if a.Kind == signature.Homebrew {
		t.Type, t.Name = registry.HomebrewType, a.Name+homebrewSuffix
	}
	if a.Signature != nil {
		if _, err := signature.Merge(file, a.Subject(), a.Data, a.Signature); err != nil {
			return nil, err
		}
		t.Signatures = [][]byte{a.Signature}
	}
	var signed *signature.Subject
	if subject, says := signature.SubjectOf(a.Signature); says {
		signed = &subject
	}
	if err := a.CheckPlace(ref.Host+"/"+ref.Repository, ref.Tag, signed); err != nil { // "rules pull" would refuse it
		return nil, err
	}
	line := layout.NewLiveLine(c.ErrOrStderr())
	defer line.Clear()
	client, err := dialRegistry(ref, insecure, line)
	if err != nil {
		return nil, err
	}
	digest, err := client.Publish(c.Context(), ref, t)
	if err != nil {
		return nil, err
	}
	return &published{a.Kind, a.Name, ref.String(), digest, a.Digest(), a.Signature != nil}, nil
}

// homebrewSuffix follows the name of a homebrew in that of its archive.
const homebrewSuffix = ".tar"

// readArtifact reads a release file, or packs the directory of a homebrew. A directory is packed
// the same way on every machine, so that its digest is that of its files.
func readArtifact(s *settings, file string) (*artifact.Artifact, error) {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return readHomebrew(s, file)
	}
	return artifact.Read(file)
}

// dialRegistry prepares to talk to the registry of a reference, and shows on a line how much of a file has gone.
func dialRegistry(ref registry.Reference, insecure bool, line *layout.LiveLine) (*registry.Client, error) {
	progress := func(done, size int64) { line.Show("%s: %d of %d KiB", ref, done>>10, size>>10) }
	if _, ok := ref.Layout(); ok {
		return registry.OpenLayout(ref, progress), nil
	}
	return registry.Dial(ref.Host, insecure, progress)
}
