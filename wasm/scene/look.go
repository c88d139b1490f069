package main

// Colors and marks. Every meaning has a shape beside its color: what waits is
// hollow, prefill is a bar that fills, decode a square that fills, what was put
// back has a thick edge, a shared block a hole, a kept one a dot, what was sent again a corner.

// color is straight, 0 to 1.
type color struct{ r, g, b, a float32 }

// faded is the color with a share of its opacity.
func (c color) faded(share float64) color {
	c.a *= float32(share)
	return c
}

// look is the colors of the page around, in the order in which it sends them.
type look struct {
	paper, wash, line, edge, soft, ink, prefill, decode, bad color
}

// colors is how many there are; each is sent as red, green and blue, 0 to 255.
const colors = 9

func (l *look) read(x []float64) bool {
	if len(x) != 3*colors {
		return false
	}
	for i, c := range []*color{&l.paper, &l.wash, &l.line, &l.edge, &l.soft, &l.ink, &l.prefill, &l.decode, &l.bad} {
		*c = color{float32(x[3*i] / 255), float32(x[3*i+1] / 255), float32(x[3*i+2] / 255), 1}
	}
	return true
}

// quad is a filled rectangle.
type quad struct {
	rect
	color color
}

// label is words over the picture, which the page writes.
type label struct {
	x, y  float64
	align string // left, center or right of x; y is the middle
	class string
	text  string
}

// canvas collects what a picture is made of.
type canvas struct {
	quads  []quad
	labels []label
}

func (c *canvas) clear() { c.quads, c.labels = c.quads[:0], c.labels[:0] }

func (c *canvas) fill(r rect, k color) {
	if r.w > 0 && r.h > 0 && k.a > 0 {
		c.quads = append(c.quads, quad{r, k})
	}
}

// outline draws the edge inside a rectangle.
func (c *canvas) outline(r rect, width float64, k color) {
	width = min(width, r.w/2, r.h/2)
	c.fill(rect{r.x, r.y, r.w, width}, k)
	c.fill(rect{r.x, r.bottom() - width, r.w, width}, k)
	c.fill(rect{r.x, r.y + width, width, r.h - 2*width}, k)
	c.fill(rect{r.right() - width, r.y + width, width, r.h - 2*width}, k)
}

// level fills a rectangle from its bottom to a share.
func (c *canvas) level(r rect, share float64, k color) {
	h := r.h * min(1, max(0, share))
	c.fill(rect{r.x, r.bottom() - h, r.w, h}, k)
}

// progress fills it from its left.
func (c *canvas) progress(r rect, share float64, k color) {
	c.fill(rect{r.x, r.y, r.w * min(1, max(0, share)), r.h}, k)
}

// dot is a small square in the middle.
func (c *canvas) dot(r rect, k color) {
	d := max(1, r.w/3)
	c.fill(rect{r.x + (r.w-d)/2, r.y + (r.h-d)/2, d, d}, k)
}

// stripes hatch a rectangle.
func (c *canvas) stripes(r rect, every, width float64, k color) {
	for x := r.x; x < r.right(); x += every {
		c.fill(rect{x, r.y, min(width, r.right()-x), r.h}, k)
	}
}

func (c *canvas) say(x, y float64, align, class, text string) {
	c.labels = append(c.labels, label{x, y, align, class, text})
}
