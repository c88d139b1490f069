package serve

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestHandler(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "index.html", "home")
	put(t, dir, "404.html", "lost")
	put(t, dir, "guide/index.html", "guide")
	put(t, dir, "assets/modules/one.js", "one")
	put(t, filepath.Dir(dir), "secret.txt", "secret")
	h := Handler(dir)
	for _, c := range []struct {
		method, path, body, typ string
		status                  int
	}{
		{"GET", "/", "home", "text/html; charset=utf-8", 200},
		{"GET", "/index.html", "home", "text/html; charset=utf-8", 200},
		{"HEAD", "/index.html", "", "text/html; charset=utf-8", 200},
		{"GET", "/assets/modules/one.js", "one", "text/javascript; charset=utf-8", 200},
		{"GET", "/guide/", "guide", "text/html; charset=utf-8", 200},
		{"GET", "/guide/deep/nowhere.html", "lost", "text/html; charset=utf-8", 404},
		{"GET", "/nowhere.html", "lost", "text/html; charset=utf-8", 404},
		{"GET", "/../secret.txt", "lost", "text/html; charset=utf-8", 404},
		{"GET", "/..%2fsecret.txt", "lost", "text/html; charset=utf-8", 404},
		{"POST", "/", "only GET and HEAD\n", "text/plain; charset=utf-8", 405},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, "http://x"+c.path, nil))
		assert.Equal(t, c.status, w.Code, c.path)
		assert.Equal(t, c.body, w.Body.String(), c.path)
		assert.Equal(t, c.typ, w.Header().Get("Content-Type"), c.path)
		if c.status == 200 {
			assert.Equal(t, "no-store", w.Header().Get("Cache-Control"))
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/guide", nil))
	assert.Equal(t, http.StatusMovedPermanently, w.Code)
	assert.Equal(t, "/guide/", w.Header().Get("Location"))
}

// TestAddress: what cannot be listened on is refused before anything is built.
func TestAddress(t *testing.T) {
	for _, ok := range []string{"127.0.0.1:8080", "localhost:0", "[::1]:80", "127.9.9.9:1", "127.0.0.1:65535"} {
		assert.NoError(t, Address(ok, false), ok)
	}
	for _, bad := range []string{":8080", "0.0.0.0:8080", "192.168.1.2:80", "example.org:80", "[::]:80"} {
		assert.ErrorContains(t, Address(bad, false), "-public", bad)
		assert.NoError(t, Address(bad, true), bad)
	}
	for _, bad := range []string{"127.0.0.1:notaport", "127.0.0.1:99999", "127.0.0.1:-1"} {
		assert.ErrorContains(t, Address(bad, true), "is no port; legal: 0 to 65535", bad)
	}
	assert.ErrorContains(t, Address("8080", false), "HOST:PORT")
	assert.ErrorContains(t, Address("8080", true), "HOST:PORT")
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "index.html", "home")
	ctx, stop := context.WithCancel(context.Background())
	url, done := make(chan string, 1), make(chan error, 1)
	ln, err := Listen("127.0.0.1:0")
	require.NoError(t, err)
	_, err = Listen(ln.Addr().String())
	assert.ErrorContains(t, err, "listening: ", "a port that is taken")
	go func() { done <- Run(ctx, ln, Handler(dir), func(u string) { url <- u }) }()
	r, err := http.Get(<-url)
	require.NoError(t, err)
	body, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.NoError(t, r.Body.Close())
	assert.Equal(t, "home", string(body))
	stop()
	assert.NoError(t, <-done)
}

func TestChanged(t *testing.T) {
	root := t.TempDir()
	put(t, root, "content/guide/01-a.md", "a")
	put(t, root, "site/main.go", "a")
	put(t, root, "wasm/glue/node_modules/x/x.js", "a")
	put(t, root, "site/main_test.go", "a")
	put(t, root, "dist/index.html", "a")
	put(t, root, "README.md", "a")
	before := Look(root)
	assert.Len(t, before, 2)
	for _, c := range []struct {
		file string
		want Kind
	}{
		{"content/guide/01-a.md", Content},
		{"content/guide/02-b.md", Content},
		{"site/main.go", Sources},
		{"site/internal/page/assets/style.css", Sources},
		{"README.md", None}, {"dist/index.html", None}, {"wasm/glue/node_modules/x/x.js", None}, {"site/main_test.go", None},
	} {
		put(t, root, c.file, "changed: "+c.file)
		after := Look(root)
		files, k := Changed(before, after)
		assert.Equal(t, c.want, k, c.file)
		if c.want != None {
			assert.Equal(t, []string{c.file}, files)
		}
		before = after
	}
	require.NoError(t, os.Remove(filepath.Join(root, "content/guide/02-b.md")))
	files, k := Changed(before, Look(root))
	assert.Equal(t, []string{"content/guide/02-b.md"}, files)
	assert.Equal(t, Content, k)
}

func TestWatchCallsOnce(t *testing.T) {
	root := t.TempDir()
	put(t, root, "content/guide/01-a.md", "a")
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	calls := make(chan Kind, 10)
	go Watch(ctx, root, Look(root), 5*time.Millisecond, func(_ []string, k Kind) { calls <- k })
	aside := t.TempDir()
	put(t, aside, "01-a.md", "changed")
	require.NoError(t, os.Rename(filepath.Join(aside, "01-a.md"), filepath.Join(root, "content/guide/01-a.md"))) // at once: a half written file would be two changes
	assert.Equal(t, Content, <-calls)
	select {
	case k := <-calls:
		t.Fatalf("called again, for %v", k)
	case <-time.After(100 * time.Millisecond):
	}
}
