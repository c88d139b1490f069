package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
)

// What README.md and CONTRIBUTING.md say of files and commands is so.

var (
	readmeCommand = regexp.MustCompile(`(?m)^    (bin/openloop|\./build\.sh) (.*)$`)
	shellWord     = regexp.MustCompile(`'[^']*'|\S+`)
	mentioned     = regexp.MustCompile("`((?:content|numerics|planner|sim|site|wasm)/[A-Za-z0-9_./-]+)`")
	linkKey       = regexp.MustCompile("(?m)^\\| `([a-z]+)=")
)

func document(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", name))
	require.NoError(t, err)
	return string(raw)
}

// TestReadmeCommands runs each command of README.md. Those that pack a built site
// are left to the tests that have one; the sweep, of 110 runs, to the long test.
func TestReadmeCommands(t *testing.T) {
	text, script := document(t, "README.md"), document(t, "build.sh")
	t.Chdir(t.TempDir())
	var trace strings.Builder // of 40 sessions, three turns each
	for turn := range 3 {
		for i := range 40 {
			hashes := []string{strconv.Itoa(4 * i), strconv.Itoa(4*i + 1), strconv.Itoa(4*i + 2), strconv.Itoa(4*i + 3)}[:turn+2]
			fmt.Fprintf(&trace, `{"timestamp": %d, "input_length": %d, "output_length": 7, "hash_ids": [%s]}`+"\n", 1000*(40*turn+i), 512*(turn+2)-100, strings.Join(hashes, ", "))
		}
	}
	for name, raw := range map[string]string{
		"bench.sh": "vllm bench serve --request-rate 20\n", "salt.txt": "correct horse battery staple\n",
		"trace.jsonl": trace.String(),
	} {
		require.NoError(t, os.WriteFile(name, []byte(raw), 0o600))
	}
	ran := 0
	for _, m := range readmeCommand.FindAllStringSubmatch(text, -1) {
		line, _, _ := strings.Cut(m[2], " # ")
		line, _, _ = strings.Cut(line, " > ")
		var args []string
		for _, w := range shellWord.FindAllString(line, -1) {
			args = append(args, strings.Trim(w, "'"))
		}
		switch {
		case m[1] == "./build.sh":
			assert.Contains(t, script, "\n  "+args[0]+") ", "build.sh has no command %s", args[0])
			continue
		case args[0] == "export", args[0] == "sweep" && os.Getenv("OPENLOOP_LONG") == "":
			continue
		}
		var out, msg bytes.Buffer
		code := run(app{modules: catalog.Modules(), in: strings.NewReader(""), out: &out, err: &msg}, args)
		assert.Zero(t, code, "%s: %s", m[0], msg.String())
		assert.NotEmpty(t, out.String(), m[0])
		ran++
	}
	assert.GreaterOrEqual(t, ran, 4)
}

// TestReadmeLinks: the table has the keys that any link may carry, and the parts
// that hide takes.
func TestReadmeLinks(t *testing.T) {
	text, trainers := document(t, "README.md"), document(t, "content/about/01-for-trainers.md")
	var keys []string
	for _, m := range linkKey.FindAllStringSubmatch(text, -1) {
		keys = append(keys, m[1])
	}
	assert.ElementsMatch(t, demo.LinkKeys(), append(keys, "v"))
	for _, part := range demo.Parts {
		assert.Contains(t, text, "`"+part+"`")
		assert.Contains(t, trainers, "`"+part+"`")
	}
}

// TestPathsAreThere: every file and folder that the documents name exists.
// Capitals stand for a name of one's own.
func TestPathsAreThere(t *testing.T) {
	n := 0
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"} {
		for _, m := range mentioned.FindAllStringSubmatch(document(t, name), -1) {
			path := strings.TrimSuffix(m[1], "/")
			if strings.ContainsAny(path, "ABCDEFGHIJKLMNOPQRSTUVWXYZ*") || strings.Contains(path, "name.") || strings.Contains(path, "_name") {
				continue
			}
			n++
			_, err := os.Stat(filepath.Join("..", filepath.FromSlash(path)))
			assert.NoError(t, err, "%s names %s", name, m[1])
		}
	}
	assert.Greater(t, n, 80)
}
