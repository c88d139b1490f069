package chart

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A static chart is most of what a page with demos weighs, and its paths are
// most of the chart. They are written here as SVG allows at its shortest:
// steps relative to the point before, on a grid of a tenth of a unit, and
// neighbors that look alike as one path.

var (
	pathData = regexp.MustCompile(` d="([MLZ0-9. -]+)"`)
	onePath  = regexp.MustCompile(`^<path d="([^"]*)"( [^>]*)></path>$`)
	// dashes would run on and shades would no longer add up where they overlap
	alone   = regexp.MustCompile(`transform|dasharray|opacity`)
	command = regexp.MustCompile(`([MLZ])([0-9. -]*)`)
)

func compact(svg string) string {
	svg = pathData.ReplaceAllStringFunc(svg, func(attr string) string {
		return ` d="` + relative(attr[4:len(attr)-1]) + `"`
	})
	var out []string
	last := "" // attributes of the path that out ends with, if it may grow
	for _, line := range strings.Split(svg, "\n") {
		m := onePath.FindStringSubmatch(line)
		if m == nil || alone.MatchString(m[2]) {
			last = ""
			out = append(out, line)
			continue
		}
		if m[2] == last {
			prev := onePath.FindStringSubmatch(out[len(out)-1])
			out[len(out)-1] = `<path d="` + prev[1] + m[1] + `"` + m[2] + `></path>`
			continue
		}
		last = m[2]
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// relative rewrites the commands M, L and Z as M and relative ones. Positions
// are rounded, not steps, so that errors do not add up. What it does not
// understand it returns as it is.
func relative(d string) string {
	var b strings.Builder
	x, y, startX, startY := 0, 0, 0, 0 // tenths of a unit
	for _, m := range command.FindAllStringSubmatch(d, -1) {
		if m[1] == "Z" {
			b.WriteByte('z')
			x, y = startX, startY
			continue
		}
		f := strings.Fields(m[2])
		if len(f) != 2 {
			return d
		}
		px, errX := strconv.ParseFloat(f[0], 64)
		py, errY := strconv.ParseFloat(f[1], 64)
		if errX != nil || errY != nil {
			return d
		}
		nx, ny := int(math.Round(px*10)), int(math.Round(py*10))
		dx, dy := nx-x, ny-y
		switch {
		case m[1] == "M":
			b.WriteString("M" + tenths(nx) + " " + tenths(ny))
			startX, startY = nx, ny
		case dx == 0 && dy == 0:
		case dy == 0:
			b.WriteString("h" + tenths(dx))
		case dx == 0:
			b.WriteString("v" + tenths(dy))
		default:
			b.WriteString("l" + tenths(dx))
			if dy > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(tenths(dy))
		}
		x, y = nx, ny
	}
	return b.String()
}

func tenths(n int) string { return strconv.FormatFloat(float64(n)/10, 'f', -1, 64) }
