//go:build js

// The engine room: a picture of a serving cluster at one time of its run, in a
// frame of its own (site: scene.html).
//
// Start reading at stage.go, which makes rectangles and words of a room, then
// plan.go (where things are), paint.go and blocks.go (how they look). This file
// alone knows the graphics library, Ebitengine, and the page's script
// (wasm/glue/src/scene.js), which gives rooms, colors and clicks to
// window.openloopScene and writes the words.
package main

import (
	"math"
	"strconv"
	"strings"
	"syscall/js"
	"unsafe"

	"github.com/hajimehoshi/ebiten/v2"
)

// game draws the stage whenever the page lets a frame through.
type game struct {
	stage  *stage
	page   js.Value // window.openloopScene
	now    js.Value // performance
	white  *ebiten.Image
	scale  float64
	frames int
	words  string // labels as they were written last

	vertices []ebiten.Vertex
	indices  []uint16
}

func main() {
	page := js.Global().Get("openloopScene")
	white := ebiten.NewImage(3, 3)
	white.Fill(whole{})
	g := &game{stage: newStage(), page: page, now: js.Global().Get("performance"), white: white, scale: 1}
	g.listen()
	ebiten.SetTPS(ebiten.SyncWithFPS)
	err := ebiten.RunGameWithOptions(g, &ebiten.RunGameOptions{InitUnfocused: true, ScreenTransparent: true})
	if err != nil {
		page.Call("failed", err.Error())
	}
}

// whole is white, without the color package.
type whole struct{}

func (whole) RGBA() (r, g, b, a uint32) { return 0xffff, 0xffff, 0xffff, 0xffff }

func (g *game) ms() float64 { return g.now.Call("now").Float() }

// listen gives the page its functions: room(Float64Array), look(Float64Array,
// still), mark(request), pick(x, y) -> request. They are called rarely, so that the
// cost of a call does not matter.
func (g *game) listen() {
	on := func(name string, f func(args []js.Value) any) {
		g.page.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) }))
	}
	on("room", func(args []js.Value) any { return g.stage.take(numbers(args[0]), g.ms()) })
	on("look", func(args []js.Value) any {
		g.stage.still = args[1].Bool()
		return g.stage.look.read(numbers(args[0]))
	})
	on("mark", func(args []js.Value) any {
		g.stage.picked = args[0].Int()
		return nil
	})
	on("pick", func(args []js.Value) any { return g.stage.pick(args[0].Float(), args[1].Float()) })
}

// numbers copies a Float64Array.
func numbers(v js.Value) []float64 {
	out := make([]float64, v.Length())
	if len(out) == 0 {
		return out
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&out[0])), 8*len(out))
	js.CopyBytesToGo(bytes, js.Global().Get("Uint8Array").New(v.Get("buffer"), v.Get("byteOffset"), 8*len(out)))
	return out
}

// Update is that of ebiten.Game: everything is done in Draw.
func (g *game) Update() error { return nil }

// Layout is not called, because there is LayoutF.
func (g *game) Layout(int, int) (int, int) { panic("scene: LayoutF is there") }

// LayoutF makes a pixel of the picture one of the screen.
func (g *game) LayoutF(width, height float64) (float64, float64) {
	g.scale = ebiten.Monitor().DeviceScaleFactor()
	g.stage.resize(width, height)
	return math.Ceil(width * g.scale), math.Ceil(height * g.scale)
}

// Draw paints the stage and tells the page whether another frame is wanted.
func (g *game) Draw(screen *ebiten.Image) {
	moving := g.stage.paint(g.ms())
	g.draw(screen)
	if w := g.labels(); w != g.words {
		g.words = w
		g.page.Call("words", w)
	}
	g.frames++
	g.page.Set("moving", moving)
	g.page.Set("frames", g.frames)
}

const mostQuads = 1 << 14 // of one call: vertices are counted with 16 bits

func (g *game) draw(screen *ebiten.Image) {
	white := g.white
	for quads := g.stage.quads; len(quads) > 0; quads = quads[min(len(quads), mostQuads):] {
		g.vertices, g.indices = g.vertices[:0], g.indices[:0]
		for _, q := range quads[:min(len(quads), mostQuads)] {
			g.quad(q)
		}
		screen.DrawTriangles(g.vertices, g.indices, white, nil)
	}
}

// quad adds a rectangle whose edges are moved to those of pixels, so that it is
// sharp.
func (g *game) quad(q quad) {
	snap := func(v float64) float32 { return float32(math.Round(v * g.scale)) }
	x0, y0, x1, y1 := snap(q.x), snap(q.y), snap(q.right()), snap(q.bottom())
	if x1 == x0 {
		x1++
	}
	if y1 == y0 {
		y1++
	}
	n := uint16(len(g.vertices))
	for _, p := range [4][2]float32{{x0, y0}, {x1, y0}, {x0, y1}, {x1, y1}} {
		g.vertices = append(g.vertices, ebiten.Vertex{
			DstX: p[0], DstY: p[1], SrcX: 1, SrcY: 1,
			ColorR: q.color.r, ColorG: q.color.g, ColorB: q.color.b, ColorA: q.color.a,
		})
	}
	g.indices = append(g.indices, n, n+1, n+2, n+1, n+3, n+2)
}

// labels are the words of the picture, a line each: x, y, align, class, text.
func (g *game) labels() string {
	var b strings.Builder
	for _, l := range g.stage.labels {
		b.WriteString(strconv.Itoa(int(math.Round(l.x))) + "|" + strconv.Itoa(int(math.Round(l.y))) + "|" + l.align + "|" + l.class + "|" + l.text + "\n")
	}
	return b.String()
}
