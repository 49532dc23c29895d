// Package registry publishes releases and homebrews to OCI registries, where container images live too, and fetches them.
//
// A thing is an image manifest with an artifact type of its own and one layer, which is the file. The manifest holds
// nothing else that could differ, so that the same file has the same digest in every registry. Signatures are manifests
// of their own that name the first as their subject, so that others can sign what is published without changing it; a
// registry that does not know subjects gets the index under the tag that the distribution specification has for it.
//
// A registry is not trusted. What it gives is bounded in size and time, and its digests are computed here. Which bytes
// belong to a name only a lock file or a signature says; both are for the caller to judge.
package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"cuelabs.dev/go/oci/ociregistry"
	"cuelabs.dev/go/oci/ociregistry/ociauth"
	"cuelabs.dev/go/oci/ociregistry/ociclient"
	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
)

// The types of what is published.
const (
	ReleaseType   = "application/vnd.tabletop-rules.release.v1"
	HomebrewType  = "application/vnd.tabletop-rules.homebrew.v1.tar"
	signatureType = "application/vnd.tabletop-rules.signature.v1+note"
)

// Bounds in bytes and numbers of what is fetched beside the file itself.
const (
	maxManifest   = 64 << 10
	maxSignature  = 64 << 10
	maxSignatures = 32
	maxTagsNamed  = 20
	maxTagsRead   = 10_000
)

// A Thing is what is published under one reference.
//
// A thing is small, some megabytes at most, and is in memory whole: its digest is needed before a
// byte of it is sent, and again before a byte of it is believed.
type Thing struct {
	Type       string // ReleaseType or HomebrewType
	Name       string // of its file
	Data       []byte
	Signatures [][]byte // signature files
}

// A Client talks to one registry.
type Client struct {
	registry ociregistry.Interface
	host     string
	progress func(done, of int64)
}

// Dial prepares to talk to a registry, with the credentials that Docker's configuration has for it. Plain HTTP is spoken
// where insecure is set, and with this machine. The progress of files is told to progress.
func Dial(host string, insecure bool, progress func(done, of int64)) (*Client, error) {
	return dialAt(host, insecure, progress, usualPace)
}

// dialAt is Dial with a pace, which tests choose. The order of the transports matters: ours is the
// innermost, so that the requests for tokens are bounded as well.
func dialAt(host string, insecure bool, progress func(done, of int64), p pace) (*Client, error) {
	credentials, err := ociauth.Load(nil)
	if err != nil {
		return nil, fmt.Errorf("the credentials cannot be read: %w", err)
	}
	plain := insecure || IsLoopback(host)
	bounded := &transport{base: http.DefaultTransport, plain: plain, pace: p}
	registry, err := ociclient.New(host, &ociclient.Options{
		Insecure:  plain,
		Transport: ociauth.NewStdTransport(ociauth.StdTransportParams{Config: credentials, Transport: bounded}),
	})
	if err != nil {
		return nil, err
	}
	return &Client{registry, host, progress}, nil
}

// Publish publishes a thing under a tag, with its signatures, and returns the digest of its manifest. When the tag has the
// same file already, only the signatures are added; when it has another one, that is an exit.Denial: a pinned file never
// changes.
func (c *Client) Publish(ctx context.Context, ref Reference, t *Thing) (string, error) {
	// Looked up first: pushing a manifest under a tag that is there would move the tag.
	described, err := c.findPublished(ctx, ref, t)
	if err == nil && described == nil {
		described, err = c.pushFile(ctx, ref, ref.Tag, &ocispec.Manifest{ArtifactType: t.Type}, t.Name, t.Data)
	}
	if err != nil {
		return "", c.explain(ref, err)
	}
	for _, s := range t.Signatures {
		if err := c.attachSignature(ctx, ref, described, s); err != nil {
			return "", c.explain(ref, err)
		}
	}
	return described.Digest.String(), nil
}

// findPublished returns the manifest under a tag when it is that of a thing, nil when there is none.
func (c *Client) findPublished(ctx context.Context, ref Reference, t *Thing) (*ocispec.Descriptor, error) {
	described, m, err := c.getManifest(ctx, ref)
	if isNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if m.ArtifactType == t.Type && len(m.Layers) == 1 && m.Layers[0].Digest == digest.FromBytes(t.Data) {
		return described, nil
	}
	return nil, &exit.Denial{Why: fmt.Sprintf("%s is there already, and it is another: what is published stays as it is; "+
		"publish this under a tag of its own", ref)}
}

