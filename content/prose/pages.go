package prose

import (
	"slices"

	"openloop/content/demo"
)

// Figure is a picture of the guide that is made when the site is built: a page
// shows it with a fence, :::figure id.
type Figure struct {
	ID   string
	Make func() demo.Figure
}

// Figures are all figures, in the order of the guide.
func Figures() []Figure { return slices.Concat(guideFigures, residualFigures(), failingFigures) }

// Page is a page that is made from tables, in Markdown like those that are
// written.
type Page struct {
	File                          string // data/name.md, as links name it
	Title, Nav, Description, Lede string
	Body                          string
}
