package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/opencontainers/go-digest"
	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/trust"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/archive"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/artifact"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/lockfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/registry"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/signature"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/shell"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/compare"
)

const pullHelp = `Pull fetches releases and homebrews that "rules publish" has put into registries. REF is
HOST/REPOSITORY:TAG, or HOST/REPOSITORY@DIGEST; of a directory in the OCI layout it is the path,
./games/tempestas:0.2.0. A release becomes a file <ruleset>-<revision>.rules, a
homebrew a directory; the signatures stand beside them in FILE.sig or DIR.sig.

Only what a key that you trust has signed is taken: see "rules trust". --untrusted takes what nobody
has signed, or somebody whose key you do not trust. What was altered after somebody signed it is never
taken. A homebrew that is pulled counts as a stranger's, whoever has signed it: it is compiled within
bounds.

What is signed is taken from where it belongs: a release from a repository that ends in the name of its
ruleset, a homebrew from one that ends in its own, or from the place that "rules sign --for" named. A
tag that is a number, as 0.2.0, must have that revision. Under other tags a release that is older than
one of the same repository in rules.lock is refused unless --downgrade takes it.

The file rules.lock says what was pulled, with its digests. Keep it in version control. The path of a
directory stands there as it is seen from the file, unless it is an absolute one. Without REF,
pull fetches what stands there and is missing; the same bytes, or nothing. When a registry has another
thing under a tag that stands there, it is refused unless --update takes the new one. "--plan
rules.lock" plays the releases in it, and checks their digests.

Exit status: 0 when everything is there; 1 when something is refused, and then it is not written; 2
when the question cannot be asked, or a registry does not answer with what it promised.

` + registryHelp

// A pulling is a command line of pull.
//
// The order for each thing is: find out its digest, fetch bytes of this digest, check signatures,
// write the file, write the lock file. When it stops in between, the lock file names less than
// there is and never more.
type pulling struct {
	s         *settings
	c         *cobra.Command
	dir       string
	update    bool
	untrusted bool
	downgrade bool
	insecure  bool
	format    usage.Format
	line      *layout.LiveLine // how much of a file has come
	done      []pulled
}

// A pulled is a thing that was pulled, or was there already.
//
// SignedBy are keys that are trusted here; Unknown have signed it as well, which says nothing until
// somebody trusts them.
type pulled struct {
	Kind      signature.Kind `json:"kind"`
	File      string         `json:"file"` // or directory
	Reference string         `json:"reference"`
	Digest    string         `json:"digest"`  // in the registry
	Content   string         `json:"content"` // digest of the file
	Fetched   bool           `json:"fetched"`
	SignedBy  []string       `json:"signed_by"` // by trusted keys
	Unknown   []string       `json:"unknown_signers"`
}

func newPull(s *settings) *cobra.Command {
	q := &pulling{s: s, done: []pulled{}}
	c := &cobra.Command{
		Use:   "pull [REF ...]",
		Short: "Fetch releases and homebrews from registries",
		Long:  pullHelp,
		Example: "  rules pull registry.example/games/tempestas:0.2.0 -o pulled\n" +
			"  rules pull ./games/tempestas:0.2.0 -o pulled\n" +
			"  rules pull registry.example/homebrews/myhomebrew:1 --untrusted -o pulled\n" +
			"  rules pull -o pulled",
		RunE: func(c *cobra.Command, args []string) error {
			q.c, q.line = c, layout.NewLiveLine(c.ErrOrStderr())
			// What was pulled before something failed is written and stays; it is printed, and the
			// error after it.
			err := q.pullAll(args)
			q.line.Clear()
			return errors.Join(q.print(), err)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().StringVarP(&q.dir, "out", "o", ".", "write the files and rules.lock to `DIR`")
	c.Flags().BoolVar(&q.update, "update", false, "take what a registry has now under a tag that rules.lock names")
	c.Flags().BoolVar(&q.untrusted, "untrusted", false, "take what no key that you trust has signed, too")
	c.Flags().BoolVar(&q.downgrade, "downgrade", false,
		"take a revision under a moving tag that is older than one in rules.lock")
	addInsecure(c, &q.insecure)
	q.format.AddTo(c)
	usage.RefuseFlags(c, "what is pulled are files as they are", "dir", "with")
	return c
}

// lockName returns the name of the lock file. It stands in the directory of the pulled files, so that this can be
// handed on whole.
func (q *pulling) lockName() string { return filepath.Join(q.dir, lockfile.Name) }

// readLock reads the lock file; one that is not there names nothing.
func (q *pulling) readLock() (*lockfile.Lock, error) {
	text, err := safefile.Read(q.lockName())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l, err := lockfile.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.lockName(), err)
	}
	return l, nil
}

