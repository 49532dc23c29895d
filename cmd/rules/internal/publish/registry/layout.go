package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"cuelabs.dev/go/oci/ociregistry"
	"cuelabs.dev/go/oci/ociregistry/ocimem"
	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
)

// # Layouts
//
// A layout is a directory that holds one repository, as the image specification has it: what a USB stick or a folder of
// a web server carries where no registry runs. Files are kept by their digests below blobs, and index.json lists the
// manifests, a tag as an annotation. Signatures stand in the list without a tag, and name the manifest that they sign as
// their subject. Other tools read and write the same directories.

// A layoutRegistry is a layout as a registry with one repository, whose name nobody asks for.
type layoutRegistry struct {
	*ociregistry.Funcs // which refuse the rest
	dir                string
	files              fs.FS // nothing outside of the directory
}

// A missingError says which layout or tag is not there. It is the error of a registry that does not know a manifest.
type missingError struct{ text string }

func (e *missingError) Error() string { return e.text }

func (e *missingError) Unwrap() error { return ociregistry.ErrManifestUnknown }

// OpenLayout returns the client of the layout that a reference names. A directory that is empty, or not there, becomes one
// with the first thing that is published.
func OpenLayout(ref Reference, progress func(done, of int64)) *Client {
	dir, _ := ref.Layout()
	return &Client{&layoutRegistry{nil, dir, safefile.Tree(dir)}, ref.Host, progress}
}

// readIndex returns the list of manifests, an empty one where there is none.
func (l *layoutRegistry) readIndex() (*ocispec.Index, error) {
	index := &ocispec.Index{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageIndex}
	text, err := fs.ReadFile(l.files, ocispec.ImageIndexFile)
	if errors.Is(err, fs.ErrNotExist) {
		return index, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, index); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", ocispec.ImageIndexFile, err)
	}
	if len(index.Manifests) > maxTagsRead {
		return nil, fmt.Errorf("%s lists more than %d manifests", ocispec.ImageIndexFile, maxTagsRead)
	}
	return index, nil
}

// blobFile returns the name of the file of a digest in the layout.
func blobFile(of digest.Digest) (string, error) {
	if err := of.Validate(); err != nil {
		return "", err
	}
	return ocispec.ImageBlobsDir + "/" + of.Algorithm().String() + "/" + of.Encoded(), nil
}

// GetBlob returns the bytes of a digest, which the caller checks.
func (l *layoutRegistry) GetBlob(
	_ context.Context, _ string, of digest.Digest,
) (ociregistry.BlobReader, error) {
	name, err := blobFile(of)
	if err != nil {
		return nil, err
	}
	data, err := fs.ReadFile(l.files, name)
	if errors.Is(err, fs.ErrNotExist) {
		if err := l.checkMark(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("blob %s is missing from %s", of, l.dir)
	}
	return ocimem.NewBytesReader(data, ociregistry.Descriptor{Digest: of, Size: int64(len(data))}), err
}

// checkMark returns a missingError when the directory is no layout.
func (l *layoutRegistry) checkMark() error {
	_, err := fs.Stat(l.files, ocispec.ImageLayoutFile)
	if errors.Is(err, fs.ErrNotExist) {
		return &missingError{fmt.Sprintf("%s is no layout, for it has no file %s", l.dir, ocispec.ImageLayoutFile)}
	}
	return err
}

// GetManifest returns the manifest of a digest.
func (l *layoutRegistry) GetManifest(
	ctx context.Context, repository string, of digest.Digest,
) (ociregistry.BlobReader, error) {
	r, err := l.GetBlob(ctx, repository, of)
	if err == nil && r.Descriptor().Size > maxManifest {
		return nil, fmt.Errorf("a manifest has %d bytes, and may have %d", r.Descriptor().Size, maxManifest)
	}
	return r, err
}

// GetTag returns the manifest under a tag.
func (l *layoutRegistry) GetTag(ctx context.Context, repository, tag string) (ociregistry.BlobReader, error) {
	index, err := l.readIndex()
	if err != nil {
		return nil, err
	}
	for _, d := range index.Manifests {
		if tag != "" && d.Annotations[ocispec.AnnotationRefName] == tag {
			return l.GetManifest(ctx, repository, d.Digest)
		}
	}
	if err := l.checkMark(); err != nil {
		return nil, err
	}
	return nil, &missingError{fmt.Sprintf("%s has no tag %s", l.dir, tag)}
}

// Tags returns the tags in the order in which they were published.
func (l *layoutRegistry) Tags(context.Context, string, string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		index, err := l.readIndex()
		if err != nil {
			yield("", err)
			return
		}
		for _, d := range index.Manifests {
			if tag := d.Annotations[ocispec.AnnotationRefName]; tag != "" && !yield(tag, nil) {
				return
			}
		}
	}
}

