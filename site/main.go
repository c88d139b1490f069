package main

import (
	"os"

	"openloop/content/demo"
	"openloop/content/prose"
)

func main() {
	os.Exit(run(app{
		demos: demo.All(), claims: prose.Claims(),
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
	}, os.Args[1:]))
}