// pullAll pulls the references, or without any the entries of the lock file that are missing.
func (q *pulling) pullAll(references []string) error {
	lock, err := q.readLock()
	if err != nil {
		return err
	}
	if len(references) > 0 {
		for _, text := range references {
			ref, err := registry.ParseReference(text)
			if err != nil {
				return err
			}
			if err := q.pullOne(lock, ref); err != nil {
				return err
			}
		}
		return nil
	}
	if len(lock.Entries) == 0 {
		return fmt.Errorf("name what is to be pulled: there is nothing in %s", q.lockName())
	}
	if err := usage.RefuseGiven(q.c, "name what is to be pulled anew", "update"); err != nil {
		return err
	}
	// What is restored is what the lock file named at the beginning; each fetch reads and writes
	// the file anew.
	for _, e := range slices.Clone(lock.Entries) {
		if err := q.restoreEntry(&e); err != nil {
			return err
		}
	}
	return nil
}

// pullOne pulls the artifact that a reference names, if the lock file has no other digest for it.
//
// A tag can be moved by whoever owns the repository. The digest in the lock file counts until --update says otherwise:
// a table of players does not get other rules because somebody has pushed.
func (q *pulling) pullOne(lock *lockfile.Lock, ref registry.Reference) error {
	client, err := q.dial(ref)
	if err != nil {
		return err
	}
	if ref.Tag == "" && ref.Digest == "" {
		if tags := client.NameTags(q.c.Context(), ref); tags != "" {
			return fmt.Errorf("%s: name a tag, like %s:TAG; there is %s", ref, ref, tags)
		}
		return fmt.Errorf("%s: name a tag, like %s:0.1.0", ref, ref)
	}
	replaces := ""
	locked, err := ref.RelativeTo(q.dir)
	if err != nil {
		return err
	}
	if e := lock.Find(locked.Name()); e != nil && ref.Tag != "" {
		if ref.Digest == "" {
			now, err := client.Resolve(q.c.Context(), ref)
			if err != nil {
				return err
			}
			ref.Digest = digest.Digest(now)
		}
		if ref.Digest.String() != e.Digest && !q.update {
			return &exit.Denial{Why: fmt.Sprintf("%s is another one than that of %s: %s now, %s there; --update takes it",
				ref.Name(), q.lockName(), ref.Digest, e.Digest)}
		}
		replaces = e.Content
	}
	return q.fetch(client, ref, replaces)
}

// dial prepares to talk to the registry of a reference; nothing is sent before the first question.
func (q *pulling) dial(ref registry.Reference) (*registry.Client, error) {
	return dialRegistry(ref, q.insecure, q.line)
}

// restoreEntry fetches the artifact of an entry of the lock file, unless it is there.
func (q *pulling) restoreEntry(e *lockfile.Entry) error {
	ref, err := registry.ParseReference(e.Reference + "@" + e.Digest)
	if err != nil {
		return fmt.Errorf("%s: %w", q.lockName(), err)
	}
	ref = ref.From(q.dir)
	file := filepath.Join(q.dir, e.Name)
	if a, err := artifact.Read(file); err == nil && a.Digest() == e.Content {
		q.done = append(q.done, pulled{
			Kind: signature.Kind(e.Kind), File: file, Reference: ref.Name(), Digest: e.Digest, Content: e.Content,
			SignedBy: []string{}, Unknown: []string{},
		})
		return nil
	}
	client, err := q.dial(ref)
	if err != nil {
		return err
	}
	return q.fetch(client, ref, "")
}

// sizeLimit returns how many bytes a thing of a type may have, 0 for a type that is not pulled. The
// registry's word for a size is not trusted: fetching stops at this bound.
func sizeLimit(kind string) int64 {
	switch kind {
	case registry.ReleaseType:
		return safefile.Max
	case registry.HomebrewType:
		return archive.MaxSize
	}
	return 0
}

// fetch pulls a thing, checks its signatures, writes it and then the lock file. A file that is
// there already is overwritten only when its digest is that in replaces.
func (q *pulling) fetch(client *registry.Client, ref registry.Reference, replaces string) error {
	t, found, err := client.Fetch(q.c.Context(), ref, sizeLimit)
	if err != nil {
		return err
	}
	kind := signature.Release
	if t.Type == registry.HomebrewType {
		kind = signature.Homebrew
	}
	a, err := artifact.Parse(kind, strings.TrimSuffix(t.Name, homebrewSuffix), t.Data)
	if err != nil {
		// A thing that is no sound artifact is the answer no: the question was asked, and this is
		// what the registry has.
		return fmt.Errorf("%s: %w", ref, &exit.Denial{Why: err.Error()})
	}
	if a.Signature, err = signature.Merge(ref.String(), a.Subject(), a.Data, t.Signatures...); err != nil {
		return err
	}
	done := pulled{
		Kind: kind, File: filepath.Join(q.dir, a.Name), Reference: ref.Name(), Digest: found, Content: a.Digest(),
		Fetched:  true,
		SignedBy: []string{}, Unknown: []string{},
	}
	if err := q.checkSignatures(ref, a, &done); err != nil {
		return err
	}
	if err := q.checkAge(a, ref); err != nil {
		return err
	}
	if err := q.write(a, ref, &done, replaces); err != nil {
		return err
	}
	q.done = append(q.done, done)
	return nil
}

