// Package search makes the index that the search box of every page asks: the
// parts of the site in plain words, as a classic script, which loads from any
// host. What of it answers a query, and in what order, is decided in one place,
// wasm/glue/src/rank.js, when somebody asks.
package search

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Kinds of parts.
const (
	Text = ""     // of a page, under a heading or before the first
	Term = "term" // of the glossary
	Demo = "demo"
)

// Part is something that can be found: what its heading and its text say, and
// where on its page it stands; the fragment is empty for the page itself.
type Part struct {
	Fragment, Kind, Heading, Text string
}

// Index collects pages in the order in which equally good ones are shown.
type Index struct {
	pages [][3]string
	parts []any
}

// Add takes a page with its parts: path from the top of the site, title, and
// the name of the shelf that it stands on, which may be empty.
func (ix *Index) Add(path, title, shelf string, parts []Part) {
	page := len(ix.pages)
	ix.pages = append(ix.pages, [3]string{path, title, shelf})
	for _, p := range parts {
		ix.parts = append(ix.parts, []any{page, p.Fragment, p.Kind, p.Heading, strings.Join(strings.Fields(p.Text), " ")})
	}
}

// Script is the index as a script that defines window["openloop/search"].
func (ix *Index) Script() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`window["openloop/search"]=`)
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(map[string]any{"pages": ix.pages, "parts": ix.parts}); err != nil {
		return nil, err
	}
	b.Truncate(b.Len() - 1) // the encoder's newline
	b.WriteString(";\n")
	return b.Bytes(), nil
}
