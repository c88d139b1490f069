// Package protocol is the conversation between a page's worker and its module:
// bytes in, bytes out, no browser. internal/exports exports it as it is.
//
// A worker needs this page alone.
//
// # Calls
//
// The module exports
//
//	protocol_version() i32             1; refuse to work with anything else
//	engine_version() i32               stands in exports and links
//	input(n i32) ptr                   room for n bytes, or 0 if n < 0 or n > 1114112
//	call(op, handle, n, arg i32) i32   does one op on n bytes of input, returns a status
//	text_ptr() ptr, text_len() i32     UTF-8 answer of the last call
//	nums_ptr() ptr, nums_len() i32     float64 answer of the last call; len in numbers, not bytes
//
// Pointers are offsets into the exported memory "mem". Make the views anew
// after every call, because the memory may have grown, and copy what is kept:
// the next call overwrites it. An op without input takes n = 0; the bytes
// that input gave may be filled at any time before the call.
//
// # Status
//
//	0  done
//	1  more work: Step or SeedsStep again; for an op that needs a finished run, Step first
//	2  a problem: text is {"problems":[{"key","text"}]}; the handle is as it was and usable
//	3  no such handle, or no seeds run in it
//	4  the engine failed: text is {"error"}; every further call gives 4; start a new worker
//	5  a call that no worker should make: unknown op, n or arg out of range
//
// # Ops
//
//	1  Open       input "id\nlink"; the handle argument is ignored -> head
//	2  Set        input "knob=value" or "seed=value", as typed -> head
//	3  Slide      input "knob", arg the slider position -> head
//	4  Restore    input a whole link; arg 1 keeps lock, hide, theme, at and unknown keys of the
//	              current state, and engine if the run stays the same (a preset, a reset or the
//	              bet's reveal), arg 0 takes the link as it is (undo, redo) -> head
//	5  Step       arg the budget, 1 to 50000000, near 1 µs each -> {"progress":0.42}; 1 or 0
//	6  Frame      -> frame, and nums
//	7  CSV        arg 0 the run, 1 the seeds run -> the file's bytes
//	8  JSON       arg as CSV -> the file's bytes
//	9  Seeds      arg how many, 1 to 1000, from the state's own seed on -> {"progress":0}; 1
//	10 SeedsStep  arg the budget -> {"progress":0.42}; 1 or 0
//	11 SeedsFrame -> frame with the whole panel as html, and nums; one chart figure for each metric that spreads
//	12 Bet        arg the chosen option; the run must be finished and be that of the bet's reveal
//	              -> {"score":0 or 1,"answer":index,"feedback":"plain text","found":"what decides it","link":"v=1&seed=3&engine=1"},
//	              link being the state and the engine that marked it
//	13 Close      forgets the handle
//	14 Seek       input the time at which the run is to be shown, as typed; "" is its end -> head
//	15 Room       arg the number of a request + 1, or 0 -> the engine room at that time: nums in the
//	              layout of content/demo/room, text as content/demo/draw.Room says, with more about
//	              that request; only a demo whose frame says "scenic" has one
//	99 Fault      fails on purpose, so that recovery can be tested
//
// Set, Slide and Restore replace the handle's running task, and drop its seeds
// run: the newest change wins. When they do not change the run (the same
// values and seed; another time) the task is kept, finished or not. At most 64 handles are
// open at once.
//
// # Head
//
// Open, Set, Slide and Restore answer with
//
//	{"handle":1,"state":"v=1&seed=7","seed":7,"seedText":"7","seedLocked":false,
//	 "theme":"auto","at":null or 12.5,"hide":["bet"],"lock":["seed"],"engine":1,
//	 "default":true,"reveal":"v=1&seed=3" or null,
//	 "problems":[{"key":"rate","text":"plain text"}],
//	 "knobs":[{"name":"rate","text":"8","pos":15,"positions":39,"option":0,
//	           "valueText":"8 requests/s","locked":false,"default":true,"idle":""}],
//	 "groups":[{"title":"Levers","says":"Drafts 4 tokens"}]}
//
// positions is the highest position of the slider (its max; the min is 0),
// option the index of the option of a choice, valueText what a screen reader
// says, idle why the knob changes nothing beside the others ("" if it counts).
// Instead of its text, a knob of loose text, which no link carries, has
// "loose":true; Restore leaves such a text as it is. default of the head says that all knobs and the seed are at their
// defaults. Problems of a head are parts of the link that could not be used:
// the state is what was made of the rest. engine is the engine's version, not
// the link's. A link whose values do not go together opens with the defaults
// and says so.
//
// # Frame
//
// The document is described at content/demo/draw.Frame. A run that has a clock is
// shown at the time of the state. A time that it does not have is a problem of
// the frame if it came with a link, and the whole run is shown; after a change of
// a knob or the seed such a time is let go, so the state of the frame is the one
// that counts.
//
// Where knobs are answers (demo.Scored), and they are marked, a frame has
//
//	"round":{"asked":"v=1&seed=7","score":0.7,"link":"v=1&seed=7&cause=straggler&mark=on&engine=1"}
//
// asked being the same for all answers to one question.
package protocol

// Version is raised whenever a worker written for the old one would go wrong.
const Version = 1
