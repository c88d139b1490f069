package main

import (
	"os"

	"openloop/content/demo"
	"openloop/content/prose"
)

// coreHash is set by build.sh: the core module has the same demos as this
// binary, and a site must not mix two versions of them.
var coreHash string

func main() {
	os.Exit(run(app{
		demos: demo.All(), claims: prose.Claims(), core: coreHash,
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
	}, os.Args[1:]))
}
