package export

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Single is the embed page of a demo with everything inside: styles, scripts,
// charts, engine. Its policy allows these scripts and styles by their hashes and
// nothing from anywhere. With top, the address of a site, its links lead there;
// without, they are words. The engine room stays behind: its picture is a page of
// its own, and larger than all the rest.
func Single(site fs.FS, id, top string) ([]byte, error) {
	s := &single{site: site}
	page := string(s.read("embed/" + id + ".html"))
	module := moduleName.FindStringSubmatch(page)
	if s.err != nil || module == nil {
		return nil, errors.Join(s.err, fmt.Errorf("embed/%s.html is no page of a demo", id))
	}
	page = sheet.ReplaceAllStringFunc(page, func(tag string) string {
		return s.hashed("style", s.read(path.Join("embed", sheet.FindStringSubmatch(tag)[1])))
	})
	page = icon.ReplaceAllStringFunc(page, func(string) string {
		return `<link rel="icon" href="data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString(s.read("icon.svg")) + `" type="image/svg+xml">`
	})
	page = script.ReplaceAllString(page, "")
	page = room.ReplaceAllString(page, "")
	if top != "" {
		top = strings.TrimSuffix(top, "/") + "/"
	}
	// What the page would load by and by stands in front of what uses it.
	names := []string{"modules/" + module[1], "chart", "page", "demo"}
	if clock.MatchString(page) {
		names = slices.Insert(names, 2, "clock")
	}
	var scripts strings.Builder
	for _, name := range names {
		scripts.WriteString(s.hashed("script", inScript(s.read("assets/"+name+".js"))) + "\n")
	}
	page = ownAddress.ReplaceAllString(page, `"embed":""`)
	if !strings.Contains(page, pageData+"{") {
		s.err = errors.Join(s.err, fmt.Errorf("embed/%s.html has no data", id))
	}
	where, _ := json.Marshal(top) // a string; it can be written
	page = strings.Replace(page, pageData+"{", pageData+`{"top":`+string(where)+",", 1)
	page = outward.ReplaceAllStringFunc(page, func(tag string) string {
		m := outward.FindStringSubmatch(tag)
		if top == "" {
			return m[3]
		}
		return m[1] + top + strings.TrimPrefix(m[2], "../") + `"` + strings.TrimPrefix(tag, m[1]+m[2]+`"`)
	})
	if top == "" {
		page = strings.Replace(page, "\nRead the chapter\n", "\n", 1)
	}
	page = policy.ReplaceAllString(page, `${1}`+s.policy()+`"`)
	s.err = errors.Join(s.err, leftOver(page))
	return []byte(strings.Replace(page, "</body>", scripts.String()+"</body>", 1)), s.err
}

// single reads the parts and keeps the first error and the hashes of what goes in.
type single struct {
	site   fs.FS
	hashes map[string][]string // by kind: script, style
	err    error
}

func (s *single) read(name string) []byte {
	raw, err := fs.ReadFile(s.site, name)
	s.err = errors.Join(s.err, err)
	return raw
}

// hashed is an element with content that the policy allows by its hash.
func (s *single) hashed(tag string, content []byte) string {
	if s.hashes == nil {
		s.hashes = map[string][]string{}
	}
	sum := sha256.Sum256(content)
	s.hashes[tag] = append(s.hashes[tag], "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	return "<" + tag + ">" + string(content) + "</" + tag + ">"
}

func (s *single) policy() string {
	quoted := func(tag string) string { return strings.ReplaceAll(strings.Join(s.hashes[tag], " "), "'", "&#39;") }
	return "default-src &#39;none&#39;; script-src " + quoted("script") + " &#39;wasm-unsafe-eval&#39;; worker-src blob:; style-src " + quoted("style") +
		"; style-src-attr &#39;unsafe-inline&#39;; img-src data:; base-uri &#39;none&#39;; form-action &#39;none&#39;"
}

// pageData is what stands before the data of a page, an object.
const pageData = `<script type="application/json" id="ol-page">`

var (
	moduleName = regexp.MustCompile(`<ol-demo [^>]*data-module="([a-z0-9-]+)"`)
	policy     = regexp.MustCompile(`(<meta http-equiv="Content-Security-Policy" content=")[^"]*"`)
	sheet      = regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">`)
	icon       = regexp.MustCompile(`<link rel="icon" [^>]*>`)
	script     = regexp.MustCompile(`<script defer src="[^"]*"></script>\n?`)
	outward    = regexp.MustCompile(`(<a href=")(\.\./[^"]*)"[^>]*>([^<]*)</a>`)
	clock      = regexp.MustCompile(`<[a-z]+ [^>]*data-clock[ >]`)
	room       = regexp.MustCompile(`(?s)<section class="demo-room".*?</section>\n?`)
	ownAddress = regexp.MustCompile(`"embed":"[^"]*"`)
	closing    = regexp.MustCompile(`(?i)<(/script|!--)`)
	relative   = regexp.MustCompile(`<[a-z][^>]* (?:src|href)="(?:\.|[a-z0-9-]+/)[^"]*"`)
)

// inScript is a script as it may stand in a page: in strings and patterns, which
// is where these signs occur, a backslash before them says the same.
func inScript(raw []byte) []byte {
	return closing.ReplaceAll(raw, []byte(`<\$1`))
}

// leftOver is an error if something in the page, its scripts apart, would still be
// loaded.
func leftOver(page string) error {
	if m := relative.FindString(page); m != "" {
		return fmt.Errorf("%s would be loaded from elsewhere", m)
	}
	return nil
}
