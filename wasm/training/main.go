// The training module: hidden failures to name, for one worker of a page.
package main

import (
	"openloop/content/demo/failing"
	"openloop/wasm/internal/exports"
)

func main() { exports.Serve(failing.Training()) }
