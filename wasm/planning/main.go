// The planning module: the demos about money, for one worker of a page.
package main

import (
	"openloop/content/demo/planning"
	"openloop/wasm/internal/exports"
)

func main() { exports.Serve(planning.Demos()) }