// Referrers returns the listed manifests of a type whose subject is another one.
func (l *layoutRegistry) Referrers(
	ctx context.Context, repository string, of digest.Digest, kind string,
) iter.Seq2[ociregistry.Descriptor, error] {
	return func(yield func(ociregistry.Descriptor, error) bool) {
		index, err := l.readIndex()
		if err != nil {
			yield(ociregistry.Descriptor{}, err)
			return
		}
		for _, d := range index.Manifests {
			if d.ArtifactType != kind {
				continue
			}
			subject, err := l.subjectOf(ctx, repository, d.Digest)
			if (err != nil || subject == of) && !yield(d, err) {
				return
			}
		}
	}
}

// subjectOf returns the digest of the manifest that a manifest has as its subject.
func (l *layoutRegistry) subjectOf(ctx context.Context, repository string, of digest.Digest) (digest.Digest, error) {
	r, err := l.GetManifest(ctx, repository, of)
	if err != nil {
		return "", err
	}
	var m ocispec.Manifest
	if err := json.NewDecoder(r).Decode(&m); err != nil || m.Subject == nil {
		return "", err
	}
	return m.Subject.Digest, nil
}

// ResolveBlob reports whether the bytes of a digest are there, whole.
func (l *layoutRegistry) ResolveBlob(
	ctx context.Context, repository string, of digest.Digest,
) (ociregistry.Descriptor, error) {
	r, err := l.GetBlob(ctx, repository, of)
	if err != nil {
		return ociregistry.Descriptor{}, err
	}
	data, err := io.ReadAll(r)
	if err == nil && digest.FromBytes(data) != of {
		err = ociregistry.ErrBlobUnknown
	}
	return r.Descriptor(), err
}

// PushBlob writes bytes.
func (l *layoutRegistry) PushBlob(
	_ context.Context, _ string, d ociregistry.Descriptor, r io.Reader,
) (ociregistry.Descriptor, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return d, err
	}
	return d, l.write(d.Digest, data)
}

// write writes the file of a digest. It refuses one that is too large to be read again.
func (l *layoutRegistry) write(of digest.Digest, data []byte) error {
	name, err := blobFile(of)
	if err != nil {
		return err
	}
	if len(data) > safefile.MaxInTree {
		return fmt.Errorf("the file has %d bytes, and a layout holds files of at most %d: publish it in a registry",
			len(data), safefile.MaxInTree)
	}
	if err := l.prepareDirectory(); err != nil {
		return err
	}
	file := filepath.Join(l.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return atomicfile.TheDisk().WriteWhole(file, data)
}

// prepareDirectory makes a layout of a directory that is empty or not there, and refuses others that are none. The mark is
// the first file, so that publishing can go on after it was interrupted.
func (l *layoutRegistry) prepareDirectory() error {
	mark := filepath.Join(l.dir, ocispec.ImageLayoutFile)
	if _, err := os.Stat(mark); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	entries, err := os.ReadDir(l.dir)
	switch {
	case len(entries) > 0:
		return fmt.Errorf("%s has files and is no layout: name a directory that is new or empty", l.dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	version, err := json.Marshal(ocispec.ImageLayout{Version: ocispec.ImageLayoutVersion})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(l.dir, 0o777); err != nil {
		return err
	}
	if err := atomicfile.TheDisk().WriteWhole(mark, version); err != nil {
		return err
	}
	l.files = safefile.Tree(l.dir) // which could not be opened before
	return nil
}

// PushManifest writes a manifest and lists it, under a tag or none. Another one that has the tag loses it.
func (l *layoutRegistry) PushManifest(
	_ context.Context, _, tag string, text []byte, kind string,
) (ociregistry.Descriptor, error) {
	d := ociregistry.Descriptor{MediaType: kind, Digest: digest.FromBytes(text), Size: int64(len(text))}
	var m ocispec.Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return d, err
	}
	if d.ArtifactType = m.ArtifactType; tag != "" {
		d.Annotations = map[string]string{ocispec.AnnotationRefName: tag}
	}
	if err := l.write(d.Digest, text); err != nil {
		return d, err
	}
	unlock, err := atomicfile.Lock(l.dir)
	if err != nil {
		return d, err
	}
	defer unlock()
	index, err := l.readIndex()
	if err != nil {
		return d, err
	}
	index.Manifests = slices.DeleteFunc(index.Manifests, func(x ocispec.Descriptor) bool {
		has := x.Annotations[ocispec.AnnotationRefName]
		return tag != "" && has == tag || x.Digest == d.Digest && has == ""
	})
	if index.Manifests = append(index.Manifests, d); len(index.Manifests) > maxTagsRead {
		return d, fmt.Errorf("%s would list more than %d manifests, and could not be read", l.dir, maxTagsRead)
	}
	list, err := json.Marshal(index)
	if err != nil {
		return d, err
	}
	return d, atomicfile.TheDisk().WriteWhole(filepath.Join(l.dir, ocispec.ImageIndexFile), list)
}