// checkAge refuses a release that is older than one of the same repository in the lock file, unless its number was
// asked for. Whoever moves a tag back, or shows an old state of a registry, withholds later corrections.
func (q *pulling) checkAge(a *artifact.Artifact, ref registry.Reference) error {
	if q.downgrade || a.Kind != signature.Release || ref.Tag == a.Revision || ref.Tag == "" {
		return nil
	}
	lock, err := q.readLock()
	if err != nil {
		return err
	}
	mine, err := compare.ParseNumber(a.Revision)
	if err != nil {
		return err
	}
	here, err := ref.RelativeTo(q.dir)
	if err != nil {
		return err
	}
	for _, e := range lock.Entries {
		other, err := registry.ParseReference(e.Reference)
		if err != nil {
			return fmt.Errorf("%s: %w", q.lockName(), err)
		}
		revision, ofRuleset := strings.CutPrefix(strings.TrimSuffix(e.Name, workspace.ReleaseSuffix), a.Ruleset+"-")
		there, err := compare.ParseNumber(revision)
		if ofRuleset && err == nil && mine.Less(there) && other.Host == here.Host &&
			other.Repository == here.Repository {
			return &exit.Denial{Why: fmt.Sprintf("%s is %s, and %s names %s of the same repository: "+
				"--downgrade takes the older one",
				ref.Name(), a.Title(), q.lockName(), revision)}
		}
	}
	return nil
}

// checkSignatures accepts only contents that a trusted key has signed, for the place where they were found, unless
// --untrusted is given. Even then a signature that does not verify refuses: the contents were altered.
func (q *pulling) checkSignatures(ref registry.Reference, a *artifact.Artifact, done *pulled) error {
	repository := ref.Host + "/" + ref.Repository
	if a.Signature == nil {
		if q.untrusted {
			return a.CheckPlace(repository, ref.Tag, nil)
		}
		return &exit.Denial{Why: fmt.Sprintf("%s is not signed; --untrusted takes it all the same", ref)}
	}
	check, err := a.Check(ref.String())
	if e, unknown := errors.AsType[*signature.UnknownKeyError](err); unknown && q.untrusted {
		done.Unknown = e.Signers
		return a.CheckPlace(repository, ref.Tag, nil)
	}
	if err != nil {
		return err
	}
	if err := a.CheckPlace(repository, ref.Tag, &check.Subject); err != nil {
		return err
	}
	done.SignedBy, done.Unknown = check.Trusted, append(done.Unknown, check.Unknown...)
	return nil
}

// write writes an artifact and then the lock file, while no other program changes them.
//
// The lock of the directory is held from the first look at the files until the lock file is written. The lock file is
// read again under it, because another pull may have added a line meanwhile. Trust of a directory ends when its
// contents change: somebody has read the old ones.
func (q *pulling) write(a *artifact.Artifact, ref registry.Reference, done *pulled, replaces string) error {
	locked, err := ref.RelativeTo(q.dir)
	if err != nil {
		return err
	}
	unlock, err := atomicfile.Lock(q.dir)
	if err != nil {
		return err
	}
	defer unlock()
	changed, err := a.Write(q.dir, replaces)
	if err != nil {
		return err
	}
	if changed && a.Kind == signature.Homebrew { // what stood there before may have been trusted, and not this
		if _, err := trust.Remove(done.File); err != nil {
			return err
		}
	}
	lock, err := q.readLock()
	if err != nil {
		return err
	}
	lock.Put(lockfile.Entry{
		Kind: string(a.Kind), Name: a.Name, Reference: locked.Name(), Digest: done.Digest, Content: done.Content,
	})
	return atomicfile.TheDisk().WriteWhole(q.lockName(), lock.Text())
}

// print prints the pulled artifacts with their signers. An unknown signer is marked as such: a name in a signature
// proves nothing until its key is trusted.
func (q *pulling) print() error {
	if q.format == usage.AsJSON {
		return jsontext.PrintJSON(q.c.OutOrStdout(), q.done)
	}
	page := q.s.newPage(q.c.OutOrStdout())
	for _, x := range q.done {
		page.AddLine(0, "%s", page.Style(layout.Bold, x.File))
		page.AddLine(2, "%s@%s", x.Reference, x.Digest)
		switch {
		case !x.Fetched:
			page.AddLine(2, "is there already")
		case len(x.SignedBy) == 0 && len(x.Unknown) == 0:
			page.AddLine(2, "nobody has signed it")
		}
		for _, signer := range x.SignedBy {
			page.AddLine(2, "signed by %s", signer)
		}
		for _, signer := range x.Unknown {
			page.AddLine(2, "signed by %s, whose key is not trusted", signer)
		}
	}
	if n := len(q.done); n > 0 && q.done[n-1].Fetched && q.done[n-1].Kind == signature.Release {
		page.AddLine(0, "play it with")
		page.AddLine(2, "rules play --plan %s", shell.Quote(q.done[n-1].File))
	}
	return page.Flush(q.c.OutOrStdout())
}
