package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/crash"
	"github.com/tabletop-rules/rules/compiler/diag"
)

// Serve answers a client until it ends the session, or the stream does. The error is that of the stream.
func Serve(ctx context.Context, stream io.ReadWriteCloser, o Options) error {
	module := sandbox.Module{Dir: o.Root}
	s := &server{
		project: newProject(&o), pause: o.Pause, encoding: utf16Encoding,
		buffers: buffers{module.Files(), map[string]string{}}, changeVersions: map[string]int{},
		checker: newChecker(o.Trusts), clientDiagnostics: map[string][]diagnostic{},
		library: newLibrary(o.Trusts), forecasts: &forecasts{}, survivors: &survivorReports{cache: o.Cache},
		numberings: &numberings{read: o.Earlier, byRuleset: map[string]*numbering{}},
	}
	handler := jsonrpc2.HandlerWithError(s.handle)
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(stream, messageCodec{}), handler)
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

// A server is one session with one client: it keeps what changes, and translates between the protocol and the functions
// that know what to show.
//
// The fields stand in three groups by what guards them. A field that is added belongs to one of the
// groups; the comment above each group is the rule.
type server struct {
	project *project
	pause   time.Duration

	mu               sync.Mutex // guards what follows
	encoding         encoding
	buffers          buffers
	version          int                // counts changes
	timer            *time.Timer        // of the diagnostics that wait for a pause
	cancel           context.CancelFunc // ends what looks for the diagnostics of this version
	isStopped        bool
	refreshMethods   []string                  // the requests that tell the client to ask again for what cases decide
	diagnostics      []diag.Diagnostic         // as published last
	diagnosedVersion int                       // the version of that
	playedRulesets   map[string]*playedRuleset // by ruleset, as its cases were played last
	character        string                    // the file of the chosen character; empty for those of the cases
	changeVersions   map[string]int            // by file of a buffer, the version in which it changed last
	saveVersion      int                       // the version in which files were saved last

	compiling         sync.Mutex // held while diagnostics are looked for; guards what follows
	checker           *checker
	clientDiagnostics map[string][]diagnostic // by file, as published last; none for a file in order

	// Used by requests alone, which come one at a time.
	library    *library
	forecasts  *forecasts
	numberings *numberings
	survivors  *survivorReports
}

// handle answers one message. A fault of the program costs this answer; an editor shows the error.
func (s *server) handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) (answer any, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			answer, err = nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: crash.Report(fault)}
		}
	}()
	return s.dispatchMessage(ctx, conn, req)
}

// dispatchMessage answers one message; a fault of the program panics.
func (s *server) dispatchMessage(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	switch req.Method {
	case "initialize":
		return callWithParams(req, s.initialize)
	case "initialized":
		s.scheduleDiagnostics(ctx, conn)
		return nil, nil
	case "shutdown":
		s.stop()
		return nil, nil
	case "exit":
		return nil, conn.Close()
	case "textDocument/didOpen":
		return callWithParams(req, func(p didOpenParams) (any, error) {
			return nil, s.changeText(ctx, conn, p.TextDocument.URI, &p.TextDocument.Text)
		})
	case "textDocument/didChange":
		return callWithParams(req, func(p didChangeParams) (any, error) {
			if n := len(p.ContentChanges); n > 0 {
				return nil, s.changeText(ctx, conn, p.TextDocument.URI, &p.ContentChanges[n-1].Text)
			}
			return nil, nil
		})
	case "textDocument/didClose":
		return callWithParams(req, func(p documentParams) (any, error) {
			return nil, s.changeText(ctx, conn, p.TextDocument.URI, nil)
		})
	case "textDocument/didSave", "workspace/didChangeWatchedFiles":
		s.noteSaved()
		s.scheduleDiagnostics(ctx, conn)
		return nil, nil
	case "workspace/didChangeConfiguration":
		return callWithParams(req, func(p configurationParams) (any, error) {
			if set := cmp.Or(p.Settings.Rules.Character, p.Settings.Character); set != nil {
				s.setCharacter(ctx, conn, *set)
			}
			return nil, nil
		})
	case tooLargeMethod:
		return nil, tellError(ctx, conn, "a message of more than %d MiB was passed over: the file is too large",
			maxMessage>>20)
	case "workspace/executeCommand":
		return callWithParams(req, func(p executeCommandParams) (any, error) {
			return nil, s.executeCommand(ctx, conn, p)
		})
	}
	if of := s.featureOf(req.Method); of != nil {
		return of(req, s.takeSnapshot())
	}
	if req.Notif {
		return nil, nil // the protocol: unknown notifications may be ignored
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "there is no method " + req.Method}
}

