package export

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// site is the least that a demo needs.
func site() fstest.MapFS {
	return fstest.MapFS{
		"index.html": file("<h1>Home</h1>"),
		"icon.svg":   file("<svg/>"),
		"embed/powers.html": file(`<!doctype html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;self&#39;">
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../assets/style.css">
<link rel="stylesheet" href="../assets/figures.css">
<script defer src="../assets/page.js"></script>
<script defer src="../assets/demo.js"></script>
</head>
<body data-embed="powers">
<ol-demo class="demo" id="demo-powers" data-demo="powers" data-module="curves" data-state="v=1">
<a class="preset" href="#demo=powers&amp;v=1">One</a>
<div class="demo-clock" data-clock data-from="0"></div>
<section class="demo-room" data-room><button>Loads 2.4 MB</button>
</section>
</ol-demo>
<footer><span>From <a href="../index.html" target="_blank" rel="noopener">Openloop</a></span>
<a href="../guide/first.html#demo-powers" target="_blank" rel="noopener">Read the chapter</a>
</footer>
<script type="application/json" id="ol-page">{"assets":"../assets/","demos":{"powers":{"embed":"../embed/powers.html"}}}</script>
</body>
</html>
`),
		"assets/style.css":          file("p{color:red}"),
		"assets/figures.css":        file("b{}"),
		"assets/page.js":            file(`a="</script><!-- x"`),
		"assets/demo.js":            file("b=1"),
		"assets/chart.js":           file("c=1"),
		"assets/clock.js":           file("e=1"),
		"assets/modules/curves.js":  file(`d="$1"`),
		"assets/modules/another.js": file("never"),
	}
}

func TestZip(t *testing.T) {
	date := time.Date(2026, 3, 4, 5, 6, 8, 0, time.UTC)
	raw, err := Zip(site(), date)
	require.NoError(t, err)
	again, err := Zip(site(), date.In(time.FixedZone("east", 3600)))
	require.NoError(t, err)
	assert.Equal(t, raw, again, "the same site, the same bytes")
	later, err := Zip(site(), date.Add(time.Hour))
	require.NoError(t, err)
	assert.NotEqual(t, raw, later)

	r, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	require.NoError(t, err)
	var names []string
	got := map[string]string{}
	for _, f := range r.File {
		names = append(names, f.Name)
		assert.True(t, f.Modified.Equal(date), "%v", f.Modified)
		assert.Equal(t, "-rw-r--r--", f.Mode().String())
		in, err := f.Open()
		require.NoError(t, err)
		b, err := io.ReadAll(in)
		require.NoError(t, err)
		got[f.Name] = string(b)
	}
	assert.Equal(t, "openloop/assets/chart.js", names[0])
	assert.Equal(t, "openloop/SHA256SUMS", names[len(names)-1])
	assert.Equal(t, "<h1>Home</h1>", got["openloop/index.html"])
	assert.Contains(t, got["openloop/SHA256SUMS"], fmt.Sprintf("%x  index.html\n", sha256.Sum256([]byte("<h1>Home</h1>"))))
	assert.Equal(t, len(names)-1, strings.Count(got["openloop/SHA256SUMS"], "\n"))
}

func TestZipRefuses(t *testing.T) {
	noise := make([]byte, MostFile)
	x := uint32(1)
	for i := range noise {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		noise[i] = byte(x)
	}
	for _, c := range []struct {
		name, want string
		files      map[string]string
	}{
		{"a large file", "big.js has 5000001 bytes", map[string]string{"big.js": string(noise) + "x"}},
		{"too much", "the archive has", map[string]string{"a": string(noise), "b": string(noise), "c": string(noise)}},
		{"case", "Index.html and index.html are one file", map[string]string{"Index.html": ""}},
		{"device", "guide/aux.html has a name that Windows keeps", map[string]string{"guide/aux.html": ""}},
		{"sign", "a b.html has a sign", map[string]string{"a b.html": ""}},
		{"dot", "x. ends in a dot", map[string]string{"x.": ""}},
		{"long", "has a long path", map[string]string{strings.Repeat("x", 120): ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := site()
			for name, text := range c.files {
				s[name] = file(text)
			}
			_, err := Zip(s, Earliest)
			assert.ErrorContains(t, err, c.want)
		})
	}
	_, err := Zip(fstest.MapFS{}, Earliest)
	assert.ErrorContains(t, err, "no file")
}

// TestSingle: everything inside, allowed by its hash, and nothing else.
func TestSingle(t *testing.T) {
	raw, err := Single(site(), "powers", "")
	require.NoError(t, err)
	page := string(raw)
	scripts := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllStringSubmatch(page, -1)
	require.Len(t, scripts, 5)
	assert.Equal(t, `d="$1"`, scripts[0][1], "the engine first")
	assert.Equal(t, "e=1", scripts[2][1], "what plays the run, before what uses it")
	assert.Equal(t, `a="<\/script><\!-- x"`, scripts[3][1])
	policy := regexp.MustCompile(`content="(default-src[^"]*)"`).FindStringSubmatch(page)[1]
	for _, s := range append(scripts, regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindAllStringSubmatch(page, -1)...) {
		sum := sha256.Sum256([]byte(s[1]))
		assert.Contains(t, policy, "&#39;sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"&#39;")
	}
	assert.NotContains(t, policy, "self")
	for _, none := range []string{"../", " src=", "never", "Read the chapter", "demo-room", "Loads"} {
		assert.NotContains(t, strings.ReplaceAll(page, `"assets":"../assets/"`, ""), none)
	}
	for _, want := range []string{"From Openloop", `href="#demo=powers&amp;v=1"`, `"embed":""`, `{"top":"","assets"`, "data:image/svg+xml;base64,"} {
		assert.Contains(t, page, want)
	}
	assert.Greater(t, strings.Index(page, "<script>"), strings.Index(page, `id="ol-page"`), "the page's data stand before what reads them")

	at, err := Single(site(), "powers", "https://example.org/x/")
	require.NoError(t, err)
	assert.Contains(t, string(at), `<a href="https://example.org/x/index.html" target="_blank" rel="noopener">Openloop</a>`)
	assert.Contains(t, string(at), `<a href="https://example.org/x/guide/first.html#demo-powers" target="_blank" rel="noopener">Read the chapter</a>`)

	assert.Contains(t, string(at), `{"top":"https://example.org/x/","assets"`, "for links that the engine writes")

	still := site()
	still["embed/powers.html"] = file(strings.Replace(string(still["embed/powers.html"].Data), " data-clock ", " ", 1))
	raw, err = Single(still, "powers", "https://example.org/x")
	require.NoError(t, err)
	assert.NotContains(t, string(raw), "e=1", "a demo without a clock carries none")
	assert.Contains(t, string(raw), `{"top":"https://example.org/x/"`)

	_, err = Single(site(), "roots", "")
	assert.ErrorContains(t, err, "embed/roots.html")
	s := site()
	s["embed/powers.html"] = file(strings.Replace(string(s["embed/powers.html"].Data), "<footer>", `<img alt="x" src="../picture.png"><footer>`, 1))
	_, err = Single(s, "powers", "")
	assert.ErrorContains(t, err, "picture.png")
	bare := site()
	bare["embed/powers.html"] = file(strings.Replace(string(bare["embed/powers.html"].Data), `id="ol-page"`, `id="x"`, 1))
	_, err = Single(bare, "powers", "")
	assert.ErrorContains(t, err, "has no data")
	delete(s, "assets/chart.js")
	_, err = Single(s, "powers", "")
	assert.ErrorContains(t, err, "assets/chart.js")
}
