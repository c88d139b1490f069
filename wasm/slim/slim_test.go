package slim

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// program is a module as Go's linker makes it. That slim programs run and give
// the same bytes is tested in wasm/internal/exports.
func program(t *testing.T) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "x.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, "openloop/wasm/serving")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	msg, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", msg)
	raw, err := os.ReadFile(out)
	require.NoError(t, err)
	return raw
}

// sections are the bodies of a module's sections, by id.
func sections(t *testing.T, wasm []byte) map[byte][]byte {
	t.Helper()
	out := map[byte][]byte{}
	r := &reader{wasm, 8}
	for r.at < len(wasm) {
		id := r.byte()
		body := r.bytes(r.unsigned())
		if id != 0 {
			require.NotContains(t, out, id)
		}
		out[id] = body
	}
	return out
}

func packed(t *testing.T, b []byte) int {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(b)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Len()
}

func TestModule(t *testing.T) {
	before := program(t)
	after, err := Module(before)
	require.NoError(t, err)
	again, err := Module(after)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(after, again), "once is enough")
	assert.Less(t, packed(t, after), packed(t, before)*9/10, "line tables stay: this Go has another layout of its table of functions, see dropLines")

	was, is := sections(t, before), sections(t, after)
	require.Len(t, is, len(was))
	for id := range was {
		if id != dataSection {
			assert.True(t, bytes.Equal(was[id], is[id]), "section %d", id)
		}
	}
	memory, err := image(was[dataSection])
	require.NoError(t, err)
	got, err := image(is[dataSection])
	require.NoError(t, err)
	whole := bytes.Clone(memory)
	dropLines(memory)
	assert.True(t, bytes.Equal(bytes.TrimRight(memory, "\x00"), got), "the same memory but for the lines")

	// Nothing outside of the table of functions has changed, nor the names in it.
	at := bytes.Index(whole, magic)
	files := int(binary.LittleEndian.Uint64(whole[at+8*6:]))
	names := int(binary.LittleEndian.Uint64(whole[at+8*5:]))
	assert.Positive(t, files)
	assert.True(t, bytes.Equal(whole[:at+names], memory[:at+names]))
	for i := range whole {
		require.True(t, memory[i] == whole[i] || memory[i] == 0, "byte %d is another", i)
	}
}

// TestSegments: any memory comes back from its segments.
func TestSegments(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var memory []byte
		for range r.IntN(20) {
			memory = append(memory, make([]byte, r.IntN(3000))...)
			for range r.IntN(10) {
				memory = append(memory, byte(r.Uint32())|1)
			}
		}
		got, err := image(segments(memory))
		require.NoError(t, err)
		require.Equal(t, len(bytes.TrimRight(memory, "\x00")), len(got))
		require.True(t, bytes.HasPrefix(memory, got))
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	good := append([]byte("\x00asm\x01\x00\x00\x00"), dataSection, 7, 1, 0, 0x41, 5, 0x0b, 1, 9)
	_, err := Module(good)
	require.NoError(t, err)
	for n := range len(good) - 1 {
		if n != 8 { // a module without sections is one
			_, err := Module(good[:n])
			assert.Error(t, err, "%d bytes", n)
		}
	}
	passive := bytes.Clone(good)
	passive[11] = 1
	_, err = Module(passive)
	assert.Error(t, err)
}

// TestUnknownTables: what only looks like a table of functions stays whole.
func TestUnknownTables(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		memory := make([]byte, 400)
		for i := range memory {
			memory[i] = byte(r.Uint32())
		}
		copy(memory[8:], magic)
		want := bytes.Clone(memory)
		dropLines(memory)
		require.Equal(t, want, memory)
	}
}
