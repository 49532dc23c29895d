package registry

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cuelabs.dev/go/oci/ociregistry"
	"cuelabs.dev/go/oci/ociregistry/ocimem"
	"cuelabs.dev/go/oci/ociregistry/ociserver"
	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
)

// serve starts a registry, or something that claims to be one, and gives its host.
func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

func newMemory() http.Handler { return ociserver.New(ocimem.New(), nil) }

// asking lets a registry ask for credentials.
func asking(user, password string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if u, p, ok := r.BasicAuth(); !ok || u != user || p != password {
			w.Header().Set("WWW-Authenticate", `Basic realm="registry"`)
			_ = ociregistry.WriteError(w, ociregistry.ErrUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// logIn writes Docker's configuration for a test.
func logIn(t *testing.T, host, user, password string) {
	t.Helper()
	auth := base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
	text := fmt.Sprintf(`{"auths": {%q: {"auth": %q}}}`, host, auth)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DOCKER_CONFIG", dir)
}

// dial talks to a registry at a pace that lets a test end soon.
func dial(t *testing.T, host string) *Client {
	t.Helper()
	c, err := dialAt(host, false, func(int64, int64) {}, pace{grace: 2 * time.Second, perSecond: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func reference(t *testing.T, text string) Reference {
	t.Helper()
	ref, err := ParseReference(text)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func limit(kind string) int64 {
	if kind == ReleaseType {
		return 1 << 20
	}
	return 0
}

// aThing is a release with a signature.
func aThing() *Thing {
	return &Thing{Type: ReleaseType, Name: "small-0.1.0.rules", Data: []byte("a release"), Signatures: [][]byte{[]byte("one")}}
}

func TestCredentials(t *testing.T) {
	host := serve(t, asking("ada", "secret", newMemory()))
	ref := reference(t, host+"/games/small:0.1.0")
	logIn(t, host, "ada", "secret")
	want, err := dial(t, host).Publish(t.Context(), ref, aThing())
	if err != nil {
		t.Fatal(err)
	}
	got, of, err := dial(t, host).Fetch(t.Context(), ref, limit)
	if err != nil || of != want || string(got.Data) != "a release" || got.Name != "small-0.1.0.rules" ||
		len(got.Signatures) != 1 || string(got.Signatures[0]) != "one" {
		t.Fatalf("got %+v of %s, %v, want %s", got, of, err, want)
	}
	refused := func(who string) {
		const wants = "wants other credentials for games/small: \"docker login"
		if _, _, err := dial(t, host).Fetch(t.Context(), ref, limit); err == nil || !strings.Contains(err.Error(), wants) {
			t.Errorf("%s fetches: %v", who, err)
		}
		if _, err := dial(t, host).Publish(t.Context(), ref, aThing()); err == nil || !strings.Contains(err.Error(), wants) {
			t.Errorf("%s publishes: %v", who, err)
		}
	}
	logIn(t, host, "ada", "wrong")
	refused("who has a wrong password")
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	refused("who has no credentials")
	logIn(t, "other.example", "ada", "secret")
	refused("who has credentials for another registry")
}

// TestDigestIsTheSameEverywhere publishes twice, to two registries.
func TestDigestIsTheSameEverywhere(t *testing.T) {
	digests := map[string]bool{}
	for range 2 {
		host := serve(t, newMemory())
		for range 2 {
			of, err := dial(t, host).Publish(t.Context(), reference(t, host+"/games/small:0.1.0"), aThing())
			if err != nil {
				t.Fatal(err)
			}
			digests[of] = true
		}
	}
	if len(digests) != 1 {
		t.Errorf("one file has the digests %v", digests)
	}
}

func TestPublishedStaysAsItIs(t *testing.T) {
	host := serve(t, newMemory())
	ref := reference(t, host+"/games/small:0.1.0")
	first, err := dial(t, host).Publish(t.Context(), ref, aThing())
	if err != nil {
		t.Fatal(err)
	}
	other := aThing()
	other.Data = []byte("another")
	if _, err := dial(t, host).Publish(t.Context(), ref, other); !exit.Answered[*exit.Denial](err) {
		t.Errorf("got %v, want a denial", err)
	}
	other = aThing()
	other.Type = HomebrewType
	if _, err := dial(t, host).Publish(t.Context(), ref, other); !exit.Answered[*exit.Denial](err) {
		t.Errorf("got %v, want a denial", err)
	}
	if now, err := dial(t, host).Resolve(t.Context(), ref); err != nil || now != first {
		t.Errorf("it is %s now, %v, and was %s", now, err, first)
	}
	if _, _, err := dial(t, host).Fetch(t.Context(), ref.WithTag("0.2.0"), limit); err == nil ||
		!strings.Contains(err.Error(), "has no games/small:0.2.0") {
		t.Errorf("got %v", err)
	}
	if tags := dial(t, host).NameTags(t.Context(), ref); tags != "0.1.0" {
		t.Errorf("the tags are %q", tags)
	}
}

// TestSignaturesAreAdded signs what is published already, in a registry that lists what names a subject and in one that
// does not.
func TestSignaturesAreAdded(t *testing.T) {
	memory := newMemory()
	for name, handler := range map[string]http.Handler{
		"lists subjects": newMemory(),
		"does not": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, "/referrers/") {
				http.NotFound(w, r)
				return
			}
			memory.ServeHTTP(w, r)
		}),
	} {
		t.Run(name, func(t *testing.T) {
			host := serve(t, handler)
			ref := reference(t, host+"/games/small:0.1.0")
			var first string
			for _, signatures := range []string{"one", "two", "two", "one"} {
				thing := aThing()
				thing.Signatures = [][]byte{[]byte(signatures)}
				of, err := dial(t, host).Publish(t.Context(), ref, thing)
				if err != nil {
					t.Fatal(err)
				}
				if first == "" {
					first = of
				}
				if of != first {
					t.Errorf("a signature changes the digest from %s to %s", first, of)
				}
			}
			got, _, err := dial(t, host).Fetch(t.Context(), ref, limit)
			if err != nil || len(got.Signatures) != 2 {
				t.Fatalf("got %v, %v", got, err)
			}
			if all := string(bytes.Join(got.Signatures, []byte(" "))); all != "one two" && all != "two one" {
				t.Errorf("got the signatures %q", all)
			}
			if tags := dial(t, host).NameTags(t.Context(), ref); tags != "0.1.0" {
				t.Errorf("the tags are %q", tags)
			}
		})
	}
}

// A liar is a registry that answers as a test says: with a manifest of one layer, and what it gives for it.
type liar struct {
	manifest []byte
	blob     func(http.ResponseWriter)
}

// ServeHTTP implements http.Handler.
func (l *liar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.Contains(r.URL.Path, "/manifests/"):
		w.Header().Set("Content-Type", ocispec.MediaTypeImageManifest)
		w.Header().Set("Content-Length", fmt.Sprint(len(l.manifest)))
		_, _ = w.Write(l.manifest)
	case strings.Contains(r.URL.Path, "/blobs/"):
		l.blob(w)
	default:
		http.NotFound(w, r)
	}
}

// manifestOf is the manifest of a release that claims a digest and a size.
func manifestOf(t *testing.T, of digest.Digest, size int64) []byte {
	t.Helper()
	text, err := json.Marshal(ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, ArtifactType: ReleaseType,
		Layers: []ocispec.Descriptor{{MediaType: ReleaseType, Digest: of, Size: size}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestLiesAreRefused(t *testing.T) {
	honest := digest.FromBytes([]byte("a release"))
	write := func(text string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { _, _ = w.Write([]byte(text)) }
	}
	noLayers, err := json.Marshal(ocispec.Manifest{ArtifactType: ReleaseType})
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		liar
		want string
	}{
		"other bytes": {liar{manifestOf(t, honest, 9), write("A release")}, "digest"},
		"fewer bytes": {liar{manifestOf(t, honest, 9), write("a relea")}, "digest"},
		"more bytes":  {liar{manifestOf(t, honest, 9), write("a release, and more")}, "larger than 9 bytes"},
		"a huge file": {liar{manifestOf(t, honest, 1<<40), write("a release")},
			"1099511627776 bytes, and may have 1048576"},
		"a negative size":    {liar{manifestOf(t, honest, -1), write("a release")}, "has -1 bytes"},
		"an unknown digest":  {liar{manifestOf(t, "md5:00", 9), write("a release")}, ""},
		"a way out":          {liar{manifestOf(t, "sha256:../../x", 9), write("a release")}, ""},
		"no layer":           {liar{noLayers, write("")}, "no release and no homebrew"},
		"a container":        {liar{[]byte(`{"schemaVersion": 2, "layers": [{}]}`), write("")}, "no release and no homebrew"},
		"no JSON":            {liar{[]byte(`<html>`), write("")}, "the manifest cannot be read"},
		"a manifest too big": {liar{bytes.Repeat([]byte(" "), maxManifest+1), write("")}, "larger than 65536 bytes"},
		"a silent end": {liar{manifestOf(t, honest, 9), func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "9")
			_, _ = w.Write([]byte("a rel"))
		}}, "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			host := serve(t, &x.liar)
			got, _, err := dial(t, host).Fetch(t.Context(), reference(t, host+"/games/small:0.1.0"), limit)
			if err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("got %+v, %v, want %q", got, err, x.want)
			}
		})
	}
}

// TestManifestOfAnotherDigest gives for a digest the manifest of another.
func TestManifestOfAnotherDigest(t *testing.T) {
	l := &liar{manifestOf(t, digest.FromBytes([]byte("a release")), 9), func(w http.ResponseWriter) {
		_, _ = w.Write([]byte("a release"))
	}}
	host := serve(t, l)
	of := digest.FromBytes(l.manifest)
	if _, _, err := dial(t, host).Fetch(t.Context(), reference(t, host+"/games/small@"+of.String()), limit); err != nil {
		t.Errorf("its own digest is refused: %v", err)
	}
	other := digest.FromBytes([]byte("another"))
	if _, _, err := dial(t, host).Fetch(t.Context(), reference(t, host+"/games/small@"+other.String()), limit); err == nil {
		t.Error("a manifest is taken for that of another digest")
	}
}

// TestEndlessTags lists tags of signatures page after page: no tag is named, and the list is given up.
func TestEndlessTags(t *testing.T) {
	page := make([]string, 1000)
	for i := range page {
		page[i] = fmt.Sprintf("sha256-%064d", i)
	}
	pages := 0
	host := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if pages++; pages > 100 {
			t.Error("it reads on")
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Link", fmt.Sprintf("</v2/games/small/tags/list?n=1000&last=%d>; rel=\"next\"", pages))
		_ = json.NewEncoder(w).Encode(map[string]any{"name": "games/small", "tags": page})
	}))
	if got := dial(t, host).NameTags(t.Context(), reference(t, host+"/games/small")); got != "" {
		t.Errorf("the tags are %q", got)
	}
}

