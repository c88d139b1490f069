// Package card draws the picture that stands beside a link to a page in a chat
// or a feed: title, what the page is about, and where it belongs. It needs no
// browser, and the same words give the same bytes.
package card

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Size of a card in pixels, which is what previews of links show whole.
const (
	Width  = 1200
	Height = 630
)

// Revision is raised when the same words are drawn differently.
const Revision = "1"

const (
	margin = 80  // px at the sides
	bar    = 18  // px, the colored edge
	foot   = 560 // px from the top, base line of the last line
)

var (
	paper = color.RGBA{0xfb, 0xfa, 0xf7, 0xff}
	ink   = color.RGBA{0x1c, 0x1e, 0x22, 0xff}
	soft  = color.RGBA{0x5a, 0x60, 0x6b, 0xff}
	teal  = color.RGBA{0x0b, 0x6e, 0x6e, 0xff}
	amber = color.RGBA{0xf6, 0xc5, 0x8f, 0xff}
)

// typefaces are parsed once: the Go fonts, carried by golang.org/x/image.
var typefaces = sync.OnceValues(func() ([2]*opentype.Font, error) {
	var out [2]*opentype.Font
	for i, raw := range [][]byte{goregular.TTF, gobold.TTF} {
		f, err := opentype.Parse(raw)
		if err != nil {
			return out, err
		}
		out[i] = f
	}
	return out, nil
})

// Draw returns a card as PNG. Place is the shelf that the page stands on, or "".
func Draw(title, says, place string) ([]byte, error) {
	c := &canvas{img: image.NewRGBA(image.Rect(0, 0, Width, Height))}
	draw.Draw(c.img, c.img.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	draw.Draw(c.img, image.Rect(0, 0, bar, Height), image.NewUniform(teal), image.Point{}, draw.Src)
	c.loop(margin+24, 92, 24)

	c.line(margin+66, 105, 38, true, ink, "Openloop")
	y := 230
	for _, l := range c.wrap(title, 66, true, 3) {
		c.line(margin, y, 66, true, ink, l)
		y += 78
	}
	y += 8
	room := max(1, (foot-30-y)/46)
	for _, l := range c.wrap(says, 34, false, room) {
		c.line(margin, y, 34, false, soft, l)
		y += 46
	}
	if place != "" {
		c.line(margin, foot+24, 28, true, teal, place)
	}
	if c.err != nil {
		return nil, fmt.Errorf("drawing a card: %w", c.err)
	}
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, few(c.img))
	return b.Bytes(), err
}

// canvas keeps the first error, so that drawing reads as a list of what is drawn.
type canvas struct {
	img *image.RGBA
	err error
}

func (c *canvas) face(size float64, bold bool) font.Face {
	fonts, err := typefaces()
	f := fonts[0]
	if bold {
		f = fonts[1]
	}
	if err == nil {
		var face font.Face
		if face, err = opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72}); err == nil {
			return face
		}
	}
	c.err = err
	return nil
}

// line writes one line with its base line at y.
func (c *canvas) line(x, y int, size float64, bold bool, ink color.Color, words string) {
	face := c.face(size, bold)
	if face == nil {
		return
	}
	d := font.Drawer{Dst: c.img, Src: image.NewUniform(ink), Face: face, Dot: fixed.P(x, y)}
	d.DrawString(words)
}

// wrap breaks words into lines that fit, at most so many; what does not fit is
// left out with a sign of it.
func (c *canvas) wrap(words string, size float64, bold bool, most int) []string {
	face := c.face(size, bold)
	if face == nil {
		return nil
	}
	fits := func(s string) bool { return font.MeasureString(face, s).Ceil() <= Width-2*margin }
	var out []string
	line := ""
	for _, w := range strings.Fields(words) {
		next := strings.TrimSpace(line + " " + w)
		if line == "" || fits(next) {
			line = next
			continue
		}
		if len(out) == most-1 {
			for !fits(line + " …") {
				line = line[:strings.LastIndexByte(line, ' ')]
			}
			return append(out, line+" …")
		}
		out = append(out, line)
		line = w
	}
	return append(out, line)
}

// loop draws the mark of the guide: a ring that is open, and what gets out.
func (c *canvas) loop(x, y, r float64) {
	const width = 8.5
	for py := int(y - r - 10); py <= int(y+r+10); py++ {
		for px := int(x - r - 10); px <= int(x+r+16); px++ {
			dx, dy := float64(px)+0.5-x, float64(py)+0.5-y
			ring := width/2 - math.Abs(math.Hypot(dx, dy)-r)
			if angle := math.Atan2(dy, dx); angle > -0.75 && angle < 0.35 {
				ring = -1 // where it is open
			}
			c.blend(px, py, teal, ring)
			c.blend(px, py, amber, 6.5-math.Hypot(dx-r-2, dy+4))
		}
	}
}

// blend paints a pixel that is so many pixels inside an edge.
func (c *canvas) blend(x, y int, over color.RGBA, inside float64) {
	a := min(max(inside+0.5, 0), 1)
	if a == 0 {
		return
	}
	under := c.img.RGBAAt(x, y)
	mix := func(o, u uint8) uint8 { return uint8(float64(o)*a + float64(u)*(1-a) + 0.5) }
	c.img.SetRGBA(x, y, color.RGBA{mix(over.R, under.R), mix(over.G, under.G), mix(over.B, under.B), 0xff})
}

// few is the picture in steps of 16 from paper to each color, which is all that
// smooth edges need: a quarter of the bytes.
func few(img *image.RGBA) image.Image {
	palette := color.Palette{paper}
	for _, to := range []color.RGBA{ink, soft, teal, amber} {
		for step := 1; step <= 16; step++ {
			mix := func(a, b uint8) uint8 { return uint8((int(a)*(16-step) + int(b)*step) / 16) }
			palette = append(palette, color.RGBA{mix(paper.R, to.R), mix(paper.G, to.G), mix(paper.B, to.B), 0xff})
		}
	}
	out := image.NewPaletted(img.Bounds(), palette)
	seen := map[color.RGBA]uint8{}
	for y := range Height {
		for x := range Width {
			c := img.RGBAAt(x, y)
			i, ok := seen[c]
			if !ok {
				i = uint8(palette.Index(c))
				seen[c] = i
			}
			out.Pix[y*out.Stride+x] = i
		}
	}
	return out
}
