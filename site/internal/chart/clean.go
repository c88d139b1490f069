package chart

import (
	"errors"
	"regexp"
	"strings"
)

var (
	// echarts notes for its own interaction, and defaults of SVG.
	noise = regexp.MustCompile(` (?:ecmeta_[a-z_]+="[^"]*"|pointer-events="visible"|xml:space="preserve"|version="1\.1"|baseProfile="full"|xmlns:xlink="[^"]*"|paint-order="stroke"|stroke-miterlimit="2"|stroke-linejoin="bevel")`)
	// what nobody can see.
	invisible = regexp.MustCompile(`<path[^>]*(?: d=""|stroke-opacity="0")[^>]*></path>\n?|<path[^>]* fill-opacity="0"[^>]* stroke-width="0"[^>]*></path>\n?|<rect [^>]*fill="none"></rect>\n?`)
	// a halo that assumes white paper.
	boxed    = regexp.MustCompile(`<path [^>]*fill="none"></path>\n?`) // what a halo is told to surround: nothing is painted
	halo     = regexp.MustCompile(` stroke="rgb\(255,255,255\)" stroke-width="2"`)
	outlined = regexp.MustCompile(`(<text[^>]* stroke="[^"]*")([^>]*>)`) // letters stand on their own halo
	font     = regexp.MustCompile(` style="font-size:13px;font-family:inherit;(?:font-weight:bold;)?"`)
	fixed    = regexp.MustCompile(`^<svg width="\d+" height="\d+" `)
	tag      = regexp.MustCompile(`<[^>]*>`)
	decimals = regexp.MustCompile(`(\d+\.\d)\d+`)
	clipID   = regexp.MustCompile(`zr\d+-(c\d+)`)
	rawColor = regexp.MustCompile(`<[^>]*(?:fill|stroke)="(#[0-9a-fA-F]{3,8}|rgba?\([^"]*\))"`)
	empty    = regexp.MustCompile(`<g clip-path="[^"]*">\s*</g>\n?`)
)

// clean makes the painter's string fit for a page: smaller, free of fixed
// colors, and the same whatever was drawn before it. Colors that our option
// left to echarts are an error: they would be wrong in one of the themes.
func clean(svg string) (string, error) {
	if strings.Contains(svg, "<style") {
		return "", errors.New("the chart carries a style element")
	}
	svg = noise.ReplaceAllString(svg, "")
	svg = invisible.ReplaceAllString(svg, "")
	svg = boxed.ReplaceAllStringFunc(svg, func(path string) string {
		if strings.Contains(path, "stroke=") {
			return path
		}
		return ""
	})
	svg = empty.ReplaceAllString(svg, "")
	svg = halo.ReplaceAllString(svg, "")
	svg = fixed.ReplaceAllString(svg, `<svg aria-hidden="true" focusable="false" font-size="13" dominant-baseline="central" `)
	svg = font.ReplaceAllStringFunc(svg, func(style string) string {
		if strings.Contains(style, "bold") {
			return ` font-weight="bold"`
		}
		return ""
	})
	svg = strings.ReplaceAll(svg, `<text dominant-baseline="central"`, "<text")
	svg = outlined.ReplaceAllString(svg, `$1 paint-order="stroke" stroke-linejoin="round"$2`)
	svg = shareClips(placed(svg))
	svg = tag.ReplaceAllStringFunc(svg, func(t string) string { return decimals.ReplaceAllString(t, "$1") }) // not what labels say
	svg = clipID.ReplaceAllString(svg, "@-$1")
	svg = strings.ReplaceAll(svg, ` fill="#000"`, "") // inside clip paths, where color means nothing
	svg = strings.ReplaceAll(svg, `fill="#fff"`, `fill="`+cardColor+`"`)
	if m := rawColor.FindStringSubmatch(svg); m != nil {
		return "", errors.New("the chart has a color of its own, " + m[1] + ": " + m[0])
	}
	return compact(svg), nil
}

// rename gives clip paths ids that are unique on the page.
func rename(svg, name string) string {
	return strings.ReplaceAll(svg, "@-c", name+"-c")
}
