// Package export packs the finished site for people who cannot host it: the
// whole of it as a zip to unpack anywhere, or one demo as one file. The same
// site of the same date gives the same bytes.
package export

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Limits of an archive, in bytes: what mail, learning platforms and old disks
// still take.
const (
	MostZip  = 15_000_000
	MostFile = 5_000_000
)

const (
	folder = "openloop/"  // everything is in it, so that unpacking makes one folder
	sums   = "SHA256SUMS" // as sha256sum -c reads it
)

// The dates that a zip can carry.
var (
	Earliest = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	Latest   = time.Date(2107, 12, 31, 23, 59, 58, 0, time.UTC)
)

// Zip packs every file of a site, in order, all of one date. It should be the same
// for the same site and later for a later one: a server that is asked whether a
// file has changed looks at nothing else.
func Zip(site fs.FS, date time.Time) ([]byte, error) {
	names, err := list(site)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	var check strings.Builder
	for _, name := range names {
		raw, err := fs.ReadFile(site, name)
		if err != nil {
			return nil, err
		}
		if len(raw) > MostFile {
			return nil, fmt.Errorf("%s has %d bytes, at most %d are taken everywhere", name, len(raw), MostFile)
		}
		fmt.Fprintf(&check, "%x  %s\n", sha256.Sum256(raw), name)
		if err := add(w, name, raw, date); err != nil {
			return nil, err
		}
	}
	err = errors.Join(add(w, sums, []byte(check.String()), date), w.Close())
	if err == nil && out.Len() > MostZip {
		err = fmt.Errorf("the archive has %d bytes, at most %d are taken everywhere", out.Len(), MostZip)
	}
	return out.Bytes(), err
}

func add(w *zip.Writer, name string, raw []byte, date time.Time) error {
	h := &zip.FileHeader{Name: folder + name, Method: zip.Deflate, Modified: date.UTC()}
	h.SetMode(0o644)
	f, err := w.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = f.Write(raw)
	return err
}

// list is every file of a site, sorted; an error names those that some system
// could not unpack.
func list(site fs.FS) ([]string, error) {
	var names []string
	var errs []error
	seen := map[string]string{}
	err := fs.WalkDir(site, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		names = append(names, name)
		if other, ok := seen[strings.ToLower(name)]; ok {
			errs = append(errs, fmt.Errorf("%s and %s are one file where case does not count", other, name))
		}
		seen[strings.ToLower(name)] = name
		if why := unportable(name); why != "" {
			errs = append(errs, fmt.Errorf("%s %s", name, why))
		}
		return nil
	})
	slices.Sort(names)
	if len(names) == 0 && err == nil {
		err = errors.New("there is no file")
	}
	return names, errors.Join(append(errs, err)...)
}

var (
	plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	reserved  = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com\d|lpt\d)(\.|$)`) // of Windows
)

// unportable says what is wrong with a name, or "".
func unportable(name string) string {
	for _, part := range strings.Split(name, "/") {
		switch {
		case !plainName.MatchString(part):
			return "has a sign that not every system takes"
		case reserved.MatchString(part):
			return "has a name that Windows keeps for a device"
		case strings.HasSuffix(part, "."):
			return "ends in a dot"
		}
	}
	if len(folder+name) > 120 {
		return "has a long path"
	}
	if path.Clean(name) != name {
		return "is no clean path"
	}
	return ""
}
