// The harness module: the demos about harness, for one worker of a page.
package main

import (
	"openloop/content/demo/harness"
	"openloop/wasm/internal/exports"
)

func main() { exports.Serve(harness.Demos()) }