// TestRedirects leads to another host, which gets no credentials and whose bytes are judged by their digest, and in a
// circle.
func TestRedirects(t *testing.T) {
	data := "a release"
	of := digest.FromBytes([]byte(data))
	other := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("the credentials of the registry are sent to another host")
		}
		switch r.URL.Path {
		case "/right":
			_, _ = w.Write([]byte(data))
		case "/wrong":
			_, _ = w.Write([]byte("A release"))
		default:
			http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
		}
	}))
	other = strings.Replace(other, "127.0.0.1", "localhost", 1) // Go sends credentials on to another port of the same host
	for path, want := range map[string]string{"/right": "", "/wrong": "digest", "/circle": "redirects"} {
		l := &liar{manifestOf(t, of, int64(len(data))), nil}
		host := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, password, _ := r.BasicAuth(); password != "secret" {
				w.Header().Set("WWW-Authenticate", `Basic realm="registry"`)
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			if strings.Contains(r.URL.Path, "/blobs/") {
				http.Redirect(w, r, "http://"+other+path, http.StatusTemporaryRedirect)
				return
			}
			l.ServeHTTP(w, r)
		}))
		logIn(t, host, "ada", "secret")
		_, _, err := dial(t, host).Fetch(t.Context(), reference(t, host+"/games/small:0.1.0"), limit)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

