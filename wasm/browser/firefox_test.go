package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/catalog"
	"openloop/content/demotest"
)

// foxVisit is one stop of wasm/glue/test/firefox.mjs, which explains the fields.
type foxVisit struct {
	Name  string    `json:"name"`
	URL   string    `json:"url"`
	Frame string    `json:"frame"`
	Root  string    `json:"root"`
	First string    `json:"first"`
	Box   string    `json:"box"`
	Value string    `json:"value"`
	Say   string    `json:"say"`
	Slots []foxSlot `json:"slots,omitempty"`
	Room  bool      `json:"room,omitempty"`
	Still *foxStill `json:"still,omitempty"`
}

// foxStill says that a visit is of a small figure, and how far to drag its mark.
type foxStill struct {
	By   int    `json:"by"`
	Link string `json:"link"` // how it ends once the key has moved the figure
}

type foxSlot struct {
	Selector string `json:"selector"`
	HTML     string `json:"html"`
}

// foxResult is what Firefox saw there.
type foxResult struct {
	Name    string   `json:"name"`
	Error   string   `json:"error"`
	Began   bool     `json:"began"`
	Settled bool     `json:"settled"`
	Say     string   `json:"say"`
	Notices string   `json:"notices"`
	CSV     string   `json:"csv"`
	Link    string   `json:"link"`
	Faults  []string `json:"faults"`
	Early   []string `json:"early"` // asked for before anybody used the demo
	Asked   []string `json:"asked"`
	Room    *foxRoom `json:"room"`
	Dragged *struct {
		Say  string `json:"say"`
		Link string `json:"link"`
	} `json:"dragged"`
	Slots []struct {
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

// foxHost is a way to host the site in Firefox: the address at which a page of
// it is opened, with its link, and the piece of an address by which its frame is known.
type foxHost struct {
	name string
	at   func(page, link string) (url, frame string)
}

// foxHosts are the four ways of modes, and what else is loaded from there.
func foxHosts(t *testing.T, s site) (list []foxHost, prefixes []string) {
	root, sub, host, file := serve(t, s.dir, "/"), serve(t, s.dir, "/a/b/"), hostServer(t), "file://"+s.dir+"/"
	at := func(base string) func(page, link string) (string, string) {
		return func(page, link string) (string, string) { return base + page + link, "" }
	}
	return []foxHost{
		{"root", at(root)},
		{"sub-path", at(sub)},
		{"file", at(file)},
		{"sandboxed iframe", func(page, link string) (string, string) {
			return hosting(host, root+page+link, ` sandbox="allow-scripts"`), "/" + page
		}},
	}, []string{root, sub, host, file}
}

// foxDemo is a visit of a demo, from a state to the next, and what it should give.
type foxDemo struct {
	foxVisit
	state, to demo.State
}

// foxUse opens a demo, at a link or as its page does, and changes its first setting.
func foxUse(t *testing.T, s site, d *demo.Demo, h foxHost, linked bool) foxDemo {
	t.Helper()
	page, link := embedPage(d.ID), ""
	state := read(t, d, s.data(t, page).Demos[d.ID].State)
	v := foxVisit{Name: d.ID + " " + h.name, Root: "#demo-" + d.ID}
	if linked {
		state = demotest.Light(d)
		link, v.First = "#"+state.String(), plain(t, state)
	}
	c := changes(t, state)[0]
	v.URL, v.Frame = h.at(page, link)
	v.Box, v.Value, v.Say = fmt.Sprintf(`#demo-%s [data-knob="%s"] :is([data-box],[data-choice],[data-switch])`, d.ID, c.Knob.Name), c.Text, plain(t, c.To)
	for _, p := range expect(t, c.To).Parts {
		v.Slots = append(v.Slots, foxSlot(p))
	}
	return foxDemo{v, state, c.To}
}

// foxDemos are a demo as its page opens it in every way of hosting and from a single
// file, and one of each module at a link, which take turns with the ways; in the long
// test every demo in all.
func foxDemos(t *testing.T, s site) (list []foxDemo, prefixes []string) {
	hosts, prefixes := foxHosts(t, s)
	d := numeric(t)
	file := "file://" + s.exported(t, ".html", "single", "-demo", d.ID)
	single := foxHost{"single file", func(string, string) (string, string) { return file, "" }}
	for _, h := range append(slices.Clone(hosts), single) {
		list = append(list, foxUse(t, s, d, h, false))
	}
	turn := 0
	for _, m := range catalog.Modules() {
		for i, d := range m.Demos {
			for j, h := range hosts {
				if long() || i == len(m.Demos)-1 && turn%len(hosts) == j {
					list = append(list, foxUse(t, s, d, h, true))
				}
			}
		}
		turn++
	}
	return list, append(prefixes, file)
}

// TestFirefox starts demos in Firefox in each way of hosting, some at a link, and
// changes a setting: the page says what the engine says natively, saves the same
// CSV, gives the link to what it shows, and does nothing that it must not do.
func TestFirefox(t *testing.T) {
	t.Parallel()
	s := builtSite(t)
	fox := firefox(t)
	demos, prefixes := foxDemos(t, s)
	visits := []foxVisit{{Name: "faults", URL: serve(t, fixture(t, faultyDemo), "/"), Root: "#demo-x", Box: "#b", Value: "9", Say: "v9"}}
	for _, d := range demos {
		visits = append(visits, d.foxVisit)
	}
	tiny := find(t, "step-trace")
	stood := later(stepped(t, demo.NewState(tiny), 1), 20)
	visits = append(visits, foxVisit{Name: "engine room", URL: serve(t, s.dir, "/") + embedPage(tiny.ID) + "#v=1&at=20", Root: "#demo-" + tiny.ID, Value: knobText(stood), Say: plain(t, stood),
		Box: "#demo-" + tiny.ID + ` [data-knob="` + knobOf(tiny).Name + `"] [data-box]`, Room: true})
	results := drive(t, fox, visits)
	require.Len(t, results, len(visits))
	if r := results[len(visits)-1]; assert.NotNil(t, r.Room, r.Error) {
		_, task := standing(t, stood)
		assert.Equal(t, task.RoomSays(-1).Says.String(), r.Room.Says)
		if r.Room.Frames == 0 { // no WebGL without a screen
			assert.Equal(t, "The picture cannot be drawn here: this browser has no WebGL 2. Its words and tables are below. Close the room and open it to try again.", r.Room.State)
		}
	}
	seen := strings.Join(results[0].Faults, "\n")
	assert.Contains(t, seen, "said on the console", "what every visit relies on being noticed")
	assert.Contains(t, seen, "thrown", "what every visit relies on being noticed")
	for i, d := range demos {
		t.Run(d.Name, func(t *testing.T) { d.holds(t, results[i+1], prefixes) })
	}
}

// holds compares what Firefox saw with the engine.
func (d foxDemo) holds(t *testing.T, r foxResult, prefixes []string) {
	require.Empty(t, r.Error)
	assert.Empty(t, r.Faults, "console errors and exceptions")
	assert.True(t, r.Began, "the state of the link was not shown")
	assert.Equal(t, d.Say, r.Say, "notices: %s", r.Notices)
	for _, slot := range r.Slots {
		assert.True(t, slot.Same, "%s holds %s", slot.Selector, clip(slot.Got))
	}
	assert.Equal(t, csv(t, d.to), r.CSV)
	assert.True(t, strings.HasSuffix(r.Link, "#"+d.to.String()), "the link to %s is %s", d.to, r.Link)
	for _, u := range r.Early {
		assert.False(t, d.First == "" && lazy.MatchString(u), "asked for before anybody used the demo: %s", u)
	}
	for _, u := range r.Asked {
		assert.True(t, hasAnyPrefix(u, prefixes), "foreign request: %s", shorten(u))
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

// allPatience is how long a script may take that visits many pages.
const allPatience = 30 * time.Minute

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
	ctx, cancel := context.WithTimeout(context.Background(), allPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
	require.NoError(t, cmd.Run(), "node %s\n%s\n%s", strings.Join(args, " "), out.String(), errs.String())
	return out.Bytes()
}