// pushFile publishes a file as the one layer of a manifest, whose type the caller has set, under a tag or none.
func (c *Client) pushFile(ctx context.Context, ref Reference, tag string, m *ocispec.Manifest, name string,
	data []byte) (*ocispec.Descriptor, error) {
	layer := ocispec.Descriptor{
		MediaType: m.ArtifactType, Digest: digest.FromBytes(data), Size: int64(len(data)),
		Annotations: map[string]string{ocispec.AnnotationTitle: name}, // by which other tools name the file
	}
	// An image manifest must have a config. The specification has a blob of two bytes, {}, for
	// artifacts that have none; its bytes are sent like any other's, and not within the descriptor,
	// which not every registry takes.
	none := ocispec.DescriptorEmptyJSON
	none.Data = nil
	// Blobs come before the manifest: a registry refuses one that names what it does not have. The file comes first, for it
	// may be refused.
	if err := c.pushBlob(ctx, ref, layer, data); err != nil {
		return nil, err
	}
	if err := c.pushBlob(ctx, ref, none, ocispec.DescriptorEmptyJSON.Data); err != nil {
		return nil, err
	}
	m.Versioned = specs.Versioned{SchemaVersion: 2}
	m.MediaType, m.Config, m.Layers = ocispec.MediaTypeImageManifest, none, []ocispec.Descriptor{layer}
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	d, err := c.registry.PushManifest(ctx, ref.Repository, tag, text, m.MediaType)
	d.ArtifactType = m.ArtifactType
	return &d, err
}

// pushBlob publishes bytes unless they are there.
func (c *Client) pushBlob(ctx context.Context, ref Reference, d ocispec.Descriptor, data []byte) error {
	if _, err := c.registry.ResolveBlob(ctx, ref.Repository, d.Digest); err == nil {
		return nil
	}
	told := &toldBody{Reader: bytes.NewReader(data), of: d.Size, tell: c.progress}
	_, err := c.registry.PushBlob(ctx, ref.Repository, d, told)
	return err
}

// attachSignature publishes a signature file as a manifest whose subject is another one.
func (c *Client) attachSignature(ctx context.Context, ref Reference, subject *ocispec.Descriptor, file []byte) error {
	of := &ocispec.Descriptor{MediaType: subject.MediaType, Digest: subject.Digest, Size: subject.Size}
	m := &ocispec.Manifest{ArtifactType: signatureType, Subject: of}
	described, err := c.pushFile(ctx, ref, "", m, "signature", file)
	if err != nil {
		return err
	}
	// A registry that knows subjects lists the new manifest by itself, and then there is nothing to
	// do. Another gets the index, which is read, extended and written: two who sign at the same
	// moment may lose one, and signing again adds it.
	list, err := c.listSignatures(ctx, ref, subject.Digest)
	if err != nil {
		return err
	}
	isListed := func(d ocispec.Descriptor) bool { return d.Digest == described.Digest }
	if slices.ContainsFunc(list, isListed) {
		return nil
	}
	index := ocispec.Index{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageIndex,
		Manifests: append(list, *described),
	}
	text, err := json.Marshal(index)
	if err != nil {
		return err
	}
	_, err = c.registry.PushManifest(ctx, ref.Repository, subjectTag(subject.Digest), text, index.MediaType)
	return err
}

// subjectTag returns the tag under which the manifests that have a subject are listed where a registry does not list them.
func subjectTag(of digest.Digest) string { return strings.Replace(of.String(), ":", "-", 1) }

// listSignatures returns the descriptors of the signatures of a manifest.
func (c *Client) listSignatures(ctx context.Context, ref Reference, of digest.Digest) ([]ocispec.Descriptor, error) {
	var out []ocispec.Descriptor
	for d, err := range c.registry.Referrers(ctx, ref.Repository, of, signatureType) {
		if isNotFound(err) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if len(out) == maxSignatures {
			return nil, fmt.Errorf("it has more than %d signatures", maxSignatures)
		}
		out = append(out, d)
	}
	return out, nil
}

// Fetch returns the thing of a reference with its signatures, and the digest of its manifest. A digest in the reference
// decides over its tag. limit returns the most bytes that the file of a type of things may have, 0 for a type that is not
// wanted.
func (c *Client) Fetch(ctx context.Context, ref Reference, limit func(kind string) int64) (*Thing, string, error) {
	described, m, err := c.getManifest(ctx, ref)
	if err != nil {
		return nil, "", c.explain(ref, err)
	}
	t := &Thing{Type: m.ArtifactType}
	most := limit(t.Type)
	if most == 0 || len(m.Layers) != 1 {
		return nil, "", fmt.Errorf("%s is no release and no homebrew, but %q", ref, m.ArtifactType)
	}
	t.Name = m.Layers[0].Annotations[ocispec.AnnotationTitle]
	if t.Data, err = c.getBlob(ctx, ref, &m.Layers[0], most); err != nil {
		return nil, "", c.explain(ref, err)
	}
	list, err := c.listSignatures(ctx, ref, described.Digest)
	if err != nil {
		return nil, "", c.explain(ref, err)
	}
	for _, d := range list {
		file, err := c.getSignature(ctx, ref, d.Digest)
		if err != nil {
			return nil, "", c.explain(ref, err)
		}
		t.Signatures = append(t.Signatures, file)
	}
	return t, described.Digest.String(), nil
}

// Resolve returns the digest that a registry has under the tag of a reference, without fetching the file.
func (c *Client) Resolve(ctx context.Context, ref Reference) (string, error) {
	ref.Digest = ""
	described, _, err := c.getManifest(ctx, ref)
	if err != nil {
		return "", c.explain(ref, err)
	}
	return described.Digest.String(), nil
}

