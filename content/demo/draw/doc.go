// Package draw writes the parts of a demo that are HTML rather than charts:
// tables, rows of float32 bits, strips of words, sentences and notes.
//
// The build puts these strings into pages and the browser puts the same
// strings, made by the same code in WebAssembly, in their place; there is no
// second renderer in JavaScript. Frame packs a finished run for the browser.
//
// Everything from a demo is escaped. The markup carries class names and no
// inline style, and it is well-formed XML too.
package draw
