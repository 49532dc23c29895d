package manual

const editorsTopic = `Editors

"rules lsp" is a language server for the formulas in rulesets. It runs beside CUE's own server ("cue lsp"), which knows
the CUE around them. Start it in a module or in a homebrew, or name one with --dir or --with. Of what you do not trust
nothing is evaluated in the server's own process; "rules trust add DIR" makes it faster.

Neovim 0.11, in init.lua:

    vim.lsp.config.rules = { cmd = { "rules", "lsp" }, filetypes = { "cue", "txtar" }, root_markers = { "cue.mod" } }
    vim.lsp.enable("rules")
    vim.filetype.add({ extension = { txtar = "txtar" } }) -- golden cases
    vim.lsp.inlay_hint.enable() -- the odds of outputs

Helix, in languages.toml:

    [language-server.rules]
    command = "rules"
    args = ["lsp"]

    [[language]]
    name = "cue"
    language-servers = ["cuelsp", "rules"]

Emacs 29 with eglot:

    (add-to-list 'eglot-server-programs '(cue-mode . ("rules" "lsp")))

VS Code, with an extension for generic language servers: the command is "rules", its argument "lsp", the languages "cue" and
"txtar" (golden cases), the transport standard input and output.
`