// A feature answers a request about what is on the screen.
type feature func(req *jsonrpc2.Request, s *snapshot) (any, error)

// featureOf returns the function that answers a method of the protocol; nil for a notification, and for an unknown method.
//
// The table is made for each request, which costs a microsecond, and reads as the list of all features of the server. An
// added feature must be announced by newInitializeResult too, or no client asks.
func (s *server) featureOf(method string) feature {
	return map[string]feature{
		"textDocument/completion":          answerWith(completeAt),
		"textDocument/hover":               answerWith(hoverAt),
		"textDocument/definition":          answerWith(findDefinition),
		"textDocument/references":          answerWith(findReferences),
		"textDocument/documentSymbol":      answerWith(documentSymbols),
		"textDocument/codeAction":          answerWith(findActions),
		"textDocument/semanticTokens/full": answerWith(colourTokens),
		"textDocument/signatureHelp":       answerWith(helpSignature),
		"textDocument/documentHighlight":   answerWith(findHighlights),
		"textDocument/foldingRange":        answerWith(findFolds),
		"textDocument/selectionRange":      answerWith(findSelections),
		"textDocument/formatting":          answerWith(formatFile),
		"workspace/symbol":                 answerWith(findSymbols),
		"textDocument/rename":              answerOrRefuse(renameSymbol),
		"textDocument/codeLens": answerWith(func(x *snapshot, p documentParams) []codeLens {
			return findLenses(x, s.survivors, p)
		}),
		"textDocument/inlayHint": answerWith(func(x *snapshot, p inlayHintParams) []inlayHint {
			return findHints(x, s.forecasts, s.numberings, p)
		}),
	}[method]
}

// answerWith returns the feature that answers with the result of a function of a snapshot.
func answerWith[P, R any](of func(*snapshot, P) R) feature {
	return answerOrRefuse(func(s *snapshot, p P) (R, error) { return of(s, p), nil })
}

// answerOrRefuse returns the feature that answers with the result of a function, which may refuse the request.
func answerOrRefuse[P, R any](of func(*snapshot, P) (R, error)) feature {
	return func(req *jsonrpc2.Request, s *snapshot) (any, error) {
		return callWithParams(req, func(p P) (any, error) { return of(s, p) })
	}
}

// callWithParams decodes the parameters of a message and returns the result of a function of them.
func callWithParams[P any](req *jsonrpc2.Request, of func(P) (any, error)) (any, error) {
	var p P
	if req.Params != nil {
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
	}
	return of(p)
}

// initialize returns all capabilities, whether the client has asked for them or not: a client does not use those that it
// does not know. Only refresh requests are sent by the server, and so depend on the client's own capabilities.
func (s *server) initialize(p initializeParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.encoding = chooseEncoding(p.Capabilities.General.PositionEncodings)
	var set clientSettings
	if json.Unmarshal(p.InitializationOptions, &set) == nil && set.Character != nil {
		s.character = *set.Character
	}
	if p.Capabilities.Workspace.CodeLens.RefreshSupport {
		s.refreshMethods = append(s.refreshMethods, "workspace/codeLens/refresh")
	}
	if p.Capabilities.Workspace.InlayHint.RefreshSupport {
		s.refreshMethods = append(s.refreshMethods, "workspace/inlayHint/refresh")
	}
	return newInitializeResult(s.encoding), nil
}

