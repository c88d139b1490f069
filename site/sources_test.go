package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	footnote   = regexp.MustCompile(`(?m)^\[\^[a-z0-9]+\]: .*(?:\n    .*)*`)
	inCode     = regexp.MustCompile("`[^`]*`")
	sourceName = regexp.MustCompile(`arXiv \d{4}\.\d{5}|"[^"]+"|\b[A-Za-z][\w-]*/[A-Za-z][\w.-]*\w`)
)

// noSource has the shape of a repository or a title and is none.
var noSource = map[string]bool{
	"requests/s": true, "closed/Dell": true,
	"Batch processing": true, // a provider's price list
}

// TestSourcesAreListed: every repository, paper and title that a footnote of a
// chapter names stands in the reading list.
func TestSourcesAreListed(t *testing.T) {
	files, err := filepath.Glob("../content/guide/*.md")
	require.NoError(t, err)
	raw, err := os.ReadFile("../content/guide/92-further-reading.md")
	require.NoError(t, err)
	list := strings.ToLower(strings.Join(strings.Fields(string(raw)), " "))
	var n int
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, note := range footnote.FindAllString(string(raw), -1) {
			for _, name := range sourceName.FindAllString(inCode.ReplaceAllString(note, ""), -1) {
				name = strings.Trim(strings.Join(strings.Fields(name), " "), `"`)
				if noSource[name] {
					continue
				}
				n++
				short, _, _ := strings.Cut(strings.TrimPrefix(name, "arXiv "), ": ")
				assert.Contains(t, list, strings.ToLower(short), "%s is a source of %s and not in the reading list", name, filepath.Base(file))
			}
		}
	}
	assert.Greater(t, n, 40, "sources in footnotes")
}
