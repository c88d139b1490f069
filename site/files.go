package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Files that a command line names: each is opened, written and complained about
// by the words under which it was named, such as -o or -read.

// std is the name for standard input, or output.
const std = "-"

// plain is the reason of an error of the file system, without names of ours.
func plain(err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return at.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// open is a file to read, or standard input. what names it in errors.
func (a app) open(what, name string) (io.ReadCloser, error) {
	if name == std {
		return io.NopCloser(a.in), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usage("%s %s: %w", what, name, plain(err))
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, usage("%s %s is a folder", what, name)
	}
	return f, nil
}

// source is a file that a command reads, and what names it.
type source struct{ what, name string }

// apart is an error if two names are those of one file.
func apart(x, y source, why string) error {
	if x.name == std || y.name == std {
		return nil
	}
	a, err := os.Stat(x.name)
	if err != nil {
		return nil
	}
	if b, err := os.Stat(y.name); err != nil || !os.SameFile(a, b) {
		return nil
	}
	return usage("%s %s and %s %s are the same file; %s", x.what, x.name, y.what, y.name, why)
}

// target checks the file that -o names before anything is computed: "" and - are
// standard output, a folder is no file, and what is read is not written over.
func target(name string, read ...source) error {
	if name == "" || name == std {
		return nil
	}
	dir, err := os.Stat(filepath.Dir(name))
	switch {
	case err != nil:
		return usage("-o %s: there is no folder %s", name, filepath.Dir(name))
	case !dir.IsDir():
		return usage("-o %s: %s is no folder", name, filepath.Dir(name))
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return usage("-o %s is a folder; name a file", name)
	}
	for _, r := range read {
		if err := apart(source{"-o", name}, r, "it would be written over"); err != nil {
			return err
		}
	}
	return nil
}

// deliver writes a result to a file, or to standard output if there is no name.
func (a app) deliver(name string, b []byte) error {
	if name == "" || name == std {
		_, err := a.out.Write(b)
		return err
	}
	return writeFile(name, b)
}

// writeFile leaves either the whole file or the old one. A link keeps leading to
// its file, and what is no file, such as a terminal, is written to.
func writeFile(name string, b []byte) error {
	to := name
	if info, err := os.Stat(name); err == nil {
		if !info.Mode().IsRegular() {
			return writing(name, os.WriteFile(name, b, 0o644))
		}
		if to, err = filepath.EvalSymlinks(name); err != nil {
			return writing(name, err)
		}
	}
	f, err := os.CreateTemp(filepath.Dir(to), ".openloop-*")
	if err != nil {
		return usageError{writing(name, err)}
	}
	_, err = f.Write(b)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), to)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return writing(name, err)
}

func writing(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("writing %s: %w", name, plain(err))
}
