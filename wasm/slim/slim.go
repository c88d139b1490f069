// Package slim makes a Go program for WebAssembly smaller to download. What
// the program does stays the same; a sixth of its compressed size goes.
//
// Go's linker leaves out runs of zeros in the data, however short, and pays for
// each with the header of another segment, which does not compress. Here only
// long runs are left out. And the tables that say which line an instruction
// comes from are emptied: nobody in a browser reads them, and a crash still
// names its functions.
package slim

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// errForm says that a module is not one that Go's linker would make.
var errForm = errors.New("slim: not a module as Go makes it")

// dataSection is the id of the section that fills the memory.
const dataSection = 11

// Module returns the smaller module. Line tables in a layout that is not known
// (that of another Go) stay as they are.
func Module(wasm []byte) (out []byte, err error) {
	defer func() {
		if recover() != nil { // beyond the end
			out, err = nil, errForm
		}
	}()
	header := []byte("\x00asm\x01\x00\x00\x00")
	if !bytes.HasPrefix(wasm, header) {
		return nil, errForm
	}
	out = append(out, header...)
	for r := (reader{wasm, len(header)}); r.at < len(wasm); {
		start := r.at
		id := r.byte()
		size := r.unsigned()
		body := r.bytes(size)
		if id != dataSection {
			out = append(out, wasm[start:r.at]...)
			continue
		}
		memory, err := image(body)
		if err != nil {
			return nil, err
		}
		dropLines(memory)
		data := segments(memory)
		out = append(out, dataSection)
		out = binary.AppendUvarint(out, uint64(len(data)))
		out = append(out, data...)
	}
	return out, nil
}

// image is the memory that the data section describes.
func image(section []byte) ([]byte, error) {
	const inMemory0, constant, end = 0, 0x41, 0x0b // segment kind; opcodes of its address
	const largest = 64 << 20                       // bytes; programs here have less than 2 MB
	var memory []byte
	r := reader{section, 0}
	for range r.unsigned() {
		if r.byte() != inMemory0 || r.byte() != constant {
			return nil, errForm
		}
		at := r.signed()
		if r.byte() != end || at < 0 || at > largest {
			return nil, errForm
		}
		segment := r.bytes(r.unsigned())
		if more := at + len(segment) - len(memory); more > 0 {
			memory = append(memory, make([]byte, more)...)
		}
		copy(memory[at:], segment)
	}
	if r.at != len(section) {
		return nil, errForm
	}
	return memory, nil
}

// segments is the data section of a memory.
func segments(memory []byte) []byte {
	const worth = 1024 // zeros; shorter runs compress to less than a header
	var list []byte
	n := 0
	for at := 0; at < len(memory); {
		if memory[at] == 0 {
			at++
			continue
		}
		end := at // of the segment, behind its last byte that is not 0
		for i := at; i < len(memory) && i-end < worth; i++ {
			if memory[i] != 0 {
				end = i + 1
			}
		}
		list = append(list, 0, 0x41)
		list = appendSigned(list, at)
		list = append(list, 0x0b)
		list = binary.AppendUvarint(list, uint64(end-at))
		list = append(list, memory[at:end]...)
		n++
		at = end
	}
	return append(binary.AppendUvarint(nil, uint64(n)), list...)
}

// reader reads the numbers of the format (LEB128).
type reader struct {
	b  []byte
	at int
}

func (r *reader) byte() byte {
	r.at++
	return r.b[r.at-1]
}

func (r *reader) bytes(n int) []byte {
	if n < 0 || n > len(r.b)-r.at {
		panic(errForm)
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

func (r *reader) unsigned() int {
	x, n := binary.Uvarint(r.b[r.at:])
	if n <= 0 {
		panic(errForm)
	}
	r.at += n
	return int(x)
}

func (r *reader) signed() int {
	x, shift := 0, 0
	for {
		b := r.byte()
		x |= int(b&0x7f) << shift
		shift += 7
		if b < 0x80 {
			if b&0x40 != 0 {
				x -= 1 << shift
			}
			return x
		}
	}
}

func appendSigned(out []byte, x int) []byte {
	for ; x >= 0x40; x >>= 7 {
		out = append(out, byte(x)|0x80)
	}
	return append(out, byte(x))
}
