package browser

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// serve serves a folder under a prefix ("/" or "/a/b/") at 127.0.0.1 and
// nothing else, so that a page that reaches above its own folder is found
// out. It returns the folder's URL, which ends in a slash.
func serve(t testing.TB, folder, prefix string) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle(prefix, http.StripPrefix(strings.TrimSuffix(prefix, "/"), zipped(folder)))
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv.URL + prefix
}

// zipped is a static host that compresses text, as hosts do.
func zipped(folder string) http.Handler {
	plain := http.FileServer(http.Dir(folder))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind := map[string]string{".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".json": "application/json"}[path.Ext(r.URL.Path)]
		if kind == "" || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			plain.ServeHTTP(w, r)
			return
		}
		body, err := zip(filepath.Join(folder, filepath.FromSlash(path.Clean("/"+r.URL.Path))))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", kind+"; charset=utf-8")
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(body)
	})
}

// zips keeps compressed files: every test asks for the same ones.
var zips sync.Map

// zip is a file, compressed.
func zip(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprint(name, info.Size(), info.ModTime().UnixNano())
	if body, ok := zips.Load(key); ok {
		return body.([]byte), nil
	}
	body, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	body = squeeze(body)
	zips.Store(key, body)
	return body, nil
}

// squeeze compresses as the build does when it checks its budgets.
func squeeze(b []byte) []byte {
	var buf bytes.Buffer
	z, _ := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	_, _ = z.Write(b)
	_ = z.Close()
	return buf.Bytes()
}
