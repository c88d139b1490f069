//go:build !(js && wasm)

package exports

import "openloop/content/demo"

// Serve is for WebAssembly only. It is here so that ./... builds and vets.
func Serve([]*demo.Demo) {
	panic("a module is for the browser: GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' ./wasm/NAME")
}
