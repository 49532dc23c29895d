package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"cuelabs.dev/go/oci/ociregistry"
	"cuelabs.dev/go/oci/ociregistry/ocimem"
	"cuelabs.dev/go/oci/ociregistry/ociserver"
	"github.com/rogpeppe/go-internal/testscript"
)

// A testRegistry is a registry on this machine, which asks for credentials when it has a password, and can be told to lie.
type testRegistry struct {
	memory   *ocimem.Registry
	handler  http.Handler
	password string

	mu      sync.Mutex
	spoiled bool // the last byte of each file is another
}

func newTestRegistry(password string) *testRegistry {
	memory := ocimem.New()
	return &testRegistry{memory: memory, handler: ociserver.New(memory, nil), password: password}
}

// ServeHTTP implements http.Handler.
func (r *testRegistry) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if _, password, _ := request.BasicAuth(); password != r.password {
		w.Header().Set("WWW-Authenticate", `Basic realm="registry"`)
		_ = ociregistry.WriteError(w, ociregistry.ErrUnauthorized)
		return
	}
	r.mu.Lock()
	spoiled := r.spoiled
	r.mu.Unlock()
	if !spoiled || request.Method != http.MethodGet || !strings.Contains(request.URL.Path, "/blobs/") {
		r.handler.ServeHTTP(w, request)
		return
	}
	answer := httptest.NewRecorder()
	r.handler.ServeHTTP(answer, request)
	data := answer.Body.Bytes()
	if len(data) > 0 {
		data[len(data)-1] ^= 1
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(data)
}

// registryKey is the key of the registry of a script.
type registryKey struct{}

// commandRegistry is a command of the scripts: "registry start PASSWORD" starts a registry and sets $REGISTRY to its host,
// "registry login PASSWORD" writes credentials as Docker does, "registry spoil" and "registry mend" let its files have
// another byte and not, "registry move REPOSITORY:TAG TAG" lets a tag name what another one names, and "registry copy
// REPOSITORY:TAG REPOSITORY:TAG" lets the first name what the second one names, with its signatures.
func commandRegistry(ts *testscript.TestScript, _ bool, args []string) {
	r := ts.Value(registryKey{}).(*testRegistry)
	switch args[0] {
	case "start":
		started := newTestRegistry(args[1])
		r.memory, r.handler, r.password = started.memory, started.handler, started.password
		server := httptest.NewServer(r)
		ts.Defer(server.Close)
		ts.Setenv("REGISTRY", strings.TrimPrefix(server.URL, "http://"))
		ts.Setenv("DOCKER_CONFIG", ts.MkAbs("docker"))
		ts.Check(os.MkdirAll(ts.MkAbs("docker"), 0o700))
	case "login":
		auth := base64.StdEncoding.EncodeToString([]byte("ada:" + args[1]))
		text := fmt.Sprintf(`{"auths": {%q: {"auth": %q}}}`, ts.Getenv("REGISTRY"), auth)
		ts.Check(os.WriteFile(ts.MkAbs("docker/config.json"), []byte(text), 0o600))
	case "spoil", "mend":
		r.mu.Lock()
		r.spoiled = args[0] == "spoil"
		r.mu.Unlock()
	case "move":
		repository, tag, _ := strings.Cut(args[1], ":")
		ts.Check(moveTag(r.memory, repository, tag, args[2]))
	case "copy":
		repository, tag, _ := strings.Cut(args[1], ":")
		from, fromTag, _ := strings.Cut(args[2], ":")
		ts.Check(copyTag(r.memory, repository, tag, from, fromTag))
	}
}

// copyTag lets a tag of one repository name what a tag of another one names, with its signatures.
func copyTag(r *ocimem.Registry, repository, tag, from, fromTag string) error {
	ctx := context.Background()
	of, err := r.ResolveTag(ctx, from, fromTag)
	if err != nil {
		return err
	}
	if err := copyManifest(r, repository, tag, from, of.Digest); err != nil {
		return err
	}
	for d, err := range r.Referrers(ctx, from, of.Digest, "") {
		if err == nil {
			err = copyManifest(r, repository, "", from, d.Digest)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyManifest copies a manifest with what it names.
func copyManifest(r *ocimem.Registry, repository, tag, from string, of ociregistry.Digest) error {
	ctx := context.Background()
	manifest, err := r.GetManifest(ctx, from, of)
	if err != nil {
		return err
	}
	defer manifest.Close()
	text, err := io.ReadAll(manifest)
	if err != nil {
		return err
	}
	var names struct {
		Config ociregistry.Descriptor
		Layers []ociregistry.Descriptor
	}
	if err := json.Unmarshal(text, &names); err != nil {
		return err
	}
	for _, d := range append(names.Layers, names.Config) {
		if _, err := r.MountBlob(ctx, from, repository, d.Digest); err != nil {
			return err
		}
	}
	_, err = r.PushManifest(ctx, repository, tag, text, manifest.Descriptor().MediaType)
	return err
}

// moveTag lets a tag name what another one names.
func moveTag(r *ocimem.Registry, repository, tag, from string) error {
	manifest, err := r.GetTag(context.Background(), repository, from)
	if err != nil {
		return err
	}
	defer manifest.Close()
	text, err := io.ReadAll(manifest)
	if err != nil {
		return err
	}
	_, err = r.PushManifest(context.Background(), repository, tag, text, manifest.Descriptor().MediaType)
	return err
}

// registryOf starts a registry that asks for nothing, for command lines that are written for registry.example.
func registryOf(t *testing.T) func(line string) string {
	t.Helper()
	server := httptest.NewServer(newTestRegistry(""))
	t.Cleanup(server.Close)
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	return strings.NewReplacer("registry.example", strings.TrimPrefix(server.URL, "http://")).Replace
}
