// The serving module: the demos about serving, for one worker of a page.
package main

import (
	"openloop/content/demo/serving"
	"openloop/wasm/internal/exports"
)

func main() { exports.Serve(serving.Demos()) }
