package browser

import (
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLabelsStandApart: in every picture that the build draws, in each of its sizes,
// no text lies on another one, and no name of a line stands among the labels of the
// axis under it. Where text ends is estimated, with narrow letters, so that what is
// reported is there in any font.
func TestLabelsStandApart(t *testing.T) {
	t.Parallel()
	at := builtSite(t)
	pictures := 0
	for _, page := range at.pages(t) {
		raw, err := os.ReadFile(filepath.Join(at.dir, page))
		require.NoError(t, err)
		for _, svg := range inkPictures.FindAllString(string(raw), -1) {
			pictures++
			for _, fault := range inkCrowded(textsOf(t, svg)) {
				assert.Fail(t, fault, "%s, a picture of %s", page, inkSize.FindString(svg))
			}
		}
	}
	assert.Greater(t, pictures, 100, "pictures that were read")
}

// TestCrowdedSeesWhatIsCrowded: the law finds what it is about.
func TestCrowdedSeesWhatIsCrowded(t *testing.T) {
	axis := `<text text-anchor="middle" y="6.5" transform="translate(184.6 196)">20,000</text><text text-anchor="middle" y="6.5" transform="translate(249.9 196)">30,000</text>`
	for svg, fault := range map[string]string{
		`<text font-weight="bold" transform="translate(240.3 156.1)">per token</text><text text-anchor="end" y="-6.5" transform="translate(263 153)">limit</text>`: `"limit" lies on "per token"`,
		axis + `<text font-weight="bold" transform="translate(276 202.7)">one vector</text>`:                                                                       `"one vector" stands among the labels of the axis`,
		axis + `<text font-weight="bold" transform="translate(276 190)">one vector</text>`:                                                                         "",
	} {
		assert.Equal(t, fault, strings.Join(inkCrowded(textsOf(t, `<svg font-size="13" dominant-baseline="central">`+svg+`</svg>`)), "; "))
	}
}

var (
	inkPictures  = regexp.MustCompile(`(?s)<svg[ >].*?</svg>`)
	inkSize      = regexp.MustCompile(`viewBox="[^"]*"`)
	inkTexts     = regexp.MustCompile(`(?s)<text([^>]*)>(.*?)</text>`)
	inkTags      = regexp.MustCompile(`<[^>]+>`)
	inkAttribute = regexp.MustCompile(`([\w-]+)="([^"]*)"`)
	inkMoved     = regexp.MustCompile(`^translate\((-?[\d.]+)[ ,](-?[\d.]+)\)$`)
)

// inked is a text of a picture, with the box around its letters and what they reach below.
type inked struct {
	says                     string
	bold, middle             bool
	left, right, top, bottom float64
}

// textsOf are the texts of a picture, but for those that are turned.
func textsOf(t *testing.T, svg string) []inked {
	t.Helper()
	head := inkAttributes(svg[:strings.Index(svg, ">")])
	var list []inked
	for _, m := range inkTexts.FindAllStringSubmatch(svg, -1) {
		a, says := inkAttributes(m[1]), strings.TrimSpace(html.UnescapeString(inkTags.ReplaceAllString(m[2], "")))
		if says == "" || strings.HasPrefix(a["transform"], "matrix") || strings.HasPrefix(a["transform"], "rotate") {
			continue
		}
		size := inkNumber(t, a["font-size"], inkNumber(t, head["font-size"], 16))
		x, y := inkNumber(t, a["x"], 0), inkNumber(t, a["y"], 0)
		if by := inkMoved.FindStringSubmatch(a["transform"]); by != nil {
			x, y = x+inkNumber(t, by[1], 0), y+inkNumber(t, by[2], 0)
		}
		w := inked{says: says, bold: a["font-weight"] == "bold", middle: a["text-anchor"] == "middle"}
		wide, high := inkWidth(says)*size, 0.9*size
		w.left = x - map[string]float64{"middle": 0.5, "end": 1}[a["text-anchor"]]*wide
		w.top = y - high
		if head["dominant-baseline"] == "central" {
			w.top = y - high/2
		}
		w.right, w.bottom = w.left+wide, w.top+high
		list = append(list, w)
	}
	return list
}

func inkAttributes(tag string) map[string]string {
	out := map[string]string{}
	for _, m := range inkAttribute.FindAllStringSubmatch(tag, -1) {
		out[m[1]] = m[2]
	}
	return out
}

func inkNumber(t *testing.T, s string, without float64) float64 {
	t.Helper()
	if s == "" {
		return without
	}
	x, err := strconv.ParseFloat(strings.TrimSuffix(s, "px"), 64)
	require.NoError(t, err)
	return x
}

// inkWidth is about how wide a text is, as a share of its size.
func inkWidth(s string) float64 {
	sum := 0.0
	for _, r := range s {
		switch {
		case strings.ContainsRune("il.,:;'|!()[]jtfrI ", r):
			sum += 0.3
		case strings.ContainsRune("mwMW@%", r):
			sum += 0.82
		default:
			sum += 0.53
		}
	}
	return sum
}

// inkCrowded says what lies on what, one sentence each.
func inkCrowded(list []inked) []string {
	var faults []string
	for i, a := range list {
		for _, b := range list[:i] {
			if inkOverlap(a.left, a.right, b.left, b.right) > 1 && inkOverlap(a.top, a.bottom, b.top, b.bottom) > 1 {
				faults = append(faults, fmt.Sprintf("%q lies on %q", a.says, b.says))
			}
		}
		if a.bold && !a.middle && amongTicks(a, list) {
			faults = append(faults, fmt.Sprintf("%q stands among the labels of the axis", a.says))
		}
	}
	return faults
}

// amongTicks says whether a name of a line is in a row with two labels of an axis.
func amongTicks(a inked, list []inked) bool {
	ticks := 0
	for _, b := range list {
		if b.middle && !b.bold && inkOverlap(a.top, a.bottom, b.top, b.bottom) > 2 && inkRow(b, list) {
			ticks++
		}
	}
	return ticks > 1
}

// inkRow says whether another middled text stands as high as this one.
func inkRow(b inked, list []inked) bool {
	n := 0
	for _, c := range list {
		if c.middle && c.top == b.top {
			n++
		}
	}
	return n > 1
}

func inkOverlap(a0, a1, b0, b1 float64) float64 { return math.Min(a1, b1) - math.Max(a0, b0) }
