// Package script calls functions of JavaScript libraries at build time, in an
// interpreter written in Go, so that the build needs neither node nor a
// browser to draw a chart or to set a formula.
//
// A library is loaded when its first function is called and stays loaded: a
// build that finds everything in its cache never loads one.
package script

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/dop251/goja"
)

// host is what libraries expect of any host: a global object, and timers that
// never fire, because a build calls functions that answer at once.
const host = `var global = this; function setTimeout() { return 0 } function clearTimeout() {}`

// Library is one package of node_modules and the functions that we call in it.
type Library struct {
	dir  string // folder of the package
	file string // its bundle, relative to dir
	glue string // our own functions, loaded after it

	mu sync.Mutex // the interpreter serves one call at a time
	vm *goja.Runtime
}

// New describes the library in dir whose bundle is file; glue is JavaScript
// that defines the functions for Call. Nothing is read yet.
func New(dir, file, glue string) *Library {
	return &Library{dir: dir, file: file, glue: glue}
}

// Version is the version in the package's package.json.
func (l *Library) Version() (string, error) {
	b, err := os.ReadFile(filepath.Join(l.dir, "package.json"))
	if err != nil {
		return "", fmt.Errorf("reading a package (is npm ci done?): %w", err)
	}
	var p struct{ Version string }
	if err := json.Unmarshal(b, &p); err != nil {
		return "", fmt.Errorf("reading %s/package.json: %w", l.dir, err)
	}
	if p.Version == "" {
		return "", fmt.Errorf("%s/package.json names no version", l.dir)
	}
	return p.Version, nil
}

// Call calls a function of the glue and returns its result as a string. What
// the function throws is the error.
func (l *Library) Call(fn string, args ...any) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.load(); err != nil {
		return "", err
	}
	f, ok := goja.AssertFunction(l.vm.Get(fn))
	if !ok {
		return "", fmt.Errorf("no function %s for %s", fn, l.file)
	}
	in := make([]goja.Value, len(args))
	for i, a := range args {
		in[i] = l.vm.ToValue(a)
	}
	out, err := f(goja.Undefined(), in...)
	if err != nil {
		return "", fmt.Errorf("%s in %s: %w", fn, l.file, err)
	}
	return out.String(), nil
}

func (l *Library) load() error {
	if l.vm != nil {
		return nil
	}
	src, err := os.ReadFile(filepath.Join(l.dir, l.file))
	if err != nil {
		return fmt.Errorf("reading a library (is npm ci done?): %w", err)
	}
	vm := goja.New()
	for _, part := range []struct{ name, text string }{{"host", host}, {l.file, string(src)}, {"glue", l.glue}} {
		if _, err := vm.RunScript(part.name, part.text); err != nil {
			return fmt.Errorf("loading %s: %w", part.name, err)
		}
	}
	l.vm = vm
	return nil
}
