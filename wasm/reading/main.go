// The reading module: what somebody pasted from a running server, for one worker
// of a page.
package main

import (
	"openloop/content/demo/reading"
	"openloop/wasm/internal/exports"
)

func main() { exports.Serve(reading.Demos()) }
