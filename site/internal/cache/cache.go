// Package cache keeps results that are slow to make and depend on nothing but
// their inputs: static charts, formulas, runs of demos.
//
// A result is named by the hash of everything that it depends on, so nothing
// is ever out of date and deleting the folder is always safe. The package does
// not limit the folder's size.
package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
)

// Store is a folder of results, one file each. Its methods may be called from
// several goroutines.
type Store struct {
	dir string

	mu   sync.Mutex
	seen map[string][]byte // results of this process
	made int
}

// Open returns the store in dir, which need not exist yet. With dir "" results
// are kept for the life of the process only.
func Open(dir string) *Store {
	return &Store{dir: dir, seen: map[string][]byte{}}
}

// Made is how many results this process had to make.
func (s *Store) Made() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made
}

// Do returns the result of kind that the parts determine, calling make if it
// is not there. The result must not be changed by the caller. Two calls for
// one missing result may both make it; they make the same bytes.
func (s *Store) Do(kind string, make func() ([]byte, error), parts ...string) ([]byte, error) {
	name := kind + "-" + Key(parts...)
	s.mu.Lock()
	b, ok := s.seen[name]
	s.mu.Unlock()
	if ok {
		return b, nil
	}
	if s.dir != "" {
		if b, err := os.ReadFile(filepath.Join(s.dir, name)); err == nil {
			s.keep(name, b, false)
			return b, nil
		}
	}
	b, err := make()
	if err != nil {
		return nil, err
	}
	s.keep(name, b, true)
	return b, s.write(name, b)
}

func (s *Store) keep(name string, b []byte, made bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[name] = b
	if made {
		s.made++
	}
}

// write goes through a temporary file, so that a build that is stopped leaves
// no half result.
func (s *Store) write(name string, b []byte) error {
	if s.dir == "" {
		return nil
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return fmt.Errorf("making the cache folder: %w", err)
	}
	f, err := os.CreateTemp(s.dir, ".part-*")
	if err != nil {
		return fmt.Errorf("writing %s to the cache: %w", name, err)
	}
	_, err = f.Write(b)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(s.dir, name))
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("writing %s to the cache: %w", name, err)
	}
	return nil
}

// Module is the version of a module that this binary was built with, for the
// keys of what it makes; "" if the binary does not say.
func Module(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return m.Version
		}
	}
	return ""
}

// Key is a hash of the parts in which ("ab", "c") and ("a", "bc") differ.
func Key[T string | []byte](parts ...T) string {
	h := sha256.New()
	var n [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Short is enough of a key to tell two editions of one thing apart.
func Short(key string) string { return key[:min(12, len(key))] }
