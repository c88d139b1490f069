// Command openloop builds the guide, serves it, checks it, and runs its demos
// on the command line. ./build.sh builds it to bin/openloop.
//
// This is also the manual for authors of the guide.
//
// # Pages
//
// A page is content/guide/NN-name.md and becomes guide/name.html; NN gives its
// place in the list of chapters. 00-home.md becomes index.html, and
// content/glossary.md the glossary. A page begins with front matter, YAML
// between two lines of three hyphens. Its keys are
//
//	title        heading of the page; needed
//	nav          its name in the list of chapters; the title if left out
//	description  one sentence for search engines and link previews; needed
//	lede         paragraph under the title
//	find         words that readers may search for and that the page does not use
//	tool         link-builder: the tool for trainers under the text
//	sheet        true: two columns, and one sheet of A4 when printed
//
// and any other key is an error. The text is Markdown with GitHub's tables,
// footnotes[^1], definition lists and attributes; headings begin at ## and get
// ids from their words, or from {#id}. Quotes and dashes are set by the
// typographer. HTML is refused.
//
// Links between pages name the source file, relative to the page:
// [text](05-name.md#section), from the home page [text](../glossary.md).
// The build fails on a link or an anchor that leads nowhere, on an image
// without alternative text, and on everything below that does not resolve.
//
// # Demos
//
//	:::demo batch-invariance {state="v=1&seed=7&batch=8"}
//	What a reader without JavaScript should know about the picture.
//	:::
//
// shows a demo of content/demo/catalog in a state, or with {preset="Name"} in one of
// its presets, or without attributes as it opens. A demo stands once on a page.
//
// # Numbers and claims
//
//	{{ value "batch-invariance#v=1&batch=8" "flips" }}
//	{{ value "batch-invariance" "flips" 3 }}
//
// is a metric of a run, computed when the site is built; the last number is how
// many significant digits to show (0: a whole number in full) instead of the
// metric's own.
//
//	[Eight neighbors change the token.]{claim="eight-flip"}
//
// marks a sentence that states a number or an ordering. Its id must be a row of
// package content/prose, which checks it in the tests. `openloop check` fails
// on a row that no page uses.
//
//	:::table queue-agreement {fold="All of them"}
//	Remarks under the table.
//	:::
//
// shows a table of package content/prose, made when the site is built from
// results that are kept because they take long (content/tables). With fold it
// stands behind that line until a reader opens it.
//
//	:::figure published-scatter
//	Remarks under the figure.
//	:::
//
// shows a figure of package content/prose, drawn when the site is built.
//
//	::::side
//	:::figure mechanism#v=1&lever=gqa
//	**GQA.** Words above the figure.
//	:::
//	:::figure step-trace#v=1 {figure="steps" at="40-simulator.md" knob="blocks"}
//	:::
//	::::
//
// shows figures of demos in a state, small, each with a link that opens its demo in
// that state: on this page, or where at says. Without figure it is the first of the
// demo's. The setting that its mark belongs to, or that knob names, stands under it
// and moves it. In side they stand side by side where there is room.
//
// # Pages about the guide
//
// content/about/NN-name.md becomes about/name.html: pages for those who teach
// with the guide or host it. They are written like chapters, but are none.
//
// # What moves and what stays
//
// Addresses live for ever. A page that gets another one leaves a line in
// content/moved.txt, its old path and its new one, and so does a heading that is
// renamed or moves: guide/page.html#old guide/page.html#new. The tests have a list
// of every address that there ever was, sections included.
//
// # Pages about data
//
// Package content/data makes data/*.html, in the same Markdown: a page for each
// data set, one with all GPUs and one with all models. Link to them as to files
// in content: ../data/gpus.md#h100-sxm.
//
// # Terms
//
//	a [ULP]{.term}, two [gaps]{.term is="ULP"}
//
// link to the glossary and show its definition on tap, focus or hover. Case and
// a plural s do not matter. A term cannot be the last thing in a heading. An
// entry of the glossary is a ## heading and a paragraph; the build warns of an
// entry that no page uses.
//
// # Callouts, formulas, code
//
//	:::note Optional title        :::warning Optional title        :::aside
//	Text.                         Text.                            Beside the text.
//	:::                           :::                              :::
//
// An aside stands in the margin. Containers nest with more colons outside.
// Formulas are TeX in $...$ and $$...$$ and become MathML; a dollar sign is
// written \$. Code in ```lang fences is highlighted by classes.
//
// # Why ...?
//
// Why is the guide read from disk and the templates embedded? The text changes
// every minute while somebody writes, and a build after one edit takes a
// fraction of a second; templates change with the code that fills them.
//
// Why does the build swap whole folders? A site that does not pass the checks
// never replaces one that did, so `openloop serve` always has something right
// to show.
//
// [^1]: As in any Markdown.
package main
