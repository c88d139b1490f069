package browser

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/stretchr/testify/assert"

	"openloop/content/demo"
)

// mustName are the roles that mean nothing to a listener without a name.
var mustName = map[string]bool{
	"button": true, "checkbox": true, "combobox": true, "dialog": true, "figure": true, "form": true, "image": true, "img": true, "link": true,
	"listbox": true, "progressbar": true, "radio": true, "region": true, "searchbox": true, "slider": true, "spinbutton": true, "switch": true, "tab": true, "textbox": true,
}

// heard is a node of the accessibility tree, as a listener meets it.
type heard struct {
	Role, Name string
	Live       string // how urgently changes of its text are spoken
	Text       string // what stands in it
}

// tree is what assistive technology is told about the document.
func (f frame) tree() []heard {
	f.tab.t.Helper()
	nodes := send(f.tab, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{FrameID: f.id}).Nodes
	byID := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range nodes {
		byID[n.NodeID] = n
	}
	var text func(n *accessibility.Node) string
	text = func(n *accessibility.Node) string {
		if axText(n.Role) == "StaticText" {
			return axText(n.Name)
		}
		var b strings.Builder
		for _, id := range n.ChildIDs {
			if c := byID[id]; c != nil {
				b.WriteString(text(c))
			}
		}
		return b.String()
	}
	var list []heard
	for _, n := range nodes {
		if n.Ignored {
			continue
		}
		h := heard{Role: axText(n.Role), Name: strings.TrimSpace(axText(n.Name))}
		for _, p := range n.Properties {
			if p.Name == accessibility.PropertyNameLive {
				h.Live = axText(p.Value)
			}
		}
		if h.Live != "" {
			h.Text = strings.TrimSpace(text(n))
		}
		list = append(list, h)
	}
	return list
}

// axText is the value of a property that is text.
func axText(v *accessibility.Value) string {
	var s string
	if v != nil {
		_ = json.Unmarshal(v.Value, &s) // of other kinds: nothing to read
	}
	return s
}

// hasNames reads a demo in use as a screen reader does: everything that is operated
// or pictured has a name, that of each setting and figure is the engine's, and the
// one region that speaks by itself says the sentence of the run.
func (v look) hasNames(t *testing.T) {
	p := v.demo()
	p.written()
	state := p.state()
	say := plain(t, state)
	p.wait("the sentence to be spoken", `(s, want) => document.querySelector(s).textContent.trim() === want`, p.at("[data-live]"), say)
	tree := p.tree()
	names := map[string][]string{}
	spoken := 0
	for _, n := range tree {
		names[n.Role] = append(names[n.Role], n.Name)
		assert.False(t, mustName[n.Role] && n.Name == "", "a %s without a name", n.Role)
		if n.Text == say {
			assert.Equal(t, "polite", n.Live, "the sentence waits until the listener is done")
			spoken++
		}
	}
	assert.Equal(t, 1, spoken, "regions that speak the sentence")
	assert.Contains(t, names["region"], p.demo.Title)
	for _, f := range run(t, state).Figures() {
		if f.Kind == demo.Chart && p.visible(p.at(`[data-figure="`+f.ID+`"] [data-plot]`)) {
			assert.Condition(t, func() bool { return hasPrefixed(names["application"], f.Alt) }, "no chart says %q", f.Alt)
		}
	}
	p.unfold()
	tree = p.tree()
	for i, k := range p.demo.Knobs {
		if state.Idle(i) != "" && !p.visible(p.knob(k.Name, "[data-box],[data-choice],[data-switch],[data-show]")) {
			continue // away
		}
		roles := map[string][]string{"slider": {"textbox", "slider"}, "switch": {"switch"}, "choice": {"combobox"}, "show": {"button"}}[p.control(k)]
		if k.Writing != nil {
			roles = []string{"textbox"}
		}
		for _, role := range roles {
			assert.Condition(t, func() bool {
				return has(tree, role, k.Label) || role == "button" && (has(tree, role, "Show "+lowered(k.Label)) || has(tree, role, "Hide "+lowered(k.Label)))
			}, "no %s is called %q", role, k.Label)
		}
	}
	p.fold()
}

func hasPrefixed(list []string, start string) bool {
	for _, s := range list {
		if strings.HasPrefix(s, start) {
			return true
		}
	}
	return false
}

func has(tree []heard, role, name string) bool {
	for _, n := range tree {
		if n.Role == role && n.Name == name {
			return true
		}
	}
	return false
}

// lowered is a label in the middle of words.
func lowered(s string) string { return strings.ToLower(s[:1]) + s[1:] }
