// Package tex sets TeX formulas as MathML while the site is built, so that a
// page needs neither a script nor a font for them. KaTeX does the work, in the
// interpreter of package script.
package tex

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"strings"

	"openloop/site/internal/cache"
	"openloop/site/internal/script"
)

// revision is raised when the same formula is set differently.
const revision = "2"

//go:embed set.js
var setJS string

// Setter sets formulas and keeps what it set.
type Setter struct {
	katex *script.Library
	store *cache.Store
}

// NewSetter uses the katex package in nodeModules.
func NewSetter(nodeModules string, store *cache.Store) *Setter {
	return &Setter{katex: script.New(filepath.Join(nodeModules, "katex"), "dist/katex.min.js", setJS), store: store}
}

// Set returns a formula as a math element. An error says what in the TeX is
// wrong; nothing is set in red instead.
func (s *Setter) Set(tex string, display bool) (string, error) {
	version, err := s.katex.Version()
	if err != nil {
		return "", err
	}
	b, err := s.store.Do("math", func() ([]byte, error) {
		out, err := s.katex.Call("openloopSet", tex, display)
		if err != nil {
			return nil, err
		}
		m, err := element(out)
		return []byte(m), err
	}, tex, fmt.Sprint(display), version, cache.Module("github.com/dop251/goja"), revision, setJS)
	return string(b), err
}

// element takes the math element out of KaTeX's wrapper, without the copy of
// the source that it carries.
func element(out string) (string, error) {
	from, to := strings.Index(out, "<math"), strings.LastIndex(out, "</math>")
	if from < 0 || to < from {
		return "", fmt.Errorf("katex gave no math element: %.80s", out)
	}
	m := out[from : to+len("</math>")]
	m = strings.Replace(m, ` xmlns="http://www.w3.org/1998/Math/MathML"`, "", 1) // HTML knows the element
	if a, z := strings.Index(m, "<annotation"), strings.Index(m, "</annotation>"); a >= 0 && z > a {
		m = m[:a] + m[z+len("</annotation>"):]
	}
	m = strings.Replace(m, "<semantics>", "", 1)
	return strings.Replace(m, "</semantics>", "", 1), nil
}
