// The float module: the demos about arithmetic, for one worker of a page.
package main

import (
	"openloop/content/demo/float"
	"openloop/wasm/internal/exports"
)

func main() { exports.Serve(float.Demos()) }
