package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/tabletop-rules/rules/cmd/rules/internal/cache"
	"github.com/tabletop-rules/rules/cmd/rules/internal/sandbox"
	"github.com/tabletop-rules/rules/cmd/rules/internal/symbols"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// Options say what a server works on: a module of rulesets, or a homebrew with the ruleset that it changes.
type Options struct {
	Root     string         // the directory of the module or of the homebrew, absolute
	Files    fs.FS          // of it
	Pause    time.Duration  // how long after the last change diagnostics are looked for
	Homebrew bool           // Root is the module of a homebrew
	Base     sandbox.Module // whose ruleset the homebrew changes; its directory absolute, or empty for what ships

	Trusts func(dir string) bool // whether a directory is compiled in this process; nil trusts none
	Cache  cache.Cache           // where measurements by mutants are kept; the zero value has none

	// Earlier reads what was released before; nil when nothing says what that is. It is called once, when it is needed.
	Earlier func() []*planfile.Release
}

// Serve answers a client until it ends the session, or the stream does. The error is that of the stream.
func Serve(ctx context.Context, stream io.ReadWriteCloser, o Options) error {
	o.nameBase()
	s := &server{
		options: o, buffers: buffers{o.Files, map[string]string{}}, encoding: utf16Encoding,
		compiler: sandbox.Compiler{Trusts: o.Trusts}, reader: sandbox.Compiler{Trusts: o.Trusts},
		shown: map[string]bool{}, changed: map[string]int{},
		indices: map[string]*symbols.Index{}, drafts: map[string]*compiler.Draft{}, numberings: map[string]*numbering{},
	}
	s.source = &switchedFiles{files: s.buffers}
	s.session = compiler.NewSession(load.Source{FS: s.source}, compiler.Options{Analyse: true})
	handler := jsonrpc2.HandlerWithError(s.handle)
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(stream, jsonrpc2.VSCodeObjectCodec{}), handler)
	select {
	case <-conn.DisconnectNotify():
	case <-ctx.Done():
	}
	s.stop()
	s.closeWorkers()
	if err := conn.Close(); err != nil && !errors.Is(err, jsonrpc2.ErrClosed) {
		return err
	}
	return nil
}

// A server is one session with one client.
type server struct {
	options Options

	mu       sync.Mutex // guards what follows
	encoding encoding
	buffers  buffers
	version  int         // counts changes
	timer    *time.Timer // of the diagnostics that wait for a pause
	stopped  bool
	refresh  []string           // the requests that tell the client to ask again for what cases decide
	played   map[string]*played // by ruleset, as its cases were played last
	changes  string             // the ruleset that the homebrew changes; empty before that is known

	character string         // the file of the character for whom hints are; empty for those of the cases
	changed   map[string]int // by file of a buffer, the version in which it changed last
	onDisk    int            // the version in which files were saved last

	compiling sync.Mutex // held while diagnostics are looked for; guards what follows
	source    *switchedFiles
	session   *compiler.Session
	compiler  sandbox.Compiler // of what the session may not compile
	base      baseDiagnostics
	shown     map[string]bool // files with diagnostics at the client

	reader  sandbox.Compiler           // that reads drafts; used by requests alone
	indices map[string]*symbols.Index  // by directory; used by requests alone, which come one at a time
	drafts  map[string]*compiler.Draft // that they were made from
	indexed int                        // the version that they are of
	stale   map[string]bool            // directories whose index is of an earlier version
	found   []diag.Diagnostic          // as published last; guarded by mu
	foundIn int                        // the version that was compiled for that; guarded by mu

	chancesFor *runtime.Program     // whose odds are kept; used by requests alone
	chances    map[string]*forecast // by rule
	chancesAs  string               // the file and the text of the chosen character for whom they are

	earlier      []*planfile.Release // as Options.Earlier gave it; used by requests alone, as is what follows
	askedEarlier bool
	numberings   map[string]*numbering // by ruleset

	survivors    []survivor // of a ruleset, as they were read for a version
	survivorsFor string
	survivorsIn  int
}

// switchedFiles are the files that a session compiles: those of the buffers, which are another each time.
type switchedFiles struct{ files buffers }

// Open implements fs.FS.
func (s *switchedFiles) Open(name string) (fs.File, error) { return s.files.Open(name) }

