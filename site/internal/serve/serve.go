// Package serve shows the site while it is written: a small web server on this
// machine, and a watch on the sources that rebuilds what changed.
//
// It is for authors. It sends no caching headers that a reader would want and
// listens on the loopback interface unless told otherwise.
package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// types are named here, because a host's own table may lack or change them.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
	".json": "application/json",
	".md":   "text/markdown; charset=utf-8",
	".wasm": "application/wasm",
}

// Handler serves the files of a folder. The folder may be replaced at any
// time.
func Handler(dir string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if name == "" || strings.HasSuffix(r.URL.Path, "/") {
			name = path.Join(name, "index.html")
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		raw, err := read(dir, name)
		if errors.Is(err, errFolder) {
			http.Redirect(w, r, path.Base(name)+"/", http.StatusMovedPermanently)
			return
		}
		if err != nil {
			notFound(w, dir)
			return
		}
		typ, ok := types[path.Ext(name)]
		if !ok {
			typ = "application/octet-stream"
		}
		w.Header().Set("Content-Type", typ)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(raw))
	})
}

var errFolder = errors.New("is a folder")

func read(dir, name string) ([]byte, error) {
	fsys := os.DirFS(dir)
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, errFolder
	}
	return fs.ReadFile(fsys, name)
}

// notFound answers with 404.html, which asks for nothing that is near it.
func notFound(w http.ResponseWriter, dir string) {
	raw, err := os.ReadFile(filepath.Join(dir, "404.html"))
	if err != nil {
		raw = []byte("not found\n")
	} else {
		w.Header().Set("Content-Type", types[".html"])
	}
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write(raw)
}

// Address returns an error if addr is none to listen on or, unless public, would
// be reachable from other machines.
func Address(addr string, public bool) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("address %q is not HOST:PORT: %w", addr, err)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return fmt.Errorf("address %q: %q is no port; legal: 0 to 65535, 0 being any that is free", addr, port)
	}
	if ip := net.ParseIP(host); public || host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("address %q can be reached from other machines; add -public if that is meant", addr)
}

// Listen takes addr; who comes before Run waits.
func Listen(addr string) (net.Listener, error) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listening: %w", err)
	}
	return ln, nil
}

// Run serves handler on ln until ctx is done, and says first at which URL.
func Run(ctx context.Context, ln net.Listener, handler http.Handler, ready func(url string)) error {
	s := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    64 << 10,
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(ln) }()
	ready("http://" + ln.Addr().String() + "/")
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	bye, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	return s.Shutdown(bye)
}
