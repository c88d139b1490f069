//go:build js && wasm

package exports

import (
	"runtime"
	"unsafe"

	"openloop/content/demo"
	"openloop/wasm/internal/protocol"
)

// host is package state, as nowhere else in the repository: exported functions
// have nothing else to hold on to between two calls. It also keeps the memory
// alive whose addresses JavaScript has.
var host protocol.Host

// Serve answers calls about these demos until the worker ends.
func Serve(demos []*demo.Demo) {
	host.Demos = demos
	select {} // stays, so that the exports can be called
}

//go:wasmexport protocol_version
func protocolVersion() int32 { return protocol.Version }

//go:wasmexport engine_version
func engineVersion() int32 { return demo.EngineVersion }

//go:wasmexport input
func input(n int32) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(host.Input(n))) }

//go:wasmexport call
func call(op, handle, n, arg int32) int32 { return host.Call(op, handle, n, arg) }

// tidy collects garbage, for a time when nobody waits.
//
//go:wasmexport tidy
func tidy() { runtime.GC() }

//go:wasmexport text_ptr
func textPtr() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(host.Text())) }

//go:wasmexport text_len
func textLen() int32 { return int32(len(host.Text())) }

//go:wasmexport nums_ptr
func numsPtr() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(host.Nums())) }

//go:wasmexport nums_len
func numsLen() int32 { return int32(len(host.Nums())) }