// handle answers one message.
func (s *server) handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	switch req.Method {
	case "initialize":
		return answer(req, s.initialize)
	case "initialized":
		s.schedule(ctx, conn)
		return nil, nil
	case "shutdown":
		s.stop()
		return nil, nil
	case "exit":
		return nil, conn.Close()
	case "textDocument/didOpen":
		return answer(req, func(p didOpenParams) (any, error) {
			return nil, s.change(ctx, conn, p.TextDocument.URI, &p.TextDocument.Text)
		})
	case "textDocument/didChange":
		return answer(req, func(p didChangeParams) (any, error) {
			if n := len(p.ContentChanges); n > 0 {
				return nil, s.change(ctx, conn, p.TextDocument.URI, &p.ContentChanges[n-1].Text)
			}
			return nil, nil
		})
	case "textDocument/didClose":
		return answer(req, func(p documentParams) (any, error) { return nil, s.change(ctx, conn, p.TextDocument.URI, nil) })
	case "textDocument/didSave", "workspace/didChangeWatchedFiles":
		s.noteSaved()
		s.schedule(ctx, conn)
		return nil, nil
	case "workspace/didChangeConfiguration":
		return answer(req, func(p configurationParams) (any, error) {
			if set := cmp.Or(p.Settings.Rules.Character, p.Settings.Character); set != nil {
				s.setCharacter(ctx, conn, *set)
			}
			return nil, nil
		})
	case "textDocument/completion":
		return answer(req, s.complete)
	case "textDocument/hover":
		return answer(req, s.hover)
	case "textDocument/definition":
		return answer(req, s.definition)
	case "textDocument/references":
		return answer(req, s.references)
	case "textDocument/rename":
		return answer(req, s.rename)
	case "textDocument/documentSymbol":
		return answer(req, s.documentSymbols)
	case "textDocument/codeAction":
		return answer(req, s.codeActions)
	case "textDocument/semanticTokens/full":
		return answer(req, s.semanticTokens)
	case "textDocument/signatureHelp":
		return answer(req, s.signatureHelp)
	case "textDocument/documentHighlight":
		return answer(req, s.highlights)
	case "textDocument/foldingRange":
		return answer(req, s.foldingRanges)
	case "textDocument/codeLens":
		return answer(req, s.codeLenses)
	case "textDocument/inlayHint":
		return answer(req, s.inlayHints)
	case "workspace/executeCommand":
		return answer(req, func(p executeCommandParams) (any, error) { return s.execute(ctx, conn, p) })
	}
	if req.Notif {
		return nil, nil // the protocol: unknown notifications may be ignored
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "there is no method " + req.Method}
}

// answer reads the parameters of a request and gives what a function makes of them.
func answer[P any](req *jsonrpc2.Request, of func(P) (any, error)) (any, error) {
	var p P
	if req.Params != nil {
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
	}
	return of(p)
}

func (s *server) initialize(p initializeParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.encoding = agree(p.Capabilities.General.PositionEncodings)
	var r initializeResult
	r.ServerInfo.Name = "rules"
	r.Capabilities = capabilities{
		PositionEncoding:   string(s.encoding),
		TextDocumentSync:   syncOptions{OpenClose: true, Change: 1, Save: true},
		CompletionProvider: completionOptions{TriggerCharacters: []string{".", "'", "("}},
		HoverProvider:      true, DefinitionProvider: true, ReferencesProvider: true, RenameProvider: true,
		DocumentSymbolProvider: true, CodeActionProvider: codeActionOptions{[]string{quickFix, sourceAction, fixAll}},
		SignatureHelpProvider:     signatureOptions{TriggerCharacters: []string{"(", ","}},
		DocumentHighlightProvider: true, FoldingRangeProvider: true, InlayHintProvider: true,
		ExecuteCommandProvider: commandOptions{Commands: commandNames()},
	}
	var set clientSettings
	if json.Unmarshal(p.InitializationOptions, &set) == nil && set.Character != nil {
		s.character = *set.Character
	}
	if p.Capabilities.Workspace.CodeLens.RefreshSupport {
		s.refresh = append(s.refresh, "workspace/codeLens/refresh")
	}
	if p.Capabilities.Workspace.InlayHint.RefreshSupport {
		s.refresh = append(s.refresh, "workspace/inlayHint/refresh")
	}
	r.Capabilities.SemanticTokensProvider.Full = true
	r.Capabilities.SemanticTokensProvider.Legend.TokenTypes = tokenTypes()
	r.Capabilities.SemanticTokensProvider.Legend.TokenModifiers = []string{}
	return r, nil
}

// change gives a file another text, or with none the saved one, and looks for diagnostics after a pause.
func (s *server) change(ctx context.Context, conn *jsonrpc2.Conn, uri string, text *string) error {
	name, ok := s.fileOf(uri)
	if !ok {
		return nil // a file of another module: nothing is said about it
	}
	s.mu.Lock()
	if text == nil {
		s.buffers = s.buffers.without(name)
	} else {
		s.buffers = s.buffers.with(name, *text)
	}
	s.changed[name] = s.version + 1 // which schedule makes of it
	s.mu.Unlock()
	s.schedule(ctx, conn)
	return nil
}

