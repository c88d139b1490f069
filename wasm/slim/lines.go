package slim

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// The table of functions that every Go program carries (cmd/link calls it
// pclntab; runtime/symtab.go and runtime2.go describe it). It begins with a
// header of offsets; its last part lists the functions, whose entries point at
// tables in pctab: frame sizes, stack maps, files and lines. Files and lines
// are for stack traces only, and offset 0 says that there is none.

// magic opens the header since Go 1.20: the version, two zeros, instructions of
// 1 byte, pointers of 8.
var magic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// Fields of a function's entry, as offsets. The numbers of its stack tables
// come behind it.
const (
	pcsp     = 16
	pcfile   = 20
	pcln     = 24
	npcdata  = 28
	cuOffset = 32
	line     = 36
	entry    = 44
)

// dropLines empties the tables of files and lines in the memory of a program;
// nothing if it has no table of functions that we know.
func dropLines(memory []byte) {
	at := bytes.Index(memory, magic)
	if at < 0 || bytes.Contains(memory[at+1:], magic) {
		return
	}
	table := memory[at:]
	word := func(i int) int { return int(binary.LittleEndian.Uint64(table[8*i:])) }
	functions, compileUnits, files, pctab, list := word(1), word(5), word(6), word(7), word(8)
	if !slices.IsSorted([]int{0, compileUnits, files, pctab, list, len(table)}) || list+8*functions > len(table) {
		return
	}
	u32 := func(i int) uint32 { return binary.LittleEndian.Uint32(table[i:]) }
	size := uint32(list - pctab)
	traces, needed := map[uint32]bool{}, map[uint32]bool{size: true}
	entries := make([]int, functions)
	for i := range entries {
		f := list + int(u32(list+8*i+4))
		if f+entry > len(table) || f+entry+4*int(u32(f+npcdata)) > len(table) {
			return
		}
		entries[i] = f
		traces[u32(f+pcfile)], traces[u32(f+pcln)] = true, true
		needed[u32(f+pcsp)] = true
		for d := range int(u32(f + npcdata)) {
			needed[u32(f+entry+4*d)] = true
		}
	}
	var starts []uint32
	for _, set := range []map[uint32]bool{traces, needed} {
		for offset := range set {
			if offset > size {
				return
			}
			starts = append(starts, offset)
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	for i, start := range starts[:len(starts)-1] {
		if start != 0 && traces[start] && !needed[start] {
			clear(table[pctab+int(start) : pctab+int(starts[i+1])])
		}
	}
	for _, f := range entries {
		for _, field := range []int{pcfile, pcln, cuOffset, line} {
			clear(table[f+field : f+field+4])
		}
	}
	clear(table[compileUnits:pctab]) // names of files
}
