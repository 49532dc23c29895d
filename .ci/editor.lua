-- A session in a real editor: opens a ruleset, breaks it, sees the diagnostic, repairs it, completes, looks up, renames, and
-- sees what its cases say.
-- Run in a module:  SERVER=rules nvim --headless -u NONE -i NONE -n -c 'luafile .ci/editor.lua'
local function session()
  vim.cmd("edit tables/tempestas/testing.cue")
  local config = { name = "rules", cmd = { vim.env.SERVER, "lsp" }, root_dir = vim.fn.getcwd() }
  local id
  if vim.lsp.start then
    id = vim.lsp.start(config)
  else -- before Neovim 0.8
    id = vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(0, id)
  end
  local function cursor(pattern, offset)
    vim.fn.cursor(1, 1)
    assert(vim.fn.search(pattern) > 0, pattern .. " is not there")
    local at = vim.api.nvim_win_get_cursor(0)
    vim.api.nvim_win_set_cursor(0, { at[1], at[2] + (offset or 0) })
  end
  local function request(method, more)
    local params = vim.lsp.util.make_position_params(0, "utf-16")
    for k, v in pairs(more or {}) do params[k] = v end
    local r = assert(vim.lsp.buf_request_sync(0, method, params, 60000), method .. ": no answer")
    assert(r[id] and r[id].result, method .. ": " .. vim.inspect(r[id]))
    return r[id].result
  end

  -- Break a formula and see the diagnostic.
  vim.cmd([[%s/"base - penalty - hard"/"base - penalti - hard"/]])
  assert(vim.wait(60000, function() return #vim.diagnostic.get(0) == 1 end, 20), "no diagnostic")
  local found = vim.diagnostic.get(0)[1]
  assert(found.message:find("penalty"), found.message)

  -- Apply the repair that is offered.
  cursor("penalti")
  local range = { start = { line = found.lnum, character = found.col }, ["end"] = { line = found.lnum, character = found.end_col } }
  local actions = request("textDocument/codeAction", { range = range, context = { diagnostics = {} } })
  vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
  assert(vim.wait(60000, function() return #vim.diagnostic.get(0) == 0 end, 20), "the repair does not help")
  cursor("base - penalty - hard")

  -- Complete the values of an option inside a formula.
  cursor("base - penalty - hard")
  vim.cmd([[s/base - penalty/option.heroic_cap == '' ? 0 : base - penalty/]])
  cursor([[heroic_cap == '']], #"heroic_cap == '")
  local labels = {}
  for _, item in ipairs(request("textDocument/completion")) do labels[item.label] = true end
  assert(labels.none and labels.hundred, "values are missing: " .. vim.inspect(labels))
  vim.cmd("undo")

  -- Complete a column of a look-up inside a formula.
  cursor("base - penalty - hard")
  vim.cmd([[s/base - penalty/timespan(input.task). - penalty/]])
  cursor("timespan(input.task)[.] ", #"timespan(input.task).")
  labels = {}
  for _, item in ipairs(request("textDocument/completion")) do labels[item.label] = true end
  assert(labels.every and labels.length, "columns are missing: " .. vim.inspect(labels))
  vim.cmd("undo")

  -- Jump to a function in another file, and rename it in all of them.
  cursor([[hindrance(]], 2)
  local to = request("textDocument/definition")[1]
  assert(to.uri:find("difficulty.cue", 1, true), to.uri)
  local edit = request("textDocument/rename", { newName = "burden" })
  local files = 0
  for _ in pairs(edit.changes) do files = files + 1 end
  assert(files >= 2, "the rename reaches " .. files .. " files")

  -- Jump to a table from a formula, and rename it: in CUE, in formulas and in cases.
  vim.cmd("edit tables/tempestas/target_value.cue")
  if not vim.lsp.start then vim.lsp.buf_attach_client(0, id) else vim.lsp.start(config) end
  cursor([[timespan(input.task)]], 2)
  to = request("textDocument/definition")[1]
  assert(to.uri:find("tables/tempestas/", 1, true), to.uri)
  edit = request("textDocument/rename", { newName = "spell" })
  local cases = 0
  for uri in pairs(edit.changes) do
    if uri:find("/golden/tempestas/", 1, true) then cases = cases + 1 end
  end
  assert(cases >= 1, "the rename reaches no case: " .. vim.inspect(vim.tbl_keys(edit.changes)))
  vim.cmd("edit tables/tempestas/testing.cue")

  -- See which argument a call wants, how many cases hold the rules, and what an output's odds are.
  cursor([[hindrance(]], #"hindrance(")
  local help = request("textDocument/signatureHelp")
  assert(help.signatures[1].label:find("hindrance(", 1, true), vim.inspect(help))
  local lenses = {}
  assert(vim.wait(60000, function()
    lenses = request("textDocument/codeLens")
    return #lenses > 0
  end, 200), "no case was played")
  assert(lenses[1].command.title:find("cases? passed"), lenses[1].command.title)
  local all = { start = { line = 0, character = 0 }, ["end"] = { line = 9999, character = 0 } }
  local hints = request("textDocument/inlayHint", { range = all })
  assert(#hints > 0 and hints[1].label:find("%d"), vim.inspect(hints))
end

local ok, err = xpcall(session, debug.traceback)
if ok then
  io.stdout:write("editor session passed\n")
  vim.cmd("qall!")
else
  io.stderr:write(tostring(err) .. "\n")
  vim.cmd("cquit 1")
end