// noteSaved notes that files have changed on the disk, nobody says which.
func (s *server) noteSaved() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onDisk = s.version + 1
}

// schedule looks for diagnostics after a pause in which nothing changes.
func (s *server) schedule(ctx context.Context, conn *jsonrpc2.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	if s.timer != nil {
		s.timer.Stop()
	}
	if s.stopped {
		return
	}
	version := s.version
	s.timer = time.AfterFunc(s.options.Pause, func() { s.diagnose(ctx, conn, version) })
}

// closeWorkers ends the processes that wait for another request, once no diagnostics are looked for.
func (s *server) closeWorkers() {
	s.compiling.Lock()
	defer s.compiling.Unlock()
	s.compiler.Close()
	s.reader.Close()
}

func (s *server) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	if s.timer != nil {
		s.timer.Stop()
	}
}

// diagnose compiles a version and publishes what is wrong with it; then it plays the cases and publishes what they find. It
// ends when the version has become stale.
func (s *server) diagnose(ctx context.Context, conn *jsonrpc2.Conn, version int) {
	s.compiling.Lock()
	defer s.compiling.Unlock()
	if s.isStale(version) {
		return
	}
	v := s.view()
	plans, list := s.compile(v)
	if s.isStale(version) {
		return
	}
	s.mu.Lock()
	s.found, s.foundIn = list, version
	s.mu.Unlock()
	byFile := map[string][]diagnostic{}
	for i := range list {
		for _, at := range s.shownAt(v, &list[i]) {
			byFile[at.File] = append(byFile[at.File], s.diagnosticOf(&list[i], at, v))
		}
	}
	s.publish(ctx, conn, byFile, func(name string) bool { return path.Ext(name) != caseExtension })

	all, ok := s.play(v, plans)
	if !ok || s.isStale(version) {
		return
	}
	s.mu.Lock()
	s.played = all
	s.mu.Unlock()
	s.publish(ctx, conn, caseDiagnostics(v, all), func(name string) bool { return path.Ext(name) == caseExtension })
	s.refreshClient(ctx, conn)
}

// refreshClient tells the client to ask again for what stands beside the lines.
func (s *server) refreshClient(ctx context.Context, conn *jsonrpc2.Conn) {
	for _, method := range s.refresh {
		// Nobody waits for the answer: a client that refuses goes on showing what it has.
		_, _ = conn.DispatchCall(ctx, method, nil)
	}
}

// publish tells the client what is wrong in files. Of the files that are asked about, those that are not among them are
// in order.
func (s *server) publish(
	ctx context.Context, conn *jsonrpc2.Conn, byFile map[string][]diagnostic, asked func(string) bool,
) {
	for name := range s.shown {
		if byFile[name] == nil && asked(name) {
			byFile[name] = []diagnostic{} // what was wrong is mended
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		s.shown[name] = len(byFile[name]) > 0
		// A client that has gone hears nothing, and the stream tells Serve.
		_ = conn.Notify(ctx, "textDocument/publishDiagnostics", publishDiagnosticsParams{s.ownURI(name), byFile[name]})
	}
}

func (s *server) isStale(version int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopped || s.version != version
}

// diagnosticOf is a diagnostic for the client, shown at a place.
func (s *server) diagnosticOf(d *diag.Diagnostic, at plan.Place, v *view) diagnostic {
	out := diagnostic{
		Range:    v.span(at, 0),
		Severity: map[diag.Severity]int{diag.Error: 1, diag.Warn: 2, diag.Note: 3}[d.Severity],
		Code:     string(d.Code), Source: "rules", Message: d.Message,
	}
	if d.Subject != "" {
		out.Message = d.Subject + ": " + out.Message
	}
	if d.Repair != "" {
		out.Message += "\n" + d.Repair
	}
	if isUnnecessary(d.Code) && at == d.Place {
		out.Tags = []int{unnecessaryTag}
		if d.Code == "table-unreached" {
			out.Range = v.rowSpan(at)
		}
	}
	if at.File != d.Place.File {
		out.Message = s.placeText(d.Place) + out.Message
		if l, ok := s.locationOf(v, d.Place, 0); ok {
			out.RelatedInformation = append(out.RelatedInformation, related{l, "the place in the ruleset"})
		}
	}
	for _, r := range d.Related {
		if l, ok := s.locationOf(v, r.Place, 0); ok {
			out.RelatedInformation = append(out.RelatedInformation, related{l, r.Message})
		} else {
			out.Message += "\n" + s.placeText(r.Place) + r.Message
		}
	}
	return out
}

// unnecessaryTag is the protocol's number for what could as well not be there.
const unnecessaryTag = 1

// isUnnecessary reports whether diagnostics of a code say that nothing reaches or reads what they stand at.
func isUnnecessary(code diag.Code) bool {
	return code == "table-unreached" || code == "table-unread" || code == "unread-definition" ||
		strings.HasPrefix(string(code), "unused")
}

// placeText names a place of the ruleset that a homebrew changes, before a message about it; of a whole directory it is
// empty.
func (s *server) placeText(at plan.Place) string {
	if name, ok := s.baseFile(at.File); ok {
		return fmt.Sprintf("%s:%d:%d: ", name, at.Line, at.Col)
	}
	return ""
}

// fileOf is the path in the module of a file that a client names.
func (s *server) fileOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return "", false
	}
	rel, err := filepath.Rel(s.options.Root, filepath.FromSlash(u.Path))
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// ownURI is how the client names a file of the directory that the server works on.
func (s *server) ownURI(name string) string {
	return (&url.URL{Scheme: "file", Path: path.Join(filepath.ToSlash(s.options.Root), name)}).String()
}

