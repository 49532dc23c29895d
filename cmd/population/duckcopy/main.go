// Command duckcopy reads a Parquet file and writes it again with DuckDB, computing nothing: what the benchmark of
// population compares itself with. It is a module of its own, because DuckDB is large and written in C++.
//
//	duckcopy IN.parquet OUT.parquet none|zstd THREADS
package main

import (
	"database/sql"
	"fmt"
	"os"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2"
)

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: duckcopy IN.parquet OUT.parquet none|zstd THREADS")
		os.Exit(2)
	}
	if err := copyFile(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "duckcopy:", err)
		os.Exit(1)
	}
}

func copyFile(in, out, compression, threads string) error {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer db.Close()
	if compression == "none" {
		compression = "uncompressed"
	}
	// The order of rows is preserved, as population does it, and the row groups have DuckDB's own
	// default size.
	for _, statement := range []string{
		"SET threads = " + threads,
		"SET preserve_insertion_order = true",
		fmt.Sprintf("COPY (SELECT * FROM read_parquet(%s)) TO %s (FORMAT parquet, COMPRESSION %s, ROW_GROUP_SIZE 122880)",
			quote(in), quote(out), compression),
	} {
		if _, err := db.Exec(statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// quote is a text as SQL writes it.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