// newInitializeResult returns the capabilities of the server.
func newInitializeResult(e encoding) initializeResult {
	var r initializeResult
	r.ServerInfo.Name = "rules"
	r.Capabilities = capabilities{
		PositionEncoding:   string(e),
		TextDocumentSync:   syncOptions{OpenClose: true, Change: 1, Save: true},
		CompletionProvider: completionOptions{TriggerCharacters: []string{".", "'", "("}},
		HoverProvider:      true, DefinitionProvider: true, ReferencesProvider: true, RenameProvider: true,
		DocumentSymbolProvider: true, CodeActionProvider: codeActionOptions{[]string{quickFix, sourceAction, fixAll}},
		SignatureHelpProvider:     signatureOptions{TriggerCharacters: []string{"(", ","}},
		DocumentHighlightProvider: true, FoldingRangeProvider: true, InlayHintProvider: true,
		SelectionRangeProvider: true, DocumentFormattingProvider: true, WorkspaceSymbolProvider: true,
		ExecuteCommandProvider: commandOptions{[]string{showCases, runCase, showSurvivors, explainCode, chooseCharacter}},
	}
	r.Capabilities.SemanticTokensProvider.Full = true
	r.Capabilities.SemanticTokensProvider.Legend.TokenTypes = tokenTypes()
	r.Capabilities.SemanticTokensProvider.Legend.TokenModifiers = []string{}
	return r
}

// executeCommand carries out a command of a lens or of an action, most of which tell the user something.
func (s *server) executeCommand(ctx context.Context, conn *jsonrpc2.Conn, p executeCommandParams) error {
	tell := map[string]func(*snapshot, executeCommandParams) (*showMessageParams, error){
		showCases: runCases, runCase: runOneCase,
		showSurvivors: s.survivors.describeForDefinition, explainCode: showCodePage,
	}[p.Command]
	switch {
	case tell != nil:
		message, err := tell(s.takeSnapshot(), p)
		if err != nil {
			return err
		}
		return conn.Notify(ctx, "window/showMessage", message)
	case p.Command == chooseCharacter:
		file, err := findCharacter(s.takeSnapshot(), p)
		if err != nil {
			return err
		}
		s.setCharacter(ctx, conn, file)
		return nil
	}
	return newRefusal("there is no command %s", p.Command)
}

// tellError shows the user an error.
func tellError(ctx context.Context, conn *jsonrpc2.Conn, format string, args ...any) error {
	return conn.Notify(ctx, "window/showMessage", &showMessageParams{errorMessage, fmt.Sprintf(format, args...)})
}

// setCharacter chooses the file of a character, or with none the characters of the cases.
func (s *server) setCharacter(ctx context.Context, conn *jsonrpc2.Conn, file string) {
	s.mu.Lock()
	s.character = file
	s.mu.Unlock()
	s.refreshClient(ctx, conn)
}

// changeText replaces the text of a file, with none by the saved one, and looks for diagnostics after a pause.
//
// The whole text comes with each change. A change of a file of another module is passed over in silence: editors open files
// beside the module as well, and an error for them would only annoy.
func (s *server) changeText(ctx context.Context, conn *jsonrpc2.Conn, uri string, text *string) error {
	name, ok := s.project.fileOf(uri)
	if !ok {
		return nil // a file of another module: nothing is said about it
	}
	if text != nil && len(*text) > maxDocument {
		text = nil
		err := tellError(ctx, conn, "%s is larger than %d MiB: what is on the screen is not checked", name, maxDocument>>20)
		if err != nil {
			return err
		}
	}
	s.mu.Lock()
	if text == nil {
		s.buffers = s.buffers.withoutText(name)
	} else {
		s.buffers = s.buffers.withText(name, *text)
	}
	s.changeVersions[name] = s.version + 1 // which scheduleDiagnostics makes of it
	s.mu.Unlock()
	s.scheduleDiagnostics(ctx, conn)
	return nil
}

// noteSaved notes that files have changed on the disk, nobody says which.
func (s *server) noteSaved() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saveVersion = s.version + 1
}

// haveCasesChanged reports whether a file of cases may have changed since a version: cases read those of others.
//
// A case may name a character in another file and inherit from the first of its own, so any file of
// cases counts for all of them.
func (s *server) haveCasesChanged(since int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, at := range s.changeVersions {
		if at > since && strings.HasPrefix(name, "golden/") {
			return true
		}
	}
	return s.saveVersion > since
}

// scheduleDiagnostics looks for diagnostics after a pause in which nothing changes. A search that is underway is of an
// earlier version and given up.
//
// The pause is counted from the last change and not from the first: while somebody types nothing is compiled. It is a
// setting only because tests want none.
func (s *server) scheduleDiagnostics(ctx context.Context, conn *jsonrpc2.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.giveUp()
	if s.isStopped {
		return
	}
	ctx, s.cancel = context.WithCancel(ctx)
	s.timer = time.AfterFunc(s.pause, func() { s.diagnose(ctx, conn) })
}

