package chart

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// symbolPaths are the painter's symbols, each drawn around (x, y) with radius
// r as a path of its own, so that all symbols of a series can be one element.
var symbolPaths = map[string]func(x, y, r int) string{
	"M1 0A1 1 0 1 1 1 -0.1A1 1 0 0 1 1 0": func(x, y, r int) string {
		return fmt.Sprintf("M%s %sa%[3]s %[3]s 0 1 1-%[4]s 0 %[3]s %[3]s 0 1 1 %[4]s 0z", tenths(x+r), tenths(y), tenths(r), tenths(2*r))
	},
	"M-1 -1l2 0l0 2l-2 0Z": func(x, y, r int) string {
		return fmt.Sprintf("M%s %sh%[3]sv%[3]sh-%[3]sz", tenths(x-r), tenths(y-r), tenths(2*r))
	},
	"M0 -1L1 0L0 1L-1 0Z": func(x, y, r int) string {
		return fmt.Sprintf("M%s %sl%[3]s %[3]s-%[3]s %[3]s-%[3]s-%[3]sz", tenths(x), tenths(y-r), tenths(r))
	},
	"M0 -1L1 1L-1 1Z": func(x, y, r int) string {
		return fmt.Sprintf("M%s %sl%s %sh-%[4]sz", tenths(x), tenths(y-r), tenths(r), tenths(2*r))
	},
}

var (
	symbolLine  = regexp.MustCompile(`<path d="([^"]*)" transform="matrix\(([0-9.]+),0,0,[0-9.]+,([0-9.-]+),([0-9.-]+)\)"([^>]*)></path>`)
	strokeWidth = regexp.MustCompile(`stroke-width="([0-9.]+)"`)
	strokeDash  = regexp.MustCompile(`stroke-dasharray="([0-9.]+),([0-9.]+)"`)
)

// placed writes symbols in the coordinates of the drawing. Symbols that it
// does not know stay as they are.
func placed(svg string) string {
	return symbolLine.ReplaceAllStringFunc(svg, func(line string) string {
		m := symbolLine.FindStringSubmatch(line)
		draw, ok := symbolPaths[m[1]]
		if !ok {
			return line
		}
		scale := float(m[2])
		attrs := strokeWidth.ReplaceAllStringFunc(m[5], func(s string) string {
			return `stroke-width="` + tenths(grid10(float(strokeWidth.FindStringSubmatch(s)[1])*scale)) + `"`
		})
		attrs = strokeDash.ReplaceAllStringFunc(attrs, func(s string) string {
			dash := strokeDash.FindStringSubmatch(s)
			return `stroke-dasharray="` + tenths(grid10(float(dash[1])*scale)) + `,` + tenths(grid10(float(dash[2])*scale)) + `"`
		})
		return `<path d="` + draw(grid10(float(m[3])), grid10(float(m[4])), grid10(scale)) + `"` + attrs + `></path>`
	})
}

func grid10(v float64) int { return int(math.Round(v * 10)) }

// float reads a number that a pattern has matched.
func float(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64)
	return v
}

var clipPath = regexp.MustCompile(`<clipPath id="([^"]*)">\n(<path[^>]*></path>)\n</clipPath>\n`)

// shareClips keeps one of several equal clip paths.
func shareClips(svg string) string {
	first := map[string]string{}
	for _, m := range clipPath.FindAllStringSubmatch(svg, -1) {
		if same, ok := first[m[2]]; ok {
			svg = strings.Replace(svg, m[0], "", 1)
			svg = strings.ReplaceAll(svg, "url(#"+m[1]+")", "url(#"+same+")")
		} else {
			first[m[2]] = m[1]
		}
	}
	return svg
}
