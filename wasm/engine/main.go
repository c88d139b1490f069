// The engine module: the demos that look into one engine, for one worker of a page.
package main

import (
	"openloop/content/demo/engine"
	"openloop/wasm/internal/exports"
)

func main() { exports.Serve(engine.Demos()) }
