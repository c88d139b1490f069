// The stepping module: runs of an engine step by step, for one worker of a page.
package main

import (
	"openloop/content/demo/stepping"
	"openloop/wasm/internal/exports"
)

func main() { exports.Serve(stepping.Demos()) }
