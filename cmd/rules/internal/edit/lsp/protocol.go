package lsp

import "encoding/json"

// The parts of the protocol that are used. Names and members are the protocol's.
//
// Members that nobody reads here are left out of messages that come in, and members that no editor
// has been seen to use of those that go out. Where the protocol admits several forms of an answer,
// one is used throughout: lists and never null, markup and never plain strings, full document
// changes.

// A position counts as the protocol does, and not as the compiler: position.go has the conversions.
type position struct {
	Line      int `json:"line"`      // from 0
	Character int `json:"character"` // from 0, in units of the agreed encoding
}

// A span is the protocol's range, which is half-open; the name range is a word of Go.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"` // outside
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type textDocument struct {
	URI string `json:"uri"`
}

type documentPosition struct {
	TextDocument textDocument `json:"textDocument"`
	Position     position     `json:"position"`
}

type initializeParams struct {
	RootURI               string          `json:"rootUri"`
	InitializationOptions json.RawMessage `json:"initializationOptions"` // clientSettings, or whatever a client sends
	Capabilities          struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		Workspace struct {
			CodeLens  refreshSupport `json:"codeLens"`
			InlayHint refreshSupport `json:"inlayHint"`
		} `json:"workspace"`
	} `json:"capabilities"`
}

// clientSettings are what a user may set in the client, which sends it at the start or when it changes. A nil member was
// not sent, and changes nothing.
type clientSettings struct {
	Character *string `json:"character"` // as the argument of chooseCharacter
}

// configurationParams have the settings as most clients send them, in a section for each server, or as Helix does, without.
//
// Clients disagree about whether settings stand under the name of the server, so both places are
// read.
type configurationParams struct {
	Settings struct {
		clientSettings
		Rules clientSettings `json:"rules"`
	} `json:"settings"`
}

// refreshSupport says whether a client asks again when the server tells it to.
//
// A client that cannot be told to ask again shows lenses and hints of the last change until the
// next one.
type refreshSupport struct {
	RefreshSupport bool `json:"refreshSupport"`
}

type initializeResult struct {
	Capabilities capabilities `json:"capabilities"`
	ServerInfo   struct {
		Name string `json:"name"`
	} `json:"serverInfo"`
}

// capabilities are a promise: an editor offers its menu entries by them, before it has asked
// anything.
type capabilities struct {
	PositionEncoding       string                `json:"positionEncoding"`
	TextDocumentSync       syncOptions           `json:"textDocumentSync"`
	CompletionProvider     completionOptions     `json:"completionProvider"`
	HoverProvider          bool                  `json:"hoverProvider"`
	DefinitionProvider     bool                  `json:"definitionProvider"`
	ReferencesProvider     bool                  `json:"referencesProvider"`
	RenameProvider         bool                  `json:"renameProvider"`
	DocumentSymbolProvider bool                  `json:"documentSymbolProvider"`
	CodeActionProvider     codeActionOptions     `json:"codeActionProvider"`
	SemanticTokensProvider semanticTokensOptions `json:"semanticTokensProvider"`

	SignatureHelpProvider     signatureOptions `json:"signatureHelpProvider"`
	DocumentHighlightProvider bool             `json:"documentHighlightProvider"`
	FoldingRangeProvider      bool             `json:"foldingRangeProvider"`
	SelectionRangeProvider    bool             `json:"selectionRangeProvider"`
	WorkspaceSymbolProvider   bool             `json:"workspaceSymbolProvider"`

	DocumentFormattingProvider bool `json:"documentFormattingProvider"`

	CodeLensProvider       struct{}       `json:"codeLensProvider"`
	InlayHintProvider      bool           `json:"inlayHintProvider"`
	ExecuteCommandProvider commandOptions `json:"executeCommandProvider"`
}

type signatureOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
}

type codeActionOptions struct {
	CodeActionKinds []string `json:"codeActionKinds"`
}

type commandOptions struct {
	Commands []string `json:"commands"`
}

// syncOptions ask for the whole text with each change (see the package comment).
type syncOptions struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"` // 1: the whole text each time
	Save      bool `json:"save"`
}

type completionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
}

type semanticTokensOptions struct {
	Legend struct {
		TokenTypes     []string `json:"tokenTypes"`
		TokenModifiers []string `json:"tokenModifiers"`
	} `json:"legend"`
	Full bool `json:"full"`
}

