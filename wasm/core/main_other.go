//go:build !(js && wasm)

// The core module is a WebAssembly program; see main.go. This file stands in
// for it on other platforms, so that ./... builds and vets.
package main

import "os"

func main() {
	os.Stderr.WriteString("core: build it for the browser: GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o core.wasm ./wasm/core\n")
	os.Exit(2)
}