// getSignature returns a signature file, by the digest under which it was listed. The caller judges its statement.
func (c *Client) getSignature(ctx context.Context, ref Reference, of digest.Digest) ([]byte, error) {
	ref.Digest = of
	_, m, err := c.getManifest(ctx, ref)
	if err != nil {
		return nil, err
	}
	if m.ArtifactType != signatureType || len(m.Layers) != 1 {
		return nil, fmt.Errorf("the signature %s is none", of)
	}
	return c.getBlob(ctx, ref, &m.Layers[0], maxSignature)
}

// getManifest fetches and checks the manifest that a reference names.
func (c *Client) getManifest(ctx context.Context, ref Reference) (*ocispec.Descriptor, *ocispec.Manifest, error) {
	ctx = withLimit(ctx, maxManifest)
	var r ociregistry.BlobReader
	var err error
	if ref.Digest != "" {
		r, err = c.registry.GetManifest(ctx, ref.Repository, ref.Digest)
	} else {
		r, err = c.registry.GetTag(ctx, ref.Repository, ref.Tag)
	}
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, err
	}
	// Computed from what came, whatever the registry's headers say.
	of := digest.FromBytes(text)
	if ref.Digest != "" && of != ref.Digest {
		return nil, nil, otherBytes(ref.Digest, of)
	}
	m := &ocispec.Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, nil, fmt.Errorf("the manifest cannot be read: %w", err)
	}
	d := &ocispec.Descriptor{MediaType: ocispec.MediaTypeImageManifest, Digest: of, Size: int64(len(text))}
	return d, m, nil
}

// getBlob fetches and checks a file of at most so many bytes.
func (c *Client) getBlob(ctx context.Context, ref Reference, d *ocispec.Descriptor, most int64) ([]byte, error) {
	if d.Size < 0 || d.Size > most {
		return nil, fmt.Errorf("the file has %d bytes, and may have %d", d.Size, most)
	}
	r, err := c.registry.GetBlob(withLimit(ctx, d.Size), ref.Repository, d.Digest)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var data bytes.Buffer // grows with what comes: the size is the word of whoever wrote it
	if _, err := io.Copy(&data, &toldBody{Reader: r, of: d.Size, tell: c.progress}); err != nil {
		return nil, err
	}
	if of := digest.FromBytes(data.Bytes()); of != d.Digest {
		return nil, otherBytes(d.Digest, of)
	}
	return data.Bytes(), nil
}

// otherBytes returns the answer no, and not a failure of the network: the registry answered, with something else.
func otherBytes(want, got digest.Digest) error {
	return &exit.Denial{Why: fmt.Sprintf("the registry gives other bytes than those of %s: theirs is %s", want, got)}
}

// A toldBody tells how much of it has been read.
type toldBody struct {
	io.Reader
	done, of int64
	tell     func(done, of int64)
}

// Read implements io.Reader.
func (b *toldBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.done += int64(n)
	b.tell(b.done, b.of)
	return n, err
}

// NameTags says which tags a repository has, "" when it does not say.
func (c *Client) NameTags(ctx context.Context, ref Reference) string {
	var names []string
	read := 0
	for tag, err := range c.registry.Tags(ctx, ref.Repository, "") {
		read++
		switch {
		case err != nil, read > maxTagsRead: // a list may have no end
			return ""
		case strings.HasPrefix(tag, "sha256-"): // of signatures
			continue
		case len(names) == maxTagsNamed:
			return strings.Join(names, ", ") + " and others"
		}
		names = append(names, tag)
	}
	return strings.Join(names, ", ")
}

// isNotFound reports whether a registry does not have the requested thing. Some say so by a code of the specification,
// others by the status alone.
func isNotFound(err error) bool {
	return errors.Is(err, ociregistry.ErrManifestUnknown) || errors.Is(err, ociregistry.ErrNameUnknown) ||
		httpStatus(err) == http.StatusNotFound
}

func httpStatus(err error) int {
	if e, ok := errors.AsType[ociregistry.HTTPError](err); ok {
		return e.StatusCode()
	}
	return 0
}

// explain returns the error of a registry in words for a user.
func (c *Client) explain(ref Reference, err error) error {
	missing, isLayout := errors.AsType[*missingError](err)
	switch {
	case isLayout:
		return missing
	case exit.Answered[*exit.Denial](err):
		return fmt.Errorf("%s: %w", ref, err)
	case isNotFound(err):
		return fmt.Errorf("%s has no %s", c.host, strings.TrimPrefix(ref.String(), c.host+"/"))
	case errors.Is(err, ociregistry.ErrUnauthorized), httpStatus(err) == http.StatusUnauthorized:
		return fmt.Errorf("%s wants other credentials for %s: \"docker login %s\" keeps them where they are looked for",
			c.host, ref.Repository, c.host)
	case errors.Is(err, ociregistry.ErrDenied), httpStatus(err) == http.StatusForbidden:
		return fmt.Errorf("%s does not let you do this to %s: %w", c.host, ref, err)
	}
	return fmt.Errorf("%s: %w", ref, err)
}
