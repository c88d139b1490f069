//go:build !js

// The engine room, which is for the browser. Here it is built so that its picture
// can be tested without one.
package main

func main() {
	panic("the scene is for the browser: GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' ./wasm/scene")
}
