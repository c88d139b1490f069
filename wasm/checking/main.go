// The checking module: plans against their simulation, for one worker of a page.
package main

import (
	"openloop/content/demo/checking"
	"openloop/wasm/internal/exports"
)

func main() { exports.Serve(checking.Demos()) }