func TestTooManySignatures(t *testing.T) {
	l := &liar{manifestOf(t, digest.FromBytes([]byte("a release")), 9), func(w http.ResponseWriter) {
		_, _ = w.Write([]byte("a release"))
	}}
	index := ocispec.Index{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageIndex}
	for i := range maxSignatures + 1 {
		index.Manifests = append(index.Manifests, ocispec.Descriptor{
			MediaType: ocispec.MediaTypeImageManifest, ArtifactType: signatureType, Digest: digest.FromString(fmt.Sprint(i)),
		})
	}
	host := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/referrers/") {
			w.Header().Set("Content-Type", ocispec.MediaTypeImageIndex)
			_ = json.NewEncoder(w).Encode(index)
			return
		}
		l.ServeHTTP(w, r)
	}))
	_, _, err := dial(t, host).Fetch(t.Context(), reference(t, host+"/games/small:0.1.0"), limit)
	if err == nil || !strings.Contains(err.Error(), "more than 32 signatures") {
		t.Errorf("got %v", err)
	}
}

// TestPace fetches from registries that stand still, that drip, and that are slow but keep the pace.
func TestPace(t *testing.T) {
	data := bytes.Repeat([]byte("x"), 1000)
	drip := func(chunk int, pause time.Duration) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			for rest := data; len(rest) > 0; rest = rest[min(chunk, len(rest)):] {
				if _, err := w.Write(rest[:min(chunk, len(rest))]); err != nil {
					return
				}
				_ = http.NewResponseController(w).Flush()
				time.Sleep(pause)
			}
		}
	}
	quick := pace{grace: 200 * time.Millisecond, perSecond: 1000}
	for name, x := range map[string]struct {
		blob func(http.ResponseWriter)
		ok   bool
	}{
		"stands still": {drip(1, time.Second), false},
		"drips":        {drip(1, 5*time.Millisecond), false}, // 200 bytes a second at most
		"is slow":      {drip(100, 40*time.Millisecond), true},
	} {
		t.Run(name, func(t *testing.T) {
			host := serve(t, &liar{manifestOf(t, digest.FromBytes(data), int64(len(data))), x.blob})
			c, err := dialAt(host, false, func(int64, int64) {}, quick)
			if err != nil {
				t.Fatal(err)
			}
			begun := time.Now()
			_, _, err = c.Fetch(context.Background(), reference(t, host+"/games/small:0.1.0"), limit)
			switch {
			case x.ok && err != nil:
				t.Errorf("got %v after %v", err, time.Since(begun))
			case !x.ok && (err == nil || !strings.Contains(err.Error(), "too slow")):
				t.Errorf("got %v after %v, want it to be given up", err, time.Since(begun))
			}
		})
	}
	host := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	c, err := dialAt(host, false, func(int64, int64) {}, quick)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Resolve(context.Background(), reference(t, host+"/games/small:0.1.0")); err == nil ||
		!strings.Contains(err.Error(), "too slow") {
		t.Errorf("it does not answer at all: %v", err)
	}
}

