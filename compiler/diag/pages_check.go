package diag

var checkPages = []Page{}
