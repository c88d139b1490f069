package main

import (
	"os"

	"openloop/content/data"
	"openloop/content/demo/catalog"
	"openloop/content/prose"
)

// wasmHash is set by build.sh: the modules have the same demos as this binary,
// and a site must not mix two versions of them.
var wasmHash string

func main() {
	os.Exit(run(app{
		modules: catalog.Modules(), claims: prose.Claims(), tables: prose.Tables(), figures: prose.Figures(), pages: data.Pages(), wasm: wasmHash,
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
	}, os.Args[1:]))
}