func TestPlainHTTP(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "localhost:5000": true, "127.0.0.1:5000": true, "[::1]:5000": true, "[::1]": true, "127.0.0.2": true,
		"harbor.example": false, "harbor.example:5000": false, "localhost.example": false, "10.0.0.1:5000": false, "[::]": false,
	} {
		if got := IsLoopback(host); got != want {
			t.Errorf("%s: got %v, want %v", host, got, want)
		}
	}
	strict := &transport{base: http.DefaultTransport, pace: usualPace}
	r := httptest.NewRequest(http.MethodGet, "http://"+serve(t, newMemory())+"/v2/", nil)
	if answer, err := strict.RoundTrip(r); err == nil {
		answer.Body.Close()
		t.Error("a registry that is to speak HTTPS may redirect to plain HTTP")
	}
}

func TestParseReference(t *testing.T) {
	for _, text := range []string{"", "small", "games/small:0.1.0", "harbor.example", "harbor.example/Games",
		"harbor.example/a:",
		"harbor.example/a:b c", "https://harbor.example/a:b", "harbor.example/a@sha256:00", "harbor.example/a@sha512:" +
			strings.Repeat("0", 128), "harbor.example/../a"} {
		if ref, err := ParseReference(text); err == nil {
			t.Errorf("%q is %+v", text, ref)
		}
	}
	ref := reference(t, "harbor.example:5000/games/small:0.1.0@"+digest.FromString("x").String())
	if ref.Name() != "harbor.example:5000/games/small:0.1.0" {
		t.Errorf("it is called %s", ref.Name())
	}
}

// TestParseLayout reads paths of layouts. Of a drive there are letters on Windows alone.
func TestParseLayout(t *testing.T) {
	of := digest.FromString("x").String()
	for text, want := range map[string]string{
		"./games/small:0.1.0": "./games small 0.1.0 ", "/small": " small  ", "../small@" + of: ".. small  " + of,
		"/home/@x/brew:1": "/home/@x brew 1 ", "./a:b/brew:1@" + of: "./a:b brew 1 " + of, "C:/games/brew:1": "C:/games brew 1 ",
	} {
		ref, err := parseLayout(text)
		if got := strings.Join([]string{ref.Host, ref.Repository, ref.Tag, string(ref.Digest)}, " "); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"C:games": "names no directory", "C:": "names no directory", "./": "names no directory", "./..": "names no directory",
		"./brew@x": "has no digest of SHA-256", "./brew@": "has no digest of SHA-256",
		"./brew:": "has no tag", "./a\nb/brew:1": "has a control character",
	} {
		if ref, err := parseLayout(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %+v, %v, want %q", text, ref, err, want)
		}
	}
}