// uriOf is how the client names a file; not ok for one that ships with the program.
func (s *server) uriOf(name string) (string, bool) {
	switch {
	case s.isOwnFile(name):
		return s.ownURI(name), true
	case s.options.Base.Dir == "":
		return "", false
	}
	return (&url.URL{Scheme: "file", Path: name}).String(), true
}

// view is the buffers as they are now.
func (s *server) view() *view {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &view{buffers: s.buffers, encoding: s.encoding, version: s.version, read: map[string]*textFile{},
		baseFile: s.baseFile, base: s.options.Base.Files()}
}

// rulesetOf is what a request about a file needs: the buffers, the file's path in the module, and the index of its ruleset.
// Not ok for a file of no ruleset.
func (s *server) rulesetOf(uri string) (v *view, file string, x *symbols.Index, ok bool) {
	v = s.view()
	if file, ok = s.fileOf(uri); ok {
		x = s.index(v, file)
	}
	return v, file, x, x != nil
}

// index is the index of the ruleset that a file belongs to; nil for a file of none. While CUE cannot read the ruleset, it
// is the last one.
func (s *server) index(v *view, file string) *symbols.Index {
	dir := path.Dir(file)
	if s.indexed != v.version {
		s.stale, s.indexed = map[string]bool{}, v.version
		for dir := range s.indices {
			s.stale[dir] = true
		}
	}
	old, known := s.indices[dir]
	if !known || s.stale[dir] {
		delete(s.stale, dir)
		s.indices[dir] = old // known from now on, also when no ruleset lies there
		for _, d := range s.loadDrafts(v, dir) {
			at := s.dirOf(d)
			s.indices[at], s.drafts[at] = symbols.New(d.Rules), d
			if d.Homebrew != nil {
				s.indices[at].AddHomebrew(d.Homebrew)
			}
			delete(s.stale, at)
		}
	}
	return s.indices[dir]
}

// dirOf is the directory of a ruleset; empty for one that defines nothing, whose directory nothing tells.
func (s *server) dirOf(d *compiler.Draft) string {
	if d.Homebrew != nil {
		return "."
	}
	if at := firstPlace(d.Rules); at != (plan.Place{}) {
		return path.Dir(at.File)
	}
	return ""
}

// indexOf is the index of a ruleset; nil for one that there is not.
func (s *server) indexOf(v *view, ruleset string) *symbols.Index {
	if s.options.Homebrew {
		return s.index(v, "homebrew.cue")
	}
	for dir, x := range s.indices {
		if x != nil && x.Ruleset() == ruleset {
			return s.index(v, path.Join(dir, "ruleset.cue"))
		}
	}
	for _, d := range s.loadDrafts(v, ruleset) {
		if d.Rules.ID == ruleset {
			return s.index(v, firstPlace(d.Rules).File)
		}
	}
	return nil
}

// firstPlace is where a definition of a ruleset stands: in its directory, as the place of the ruleset itself need not be.
func firstPlace(b *book.Ruleset) plan.Place {
	switch {
	case len(b.Rules) > 0:
		return b.Rules[0].Place
	case len(b.Procedures) > 0:
		return b.Procedures[0].Place
	case len(b.Tables) > 0:
		return b.Tables[0].Place
	}
	return plan.Place{}
}

// isInString reports whether a text of a line ends within a string of CUE.
func isInString(before string) bool {
	return (strings.Count(before, `"`)-strings.Count(before, `\"`))%2 == 1
}
