package diag

var loadPages = []Page{
	{Code: "bad-name"},
	{Code: "bad-type"},
	{Code: "bound-too-large"},
	{Code: "cannot-lower"},
	{Code: "cue-conflict"},
	{Code: "cue-syntax"},
	{Code: "missing-cite"},
	{Code: "missing-field"},
	{Code: "no-package"},
	{Code: "not-concrete"},
	{Code: "not-text"},
	{Code: "table-column"},
	{Code: "table-kind"},
	{Code: "table-step"},
	{Code: "table-type"},
	{Code: "unbounded-list"},
	{Code: "unknown-field"},
	{Code: "unknown-reference"},
	{Code: "wrong-type"},
}
