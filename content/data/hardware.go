package data

import (
	"strings"

	"openloop/content/demo/text"
	"openloop/content/prose"
	"openloop/planner/profile"
)

// The page with every GPU: each number with its source, what the sources disagree
// about, what it was seen to cost, and which step times were measured on it.

func gpus() prose.Page {
	var b strings.Builder
	b.WriteString("Peaks are those of the vendors, without sparsity; nobody reaches them. What share is reached is another matter: [How wrong is it?](../guide/36-how-wrong.md)\n\n")
	var names []string
	for _, g := range profile.GPUs() {
		names = append(names, link(g.Name, "#"+prose.Anchor(g.ID)))
	}
	b.WriteString(strings.Join(names, ", ") + ".\n\n")
	for _, g := range profile.GPUs() {
		gpu(&b, g)
	}
	return prose.Page{
		File: "data/gpus.md", Title: "GPUs of the planner", Nav: "GPUs",
		Description: "Memory, bandwidth, arithmetic, links, power and prices of every GPU of the planner, each number with its source.",
		Body:        b.String(),
	}
}

func gpu(b *strings.Builder, g *profile.GPU) {
	b.WriteString("## " + plain(g.Name) + " {#" + prose.Anchor(g.ID) + "}\n\n")
	t := table{heads: []string{"Property", "Value", "Source"}}
	add := func(what string, value float64, scale float64, unit string, fields ...string) {
		if value > 0 {
			t.sourced(plain(what), solid(text.Num(value/scale, 4)+" "+unit), source(g.Sources, fields...))
		}
	}
	add("Memory, "+g.MemoryType, float64(g.MemoryBytes), 1e9, "GB", "capacity", "memory", "memory,tdp", "compute,memory")
	add("Memory bandwidth", g.HBMBytesPerSec, 1e12, "TB/s", "memory", "memory,tdp", "compute,memory")
	add("Arithmetic in bf16", g.BF16FLOPsPerSec, 1e12, "TFLOP/s", "bf16", "compute", "compute,memory")
	add("in fp8", g.FP8FLOPsPerSec, 1e12, "TFLOP/s", "fp8", "compute", "compute,memory")
	add("in fp4", g.FP4FLOPsPerSec, 1e12, "TFLOP/s", "compute")
	add("in int8", g.INT8FLOPsPerSec, 1e12, "TOP/s", "compute", "compute,memory")
	add("Link, one direction: "+g.Interconnect, g.LinkBytesPerSec, 1e9, "GB/s", "interconnect")
	if g.LinkBytesPerSec == 0 {
		t.row("Link", "unknown: "+plain(g.Interconnect), "")
	}
	add("Power", g.PowerWatts, 1, "W", "tdp", "memory,tdp")
	if g.MatmulBF16FLOPsPerSec > 0 {
		t.sourced("Best product of matrices seen, bf16", solid(text.Num(g.MatmulBF16FLOPsPerSec/1e12, 4)+" TFLOP/s"), cited(g.MatmulSource))
	}
	if g.MatmulFP8FLOPsPerSec > 0 {
		t.sourced("the same, fp8", solid(text.Num(g.MatmulFP8FLOPsPerSec/1e12, 4)+" TFLOP/s"), cited(g.MatmulSource))
	}
	for _, p := range g.Prices {
		usd := text.Num(p.LowUSDPerGPUHour, 3)
		if p.HighUSDPerGPUHour != p.LowUSDPerGPUHour {
			usd += " to " + text.Num(p.HighUSDPerGPUHour, 3)
		}
		t.row("Seen at, an example", plain(usd+" USD/GPU-hour, "+p.What+" ("+p.Date+")"), cited(p.Source))
	}
	t.write(b)
	for _, s := range g.Sources {
		if s.What == "check" {
			b.WriteString("Checked against " + cited(s.Where) + ".\n\n")
		}
	}
	if g.Notes != "" {
		b.WriteString(plain(g.Notes) + "\n\n")
	}
	b.WriteString(measured(func(c *profile.Calibration) bool { return c.GPUID == g.ID }, func(c *profile.Calibration) string { return c.ModelID }) + "\n")
}

// source is that of the first of the fields that has one of its own, else that
// of everything. A file that describes a whole system has all of it.
func source(all []profile.Source, fields ...string) string {
	for _, f := range append(fields, "all") {
		for _, s := range all {
			if s.What == f {
				return cited(s.Where)
			}
		}
	}
	for _, s := range all {
		if s.What == "compute" && strings.Contains(s.Where, "/systems/") {
			return cited(s.Where)
		}
	}
	return "no source of its own"
}

// measured lists which step times are known, by data set.
func measured(is func(*profile.Calibration) bool, other func(*profile.Calibration) string) string {
	var order []string
	found := map[string][]string{}
	for _, c := range profile.Calibrations() {
		if !is(&c) {
			continue
		}
		if found[c.Dataset] == nil {
			order = append(order, c.Dataset)
		}
		words := profile.NameOf(other(&c)) + " " + c.Weights.String() + " TP" + text.Num(float64(c.TP), 0)
		if !c.Usable() {
			words += " (not used)"
		}
		found[c.Dataset] = append(found[c.Dataset], words)
	}
	if len(order) == 0 {
		return "Step times: none were measured; a plan uses peaks and shares of them.\n"
	}
	var b strings.Builder
	for _, id := range order {
		b.WriteString("Step times from " + link(id, near(id)) + ": " + plain(strings.Join(found[id], ", ")) + ".\n\n")
	}
	return b.String()
}