// giveUp ends the search for diagnostics, underway or scheduled.
func (s *server) giveUp() {
	if s.timer != nil {
		s.timer.Stop()
		s.cancel()
	}
}

func (s *server) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isStopped = true
	s.giveUp()
}

// closeWorkers ends the processes that wait for another request, once no diagnostics are looked for.
func (s *server) closeWorkers() {
	s.compiling.Lock()
	defer s.compiling.Unlock()
	s.checker.close()
	s.library.close()
}

// diagnose publishes the errors of the files as they are now, then the warnings; then it plays the cases and publishes
// their findings. It ends when its context does, because something has changed.
//
// The context is looked at after each step and not only by the steps: a step that has just ended in time would otherwise
// publish findings that are no longer on the screen.
func (s *server) diagnose(ctx context.Context, conn *jsonrpc2.Conn) {
	s.compiling.Lock()
	defer s.compiling.Unlock()
	if ctx.Err() != nil {
		return
	}
	defer func() {
		if fault := recover(); fault != nil { // of what plays cases: the compiler's own are diagnostics
			_ = tellError(ctx, conn, "%s", crash.Report(fault))
		}
	}()
	x := s.takeSnapshot()
	list, err := s.checker.findErrors(ctx, x.view)
	if err != nil {
		return
	}
	isRuleset := func(name string) bool { return path.Ext(name) != caseExtension }
	s.noteFound(list, x.version)
	s.publishDiagnostics(ctx, conn, diagnosticsByFile(x.view, list), isRuleset)
	plans, list, err := s.checker.compile(ctx, x.view)
	if err != nil {
		return
	}
	s.noteFound(list, x.version)
	s.publishDiagnostics(ctx, conn, diagnosticsByFile(x.view, list), isRuleset)

	all, err := playCases(ctx, x.view, plans, x.playedRulesets, s.haveCasesChanged)
	if err != nil || ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	s.playedRulesets = all
	s.mu.Unlock()
	s.publishDiagnostics(ctx, conn, caseDiagnostics(x.view, all), func(name string) bool { return !isRuleset(name) })
	s.refreshClient(ctx, conn)
}

// noteFound keeps diagnostics for the requests about them.
func (s *server) noteFound(list []diag.Diagnostic, version int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.diagnostics, s.diagnosedVersion = list, version
}

// refreshClient tells the client to ask again for the lenses and hints beside the lines.
//
// A client asks for them when a file changes and not when its cases have been played, so it is told.
func (s *server) refreshClient(ctx context.Context, conn *jsonrpc2.Conn) {
	for _, method := range s.refreshMethods {
		// Nobody waits for the answer: a client that refuses goes on showing what it has.
		_, _ = conn.DispatchCall(ctx, method, nil)
	}
}

// publishDiagnostics sends the client the diagnostics of files, as far as it does not have them. Files that are asked
// about and have no entry are in order.
//
// A client shows its last diagnostics of a file until it gets others, for ever if need be. So a file whose problems are
// gone gets an empty list, once; and files about which nothing changed get no message, because some clients redraw all
// marks for each.
func (s *server) publishDiagnostics(
	ctx context.Context, conn *jsonrpc2.Conn, byFile map[string][]diagnostic, asked func(string) bool,
) {
	for name := range s.clientDiagnostics {
		if byFile[name] == nil && asked(name) {
			byFile[name] = []diagnostic{} // what was wrong is mended
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		if list, known := s.clientDiagnostics[name]; known && reflect.DeepEqual(list, byFile[name]) {
			continue
		}
		s.clientDiagnostics[name] = byFile[name]
		// A client that has gone hears nothing, and the stream tells Serve.
		_ = conn.Notify(ctx, "textDocument/publishDiagnostics",
			publishDiagnosticsParams{s.project.ownURI(name), byFile[name]})
	}
}

// takeSnapshot returns the present state of the server, for one answer.
func (s *server) takeSnapshot() *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := &view{s.project, s.buffers, s.encoding, s.version, map[string]*textFile{}}
	return &snapshot{v, s.library, s.diagnostics, s.diagnosedVersion, s.playedRulesets, s.character}
}
