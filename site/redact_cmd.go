package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"openloop/site/internal/redact"
)

// maxSalt is more than any salt needs.
const maxSalt = 4096

func redactCmd(a app, args []string) error {
	f := flagSet(a, "redact")
	file := f.String("o", "", "write the sample to `file` instead of standard output, which is also called -")
	saltFrom := f.String("salt", "", "`file` with the secret that hashes are keyed with, 16 bytes or more; - is standard input. It is never printed")
	o := redact.Options{}
	f.Float64Var(&o.Window, "window", 0, "length in `seconds` of a stretch of time that is kept whole; 0 keeps all of the trace")
	f.IntVar(&o.Windows, "windows", 1, "how many such stretches, at places that the salt decides")
	f.BoolVar(&o.Gaps, "gaps", false, "keep the silence between stretches instead of joining them")
	f.Float64Var(&o.Share, "sessions", 1, "`share` of the sessions that are kept, each of them whole; refused where they have fewer than 2 requests in the mean, for that would thin the requests and their bursts: take -window there")
	rest, err := parse(a, f, args, 1)
	switch {
	case err != nil:
		return err
	case len(rest) == 0:
		return usage("redact: which trace? A file, or - for standard input")
	case *saltFrom == "":
		return usage("redact: -salt is missing. Make one with: head -c 32 /dev/urandom > salt")
	case *saltFrom == std && rest[0] == std:
		return usage("redact: trace and salt cannot both come from standard input")
	case o.Window == 0 && (o.Windows > 1 || o.Gaps):
		return usage("redact: -windows and -gaps count only with -window, the length of a stretch of time")
	}
	trace, salt := source{"the trace", rest[0]}, source{"-salt", *saltFrom}
	if err := errors.Join(target(*file, trace, salt), apart(salt, trace, "whoever has the trace could guess what was hashed")); err != nil {
		return usageError{err}
	}
	if o.Salt, err = a.salt(*saltFrom); err != nil {
		return err
	}
	in, err := a.open(trace.what, trace.name)
	if err != nil {
		return err
	}
	defer in.Close()
	all, err := redact.Read(in)
	if err != nil {
		return usageError{fmt.Errorf("redact: %s: %w", rest[0], err)}
	}
	sample, err := redact.Redact(all, o)
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
	if len(all.Dropped) > 0 {
		fmt.Fprintf(a.err, "left out: %s\n", strings.Join(all.Dropped, ", "))
	}
	if all.Sorted {
		fmt.Fprintln(a.err, "rows were not in the order of time and have been sorted")
	}
	if sample.Sessions > 0 {
		fmt.Fprintf(a.err, "kept %d of %d sessions\n", sample.Kept, sample.Sessions)
	}
	fmt.Fprintf(a.err, "trace:  %v\nsample: %v\n", redact.Measure(all.Rows), redact.Measure(sample.Rows))
	return nil
}

// salt reads the secret. What is wrong with it is said without it.
func (a app) salt(name string) ([]byte, error) {
	in, err := a.open("-salt", name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	salt, err := io.ReadAll(io.LimitReader(in, maxSalt+1))
	switch {
	case err != nil:
		return nil, errors.New("redact: the salt cannot be read")
	case len(salt) > maxSalt:
		return nil, usage("redact: the salt has more than %d bytes; is it the right file?", maxSalt)
	}
	return bytes.TrimRight(salt, "\r\n"), nil
}
