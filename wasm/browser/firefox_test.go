package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
)

// foxVisit is one stop of wasm/glue/test/firefox.mjs, which explains the fields.
type foxVisit struct {
	Name  string    `json:"name"`
	URL   string    `json:"url"`
	Frame string    `json:"frame"`
	Root  string    `json:"root"`
	Box   string    `json:"box"`
	Value string    `json:"value"`
	Say   string    `json:"say"`
	Slots []foxSlot `json:"slots,omitempty"`
	Room  bool      `json:"room,omitempty"`
}

type foxSlot struct {
	Selector string `json:"selector"`
	HTML     string `json:"html"`
}

// foxResult is what Firefox saw there.
type foxResult struct {
	Name    string   `json:"name"`
	Error   string   `json:"error"`
	Settled bool     `json:"settled"`
	Say     string   `json:"say"`
	Notices string   `json:"notices"`
	CSV     string   `json:"csv"`
	Faults  []string `json:"faults"`
	Early   []string `json:"early"` // asked for before anybody used the demo
	Asked   []string `json:"asked"`
	Room    *foxRoom `json:"room"`
	Slots   []struct {
		Selector string `json:"selector"`
		Same     bool   `json:"same"`
		Got      string `json:"got"`
	} `json:"slots"`
}

// foxRoom is an engine room in Firefox.
type foxRoom struct {
	Frames int    `json:"frames"`
	State  string `json:"state"`
	Says   string `json:"says"`
}

// faultyDemo is a page with the least that a visit needs, and two faults.
const faultyDemo = `<ol-demo id="demo-x"><input id="b" value="8"><p data-say>v8</p><p data-notices></p><button data-action="csv">CSV</button></ol-demo>
<script>
customElements.define('ol-demo', class extends HTMLElement {});
document.querySelector('#b').onchange = e => { document.querySelector('[data-say]').textContent = 'v' + e.target.value };
document.querySelector('button').onclick = () => URL.createObjectURL(new Blob(['a'], {type: 'text/csv'}));
console.error('said on the console');
setTimeout(() => { throw new Error('thrown') });
</script>`

// TestFirefox changes a knob in Firefox in each way of hosting: the page says
// what the engine says natively, saves the same CSV, and does nothing that it
// must not do.
func TestFirefox(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	fox := firefox(t)
	d := numeric(t)
	page := embedPage(d.ID)
	start := read(t, d, s.data(t, page).Demos[d.ID].State)
	to := stepped(t, start, 2)
	want := expect(t, to)
	visit := foxVisit{Root: "#demo-" + d.ID, Value: knobText(to), Say: plain(t, to),
		Box: "#demo-" + d.ID + ` [data-knob="` + knobOf(d).Name + `"] [data-box]`}
	for _, p := range want.Parts {
		visit.Slots = append(visit.Slots, foxSlot(p))
	}

	root, host := serve(t, s.dir, "/"), hostServer(t)
	prefixes := []string{root, host}
	at := func(name, url, frame string) foxVisit {
		v := visit
		v.Name, v.URL, v.Frame = name, url, frame
		return v
	}
	sub := serve(t, s.dir, "/a/b/")
	visits := []foxVisit{
		at("root", root+page, ""),
		at("sub-path", sub+page, ""),
		at("file", "file://"+s.dir+"/"+page, ""),
		at("single file", "file://"+s.exported(t, ".html", "single", "-demo", d.ID), ""),
		at("sandboxed iframe", hosting(host, root+page, ` sandbox="allow-scripts"`), "/"+page),
	}
	prefixes = append(prefixes, sub, "file://"+s.dir+"/", visits[3].URL)
	faulty := foxVisit{Name: "faults", URL: serve(t, fixture(t, faultyDemo), "/"), Root: "#demo-x", Box: "#b", Value: "9", Say: "v9"}

	tiny := find(t, "step-trace")
	stood := later(stepped(t, demo.NewState(tiny), 1), 20)
	roomy := foxVisit{Name: "engine room", URL: root + embedPage(tiny.ID) + "#v=1&at=20", Root: "#demo-" + tiny.ID, Value: knobText(stood), Say: plain(t, stood),
		Box: "#demo-" + tiny.ID + ` [data-knob="` + knobOf(tiny).Name + `"] [data-box]`, Room: true}

	results := drive(t, fox, append(visits, faulty, roomy))
	require.Len(t, results, len(visits)+2)
	if r := results[len(visits)+1]; assert.NotNil(t, r.Room, r.Error) {
		_, task := standing(t, stood)
		assert.Equal(t, task.RoomSays(-1).Says.String(), r.Room.Says)
		t.Logf("the picture in Firefox: %d frames, %q", r.Room.Frames, r.Room.State) // it may have no WebGL without a screen
	}
	seen := strings.Join(results[len(visits)].Faults, "\n")
	assert.Contains(t, seen, "said on the console", "what every visit relies on being noticed")
	assert.Contains(t, seen, "thrown", "what every visit relies on being noticed")
	for i, r := range results[:len(visits)] {
		t.Run(visits[i].Name, func(t *testing.T) {
			require.Empty(t, r.Error)
			assert.Empty(t, r.Faults, "console errors and exceptions")
			assert.Equal(t, visit.Say, r.Say, "notices: %s", r.Notices)
			for _, slot := range r.Slots {
				assert.True(t, slot.Same, "%s holds %s", slot.Selector, clip(slot.Got))
			}
			assert.Equal(t, csv(t, to), r.CSV)
			for _, u := range r.Early {
				assert.False(t, lazy.MatchString(u), "asked for before anybody used the demo: %s", u)
			}
			for _, u := range r.Asked {
				assert.True(t, hasAnyPrefix(u, prefixes), "foreign request: %s", shorten(u))
			}
		})
	}
}

// firefox is the path of the browser, or the test ends.
func firefox(t testing.TB) string {
	t.Helper()
	for _, name := range []string{os.Getenv("OPENLOOP_FIREFOX"), "firefox-esr", "firefox"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	lacking(t, "no Firefox on PATH")
	return ""
}

// drive runs the visits in Firefox by way of node.
func drive(t *testing.T, fox string, visits []foxVisit) []foxResult {
	t.Helper()
	in, err := json.Marshal(map[string]any{"firefox": fox, "visits": visits})
	require.NoError(t, err)
	out := node(t, in, filepath.Join("..", "glue", "test", "firefox.mjs"))
	var got struct{ Results []foxResult }
	require.NoError(t, json.Unmarshal(out, &got), "%s", out)
	return got.Results
}

// node runs a script and returns its standard output; a failure fails the test
// with everything that it said.
func node(t testing.TB, in []byte, args ...string) []byte {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		lacking(t, "no node on PATH")
	}
	if _, err := os.Stat(filepath.Join("..", "glue", "node_modules")); err != nil {
		lacking(t, "no packages for node: run npm ci in wasm/glue")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
	require.NoError(t, cmd.Run(), "node %s\n%s\n%s", strings.Join(args, " "), out.String(), errs.String())
	return out.Bytes()
}
