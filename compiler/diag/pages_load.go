package diag

var loadPages = []Page{}
