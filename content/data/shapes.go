package data

import (
	"strconv"
	"strings"

	"openloop/content/demo/text"
	"openloop/content/prose"
	"openloop/planner/profile"
)

// The page with every model: its shape with sources, and what follows from it.

func models() prose.Page {
	var b strings.Builder
	b.WriteString("A shape is what the configuration file says; parameters and KV bytes are counted from it, and the count is compared with what the makers publish.\n\n")
	var names []string
	for _, m := range profile.Models() {
		names = append(names, link(m.Name, "#"+prose.Anchor(m.ID)))
	}
	b.WriteString(strings.Join(names, ", ") + ".\n\n")
	for _, m := range profile.Models() {
		model(&b, m)
	}
	return prose.Page{
		File: "data/models.md", Title: "Models of the planner", Nav: "Models",
		Description: "Shapes, parameters and KV bytes of every model of the planner, each with its source.",
		Body:        b.String(),
	}
}

func model(b *strings.Builder, m *profile.Model) {
	b.WriteString("## " + plain(m.Name) + " {#" + prose.Anchor(m.ID) + "}\n\n")
	shape := source(m.Sources, "shape")
	t := table{heads: []string{"Property", "Value", "Source"}}
	t.sourced("Layers, width, vocabulary", plain(whole(m.Layers)+", "+whole(m.Hidden)+", "+whole(m.Vocab)+tied(m)), shape)
	t.sourced("Attention", plain(attention(m)), shape)
	if m.LocalLayers > 0 {
		t.sourced("Window", plain(whole(m.LocalLayers)+" of "+whole(m.Layers)+" layers see the last "+whole(m.WindowTokens)+" tokens"), shape)
	}
	if m.Intermediate > 0 {
		t.sourced("Width of the MLP", whole(m.Intermediate), own(m.Sources, "dense_intermediate", shape))
	}
	if m.MoE() {
		t.sourced("Experts", plain(whole(m.MoELayers)+" layers with "+whole(m.ExpertsRouted)+" of width "+whole(m.ExpertIntermediate)+", "+whole(m.ExpertsActive)+" used by a token"+shared(m)), shape)
	}
	if m.ContextTokens > 0 {
		t.sourced("Longest context", plain(whole(m.ContextTokens)+"\u00a0tokens"), shape)
	}
	p := m.Params()
	counted := "counted from the shape"
	published := "; the published number has no source of its own"
	if m.PublishedSource != "" {
		published = "; " + cited(m.PublishedSource)
	}
	t.sourced("Parameters", plain(billions(p.Total())+"; published: "+m.PublishedParams), counted+published)
	if m.MoE() {
		t.sourced("of them used by a token", billions(m.Active()), counted)
	}
	t.sourced("KV of one token, bf16", plain(whole(int(m.KVElementsPerToken()*2))+"\u00a0bytes"+windowed(m)), counted)
	if m.NativeDType != "" {
		t.sourced("Published in", plain(m.NativeDType), own(m.Sources, "dtype", shape))
	}
	t.write(b)
	for _, s := range m.Sources {
		if s.What != "shape" && s.What != "dtype" && s.What != "dense_intermediate" {
			b.WriteString(plain(capital(s.What)) + ": " + cited(s.Where) + ".\n\n")
		}
	}
	if m.Notes != "" {
		b.WriteString(plain(m.Notes) + "\n\n")
	}
	b.WriteString(measured(func(c *profile.Calibration) bool { return c.ModelID == m.ID }, func(c *profile.Calibration) string { return c.GPUID }) + "\n")
}

func own(all []profile.Source, what, otherwise string) string {
	for _, s := range all {
		if s.What == what {
			return cited(s.Where)
		}
	}
	return otherwise
}

func whole(n int) string { return text.Whole(n) }

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func billions(n int64) string {
	return strconv.FormatFloat(float64(n)/1e9, 'f', 2, 64) + "\u00a0billion"
}

func tied(m *profile.Model) string {
	if m.Tied {
		return "; input and output share one matrix"
	}
	return ""
}

func shared(m *profile.Model) string {
	if m.ExpertsShared > 0 {
		return ", and " + whole(m.ExpertsShared) + " that every token uses"
	}
	return ""
}

func windowed(m *profile.Model) string {
	if m.LocalLayers > 0 {
		return " while every layer sees it"
	}
	return ""
}

func attention(m *profile.Model) string {
	if m.Attention == profile.MLA {
		return "MLA, " + whole(m.Heads) + " heads; keys of " + whole(m.NopeHeadDim) + " and " + whole(m.RopeHeadDim) + " with position, values of " + whole(m.ValueHeadDim) +
			", compressed to " + whole(m.KVRank)
	}
	return m.Attention.String() + ", " + whole(m.Heads) + " heads of queries and " + whole(m.KVHeads) + " of keys and values, of " + whole(m.HeadDim)
}
