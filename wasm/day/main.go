// The day module: a day of a plan, for one worker of a page. It is apart from
// checking, with which it does not fit into one module.
package main

import (
	"openloop/content/demo/checking"
	"openloop/wasm/internal/exports"
)

func main() { exports.Serve(checking.Day()) }
