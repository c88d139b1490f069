// The field module: numbers from real servers, for one worker of a page.
package main

import (
	"openloop/content/demo/field"
	"openloop/wasm/internal/exports"
)

func main() { exports.Serve(field.Demos()) }