// TestRelativeTo writes references as a lock file in a directory has them, and reads them from there again.
func TestRelativeTo(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ text, dir, want, back string }{
		{"./lay/brew:1", ".", "./lay/brew:1", "./lay/brew:1"}, {"./lay/brew:1", "out", "../lay/brew:1", "./lay/brew:1"},
		{"../lay/brew:1", "out/in", "../../../lay/brew:1", "../lay/brew:1"}, {"./out/brew:1", "out", "./brew:1", "./out/brew:1"},
		{"./x/../lay/brew:1", ".", "./lay/brew:1", "./lay/brew:1"}, {"/lay/brew:1", "out", "/lay/brew:1", "/lay/brew:1"},
		{"harbor.example/games/brew:1", "out", "harbor.example/games/brew:1", "harbor.example/games/brew:1"},
	} {
		locked, err := reference(t, c.text).RelativeTo(c.dir)
		if err != nil || locked.Name() != c.want {
			t.Errorf("%s in %s: got %s, %v, want %s", c.text, c.dir, locked.Name(), err, c.want)
		}
		if back := locked.From(c.dir).Name(); back != c.back {
			t.Errorf("%s in %s: got %s back, want %s", c.text, c.dir, back, c.back)
		}
	}
}

// TestLayoutRefusesLargeFiles publishes a file that nobody could pull from a layout. Nothing is written.
func TestLayoutRefusesLargeFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "game")
	ref := reference(t, filepath.ToSlash(dir)+":1.0.0")
	thing := &Thing{Type: ReleaseType, Name: "game", Data: make([]byte, safefile.MaxInTree+1)}
	if _, err := OpenLayout(ref, func(done, of int64) {}).Publish(t.Context(), ref, thing); err == nil ||
		!strings.Contains(err.Error(), "the file has 16777217 bytes, and a layout holds files of at most 16777216") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory is there: %v", err)
	}
}

// TestLayoutRefusesLongLists publishes one manifest more than a list may have to be read.
func TestLayoutRefusesLongLists(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "game")
	ref := reference(t, filepath.ToSlash(dir)+":1.0.0")
	quiet := func(done, of int64) {}
	thing := &Thing{Type: ReleaseType, Name: "game", Data: []byte("a release")}
	if _, err := OpenLayout(ref, quiet).Publish(t.Context(), ref, thing); err != nil {
		t.Fatal(err)
	}
	list, err := json.Marshal(ocispec.Index{Manifests: make([]ocispec.Descriptor, maxTagsRead)})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ocispec.ImageIndexFile), list, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLayout(ref, quiet).Publish(t.Context(), ref, thing); err == nil ||
		!strings.Contains(err.Error(), "would list more than 10000 manifests") {
		t.Errorf("got %v", err)
	}
	if now, err := os.ReadFile(filepath.Join(dir, ocispec.ImageIndexFile)); err != nil || !bytes.Equal(now, list) {
		t.Errorf("the list was written, %v", err)
	}
}

// TestLayoutIsChecked pulls from a directory whose file was altered: its digest refuses it, and so does one that leads out
// of the directory.
func TestLayoutIsChecked(t *testing.T) {
	dir := t.TempDir()
	ref, err := ParseReference(filepath.ToSlash(dir) + "/game:1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	quiet := func(done, of int64) {}
	thing := &Thing{Type: ReleaseType, Name: "game", Data: []byte("a release")}
	if _, err := OpenLayout(ref, quiet).Publish(t.Context(), ref, thing); err != nil {
		t.Fatal(err)
	}
	fetch := func() (*Thing, error) {
		got, _, err := OpenLayout(ref, quiet).Fetch(t.Context(), ref, func(string) int64 { return 100 })
		return got, err
	}
	if got, err := fetch(); err != nil || string(got.Data) != "a release" {
		t.Fatalf("got %v, %v", got, err)
	}
	blob := filepath.Join(dir, "game", "blobs", "sha256", digest.FromBytes(thing.Data).Encoded())
	if err := os.WriteFile(blob, []byte("b release"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := fetch(); err == nil || !strings.Contains(err.Error(), "gives other bytes") {
		t.Errorf("an altered file: %v", err)
	}
	outside := filepath.Join(dir, "outside")
	if err := errors.Join(os.WriteFile(outside, thing.Data, 0o666), os.Remove(blob), os.Symlink(outside, blob)); err != nil {
		t.Skip(err)
	}
	if got, err := fetch(); err == nil {
		t.Errorf("a link out of the layout gives %s", got.Data)
	}
}
