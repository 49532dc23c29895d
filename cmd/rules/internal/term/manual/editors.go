package manual

const editorsTopic = `Editors

"rules lsp" is a language server for the formulas in rulesets. It runs beside CUE's own server ("cue lsp"), which knows
the CUE around them. Start it in a module or in a homebrew, or name one with --dir or --with. Of what you do not trust
nothing is evaluated in the server's own process; "rules trust add DIR" makes it faster.

Neovim 0.11, in init.lua:

    vim.lsp.config.rules = { cmd = { "rules", "lsp" }, filetypes = { "cue", "txtar" }, root_markers = { "cue.mod" } }
    vim.lsp.enable("rules")
    vim.filetype.add({ extension = { txtar = "txtar" } }) -- golden cases
    vim.lsp.inlay_hint.enable() -- odds, what homebrews find, the next revision
    vim.api.nvim_create_autocmd({ "BufEnter", "CursorHold" }, { callback = function() vim.lsp.codelens.refresh() end })

Helix, in languages.toml:

    [language-server.cue]
    command = "cue"
    args = ["lsp"]

    [language-server.rules]
    command = "rules"
    args = ["lsp"]

    [[language]]
    name = "cue"
    roots = ["cue.mod"]
    language-servers = ["cue", "rules"]

    [[language]]
    name = "txtar"
    scope = "source.txtar"
    file-types = ["txtar"]
    roots = ["cue.mod"]
    language-servers = ["rules"]

Emacs with eglot (part of Emacs 29, a package before), which runs one server in a buffer, and cue-mode from its archive:

    (add-to-list 'eglot-server-programs '(cue-mode . ("rules" "lsp")))

VS Code, with an extension for generic language servers: the command is "rules", its argument "lsp", the languages "cue" and
"txtar" (golden cases), the transport standard input and output, the directory the one that has cue.mod.

The odds beside outputs are for the character of the rule's first case. Another one is chosen by a code action where a rule
is declared, by the command rules.chooseCharacter with the path of a file from the root of the module, or for good:

    init_options = { character = "golden/haze/warrior.json" },                      -- Neovim, behind root_markers
    config = { character = "golden/haze/warrior.json" }                             # Helix, below args
    ("rules" "lsp" :initializationOptions (:character "golden/haze/warrior.json"))  ; eglot

What a diagnostic's code means stands where you hover over it, and a code action tells it too. The action source.fixAll
makes the sure repairs of a file, also on save. At each revision in rules.cue the server says what number the change since
the last release asks for: that of --against, as for "rules release", or of the release files in the directory releases.
`
