package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"openloop/site/internal/redact"
)

// maxSalt is more than any salt needs.
const maxSalt = 4096

func redactCmd(a app, args []string) error {
	f := flagSet(a, "redact")
	file := f.String("o", "", "write the sample to `file` instead of standard output")
	saltFrom := f.String("salt", "", "`file` with the secret that hashes are keyed with, 16 bytes or more; - is standard input. It is never printed")
	o := redact.Options{}
	f.Float64Var(&o.Window, "window", 0, "length in `seconds` of a stretch of time that is kept whole; 0 keeps all of the trace")
	f.IntVar(&o.Windows, "windows", 1, "how many such stretches, at places that the salt decides")
	f.BoolVar(&o.Gaps, "gaps", false, "keep the silence between stretches instead of joining them")
	f.Float64Var(&o.Share, "sessions", 1, "`share` of the sessions that are kept, each of them whole")
	rest, err := parse(a, f, args, 1)
	switch {
	case err != nil:
		return err
	case len(rest) == 0:
		return usage("redact: which trace? A file, or - for standard input")
	case *saltFrom == "":
		return usage("redact: -salt is missing. Make one with: head -c 32 /dev/urandom > salt")
	case *saltFrom == "-" && rest[0] == "-":
		return usage("redact: trace and salt cannot both come from standard input")
	}
	if o.Salt, err = a.salt(*saltFrom); err != nil {
		return err
	}
	in := a.in
	if rest[0] != "-" {
		opened, err := os.Open(rest[0])
		if err != nil {
			return usageError{err}
		}
		defer opened.Close()
		in = opened
	}
	trace, err := redact.Read(in)
	if err != nil {
		return usageError{fmt.Errorf("redact: %s: %w", rest[0], err)}
	}
	sample, err := redact.Redact(trace, o)
	if err != nil {
		return usageError{fmt.Errorf("redact: %w", err)}
	}
	var out bytes.Buffer
	if err := sample.Write(&out); err != nil {
		return err
	}
	if err := a.deliver(*file, out.Bytes()); err != nil {
		return err
	}
	if len(trace.Dropped) > 0 {
		fmt.Fprintf(a.err, "left out: %s\n", strings.Join(trace.Dropped, ", "))
	}
	if trace.Sorted {
		fmt.Fprintln(a.err, "rows were not in the order of time and have been sorted")
	}
	fmt.Fprintf(a.err, "trace:  %v\nsample: %v\n", redact.Measure(trace.Rows), redact.Measure(sample.Rows))
	return nil
}

// salt reads the secret. What is wrong with it is said without it.
func (a app) salt(name string) ([]byte, error) {
	in := a.in
	if name != "-" {
		opened, err := os.Open(name)
		if err != nil {
			return nil, usageError{err}
		}
		defer opened.Close()
		in = opened
	}
	salt, err := io.ReadAll(io.LimitReader(in, maxSalt+1))
	switch {
	case err != nil:
		return nil, errors.New("redact: the salt cannot be read")
	case len(salt) > maxSalt:
		return nil, usage("redact: the salt has more than %d bytes; is it the right file?", maxSalt)
	}
	return bytes.TrimRight(salt, "\r\n"), nil
}

// deliver writes a result to a file, or to standard output if there is no name.
func (a app) deliver(name string, b []byte) error {
	if name == "" {
		_, err := a.out.Write(b)
		return err
	}
	return writeFile(name, b)
}
