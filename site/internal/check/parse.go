package check

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// page is what the checks need of a page.
type page struct {
	ids      map[string]bool
	links    []link
	modules  []string // that its demos need
	problems []string
}

type link struct{ tag, attr, to, rel string }

// addresses are the attributes that hold one; scripts of ours load the data- ones
// later.
var addresses = map[string]bool{"href": true, "src": true, "poster": true, "action": true, "data": true, "data-demos": true, "data-tools": true}

// references are the attributes that name ids of the same page.
var references = map[string]bool{"for": true, "aria-labelledby": true, "aria-describedby": true, "aria-controls": true, "list": true}

// void are the elements that have no end tag.
var void = map[string]bool{"area": true, "br": true, "col": true, "hr": true, "img": true, "input": true, "link": true, "meta": true, "source": true, "wbr": true}

// parse reads our own HTML, which is stricter than HTML in general: every
// element that is not void is closed, and by its own end tag. That is why the
// scanner of package xml will do.
//
// While somebody writes, all but a page stays as it is, and is not read again.
func parse(raw []byte) (*page, error) {
	key := sha256.Sum256(raw)
	if p, ok := parsed.Load(key); ok {
		return p.(*page), nil
	}
	p, err := scan(raw)
	if err == nil {
		parsed.Store(key, p)
	}
	return p, err
}

// parsed has the pages that were read before, which nobody changes.
var parsed sync.Map // by [sha256.Size]byte

func scan(raw []byte) (*page, error) {
	p := &page{ids: map[string]bool{}}
	d := xml.NewDecoder(bytes.NewReader(raw))
	d.Strict = false
	d.Entity = xml.HTMLEntity
	refs := map[string]string{}
	headings, lang := 0, ""
	var open []string
	for {
		tok, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if end, ok := tok.(xml.EndElement); ok && !void[end.Name.Local] {
			if len(open) == 0 || open[len(open)-1] != end.Name.Local {
				line, _ := d.InputPos()
				return nil, fmt.Errorf("line %d: </%s> closes nothing, in %v", line, end.Name.Local, open)
			}
			open = open[:len(open)-1]
		}
		el, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		tag := el.Name.Local
		if !void[tag] {
			open = append(open, tag)
		}
		at := map[string]string{}
		for _, a := range el.Attr {
			at[a.Name.Local] = a.Value
		}
		p.element(tag, at, refs)
		switch tag {
		case "h1":
			headings++
		case "html":
			lang = at["lang"]
		}
	}
	if len(open) > 0 {
		return nil, fmt.Errorf("never closed: %v", open)
	}
	if headings != 1 {
		p.problem("%d <h1> elements, not one", headings)
	}
	if lang == "" {
		p.problem("<html> has no lang")
	}
	for id, from := range refs {
		if !p.ids[id] {
			p.problem("%s names an id that is not there", from)
		}
	}
	return p, nil
}

func (p *page) problem(format string, args ...any) {
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

func (p *page) element(tag string, at, refs map[string]string) {
	for name, value := range at {
		switch {
		case name == "id":
			if value == "" || p.ids[value] {
				p.problem("id %q is empty or there twice", value)
			}
			p.ids[value] = true
		case addresses[name]:
			p.links = append(p.links, link{tag, name, value, at["rel"]})
		case references[name]:
			for _, id := range strings.Fields(value) {
				refs[id] = fmt.Sprintf("%s=%q", name, value)
			}
		case strings.HasPrefix(name, "on"):
			p.problem("<%s> has an inline script in %s", tag, name)
		}
	}
	switch tag {
	case "ol-demo":
		p.modules = append(p.modules, at["data-module"])
	case "img":
		if strings.TrimSpace(at["alt"]) == "" {
			p.problem("<img src=%q> has no alternative text", at["src"])
		}
	case "iframe":
		if at["title"] == "" {
			p.problem("<iframe src=%q> has no title", at["src"])
		}
	case "style":
		p.problem("a <style> element, which the content security policy refuses")
	case "script":
		if at["src"] == "" && at["type"] != "application/json" {
			p.problem("an inline script, which the content security policy refuses")
		}
	}
	if at["role"] == "img" && at["aria-label"] == "" && at["aria-labelledby"] == "" {
		p.problem("<%s role=img> has no name", tag)
	}
}
