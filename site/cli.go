package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"openloop/content/demo"
	"openloop/content/prose"
	"openloop/site/internal/build"
)

// app is everything that a command may touch outside of its arguments, so
// that tests run commands without a process.
type app struct {
	modules  []demo.Module
	claims   []prose.Claim
	tables   []prose.Table
	figures  []prose.Figure
	pages    []prose.Page
	wasm     string // SHA-256 of the modules' WebAssembly that goes with the demos; "" if nobody knows
	in       io.Reader
	out, err io.Writer
}

// Exit codes.
const (
	exitOK       = 0
	exitInternal = 1 // something of ours or of the machine failed
	exitUsage    = 2 // the command line or what it names is wrong
)

// usageError is a mistake in what was asked for.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usage(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// command is one word after openloop.
type command struct {
	name, args, says string
	run              func(a app, args []string) error
}

func commands() []command {
	return []command{
		{"build", "", "make the site in dist/", buildCmd},
		{"serve", "[ADDR]", "show the site on this machine and rebuild it when a file changes", serveCmd},
		{"check", "", "look for anything wrong in dist/ and print what it weighs", checkCmd},
		{"run", "DEMO [STATE]", "run a demo and print what the page shows", runCmd},
		{"redact", "TRACE", "make a sample of a trace that may leave the house", redactCmd},
		{"sweep", "DEMO [STATE]", "run a demo over ranges of settings and seeds", sweepCmd},
		{"export", "FORMAT", "pack the site as a zip, or one demo as a single file", exportCmd},
	}
}

// run carries out one command line and returns the exit code. A panic is a
// failure of ours, not the exit code 2 that Go gives it.
func run(a app, args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(a.err, "openloop: panic: %v\n%s", r, debug.Stack())
			code = exitInternal
		}
	}()
	err := dispatch(a, args)
	var bad usageError
	var refused build.Refusal
	switch {
	case err == nil, errors.Is(err, errHelp):
		return exitOK
	case errors.As(err, &bad), errors.As(err, &refused):
		fmt.Fprintf(a.err, "openloop: %v\n", err)
		return exitUsage
	}
	fmt.Fprintf(a.err, "openloop: %v\n", err)
	return exitInternal
}

func dispatch(a app, args []string) error {
	if len(args) == 0 {
		printHelp(a.err)
		return usage("no command")
	}
	name := args[0]
	switch name {
	case "help", "-h", "-help", "--help":
		if name == "help" && len(args) > 1 {
			return dispatch(a, []string{args[1], "-help"})
		}
		printHelp(a.out)
		return nil
	}
	for _, c := range commands() {
		if c.name == name {
			return c.run(a, args[1:])
		}
	}
	return usage("there is no command %q; `openloop help` lists them", name)
}

func printHelp(w io.Writer) {
	fmt.Fprint(w, "Openloop: a field guide to benchmarking, costing and sizing LLM serving.\n\nusage: openloop COMMAND [flags] [arguments]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-20s %s\n", c.name+" "+c.args, c.says)
	}
	fmt.Fprint(w, "\n`openloop help COMMAND` says more. A STATE is the part of a page's link after #demo=NAME&, with or\nwithout '#'; - reads it from standard input. Flags may stand before or after arguments.\n")
}
