// The sizing module: the planner's demos, for one worker of a page.
package main

import (
	"openloop/content/demo/sizing"
	"openloop/wasm/internal/exports"
)

func main() { exports.Serve(sizing.Demos()) }
