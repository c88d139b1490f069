package page

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"
)

// front is the front matter of a page: YAML between two lines of three
// hyphens. A key that is not here is an error.
type front struct {
	Title       string // heading of the page
	Nav         string // in the list of chapters; the title if empty
	Description string // one sentence for search engines and link previews
	Lede        string // paragraph under the title; may be empty
	Tool        string // that stands under the text: link-builder; may be empty
	Sheet       bool   // it is for paper: two columns, one sheet of A4
	Find        string // words that readers look for it by and that it does not use; may be empty
}

var fence = []byte("---\n")

// cutFront splits a file into its front matter and its text; line is where the
// text begins.
func cutFront(name string, raw []byte) (f front, body []byte, line int, err error) {
	raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	rest, ok := bytes.CutPrefix(raw, fence)
	end := bytes.Index(rest, append([]byte("\n"), fence...))
	if !ok || end < 0 {
		return f, nil, 0, fmt.Errorf("%s:1: a page begins with front matter between two lines of ---", name)
	}
	dec := yaml.NewDecoder(bytes.NewReader(rest[:end+1]))
	dec.KnownFields(true)
	if err := dec.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return f, nil, 0, fmt.Errorf("%s: front matter: %w", name, err)
	}
	if f.Title == "" || f.Description == "" {
		return f, nil, 0, fmt.Errorf("%s: front matter: title and description are needed", name)
	}
	if f.Nav == "" {
		f.Nav = f.Title
	}
	head := len(raw) - len(rest) + end + 1 + len(fence)
	return f, raw[head:], 1 + bytes.Count(raw[:head], []byte("\n")), nil
}