type didOpenParams struct {
	TextDocument struct {
		URI  string `json:"uri"`
		Text string `json:"text"`
	} `json:"textDocument"`
}

// didChangeParams bring the changes of a text, of which only the last counts, as each has the whole
// text.
type didChangeParams struct {
	TextDocument   textDocument `json:"textDocument"`
	ContentChanges []struct {
		Text string `json:"text"`
	} `json:"contentChanges"`
}

type documentParams struct {
	TextDocument textDocument `json:"textDocument"`
}

type publishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

// A diagnostic has a severity that counts from 1, error, to 3, information. Code is the name by
// which "rules explain" has a page.
type diagnostic struct {
	Range              span      `json:"range"`
	Severity           int       `json:"severity"` // 1 error, 2 warning, 3 information
	Code               string    `json:"code"`
	Source             string    `json:"source"`
	Message            string    `json:"message"`
	Tags               []int     `json:"tags,omitempty"` // 1: unnecessary, which editors show faded
	RelatedInformation []related `json:"relatedInformation,omitempty"`
}

type related struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

// A completionItem has no InsertText where the label is what is written.
type completionItem struct {
	Label         string         `json:"label"`
	Kind          int            `json:"kind"`
	Detail        string         `json:"detail,omitempty"`
	InsertText    string         `json:"insertText,omitempty"` // instead of the label
	Documentation *markupContent `json:"documentation,omitempty"`
}

type markupContent struct {
	Kind  string `json:"kind"` // "markdown"
	Value string `json:"value"`
}

type signatureHelp struct {
	Signatures      []signature `json:"signatures"`
	ActiveSignature int         `json:"activeSignature"`
	ActiveParameter int         `json:"activeParameter"`
}

type signature struct {
	Label         string         `json:"label"`
	Documentation *markupContent `json:"documentation,omitempty"`
	Parameters    []parameter    `json:"parameters"`
}

type parameter struct {
	Label string `json:"label"` // as it stands in the signature's
}

type highlight struct {
	Range span `json:"range"`
}

type foldingRange struct {
	StartLine int `json:"startLine"`
	EndLine   int `json:"endLine"`
}

type codeLens struct {
	Range   span    `json:"range"`
	Command command `json:"command"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

type executeCommandParams struct {
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
}

type inlayHintParams struct {
	TextDocument textDocument `json:"textDocument"`
	Range        span         `json:"range"`
}

// An inlayHint without padding on its left would touch the text that it stands behind.
type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	Tooltip     string   `json:"tooltip"`
	PaddingLeft bool     `json:"paddingLeft"`
}

type showMessageParams struct {
	Type    int    `json:"type"` // 1 error, 3 information
	Message string `json:"message"`
}

type hover struct {
	Contents markupContent `json:"contents"`
}

type renameParams struct {
	documentPosition
	NewName string `json:"newName"`
}

// A workspaceEdit has its changes by the URI of the file. Every edit of a file counts in the text
// as it was before the first.
type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type documentSymbol struct {
	Name           string `json:"name"`
	Detail         string `json:"detail,omitempty"`
	Kind           int    `json:"kind"`
	Range          span   `json:"range"`
	SelectionRange span   `json:"selectionRange"`
}

type symbolParams struct {
	Query string `json:"query"`
}

// symbolInformation is a definition of any ruleset of the project.
type symbolInformation struct {
	Name          string   `json:"name"`
	Kind          int      `json:"kind"`
	Location      location `json:"location"`
	ContainerName string   `json:"containerName"` // the ruleset
}

type selectionParams struct {
	TextDocument textDocument `json:"textDocument"`
	Positions    []position   `json:"positions"`
}

// selectionRange is a range around a position, and the next wider one.
type selectionRange struct {
	Range  span            `json:"range"`
	Parent *selectionRange `json:"parent,omitempty"`
}

type codeActionParams struct {
	TextDocument textDocument `json:"textDocument"`
	Range        span         `json:"range"`
	Context      struct {
		Only []string `json:"only,omitempty"`
	} `json:"context"`
}

// A codeAction has an edit or a command: an edit is applied by the client, a command comes back to
// this server.
type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"`
	Command     *command       `json:"command,omitempty"`
}

// semanticTokens are five numbers a token: lines and characters from the token before, the length,
// the type, and modifiers, of which there are none.
type semanticTokens struct {
	Data []int `json:"data"`
}
