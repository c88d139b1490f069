package text

import "strings"

// CSV for files: RFC 4180 with LF line ends, and lines that begin with # for
// what belongs to the whole file. The page and the command line write the same
// bytes.

// CSV is a table being written. The zero value is empty and ready.
type CSV struct{ buf []byte }

// Comment adds a line "# key: value". Line ends and other control characters
// in either become spaces, so that a comment is always exactly one line.
func (c *CSV) Comment(key, value string) {
	c.buf = append(c.buf, "# "...)
	c.buf = appendOneLine(c.buf, key)
	c.buf = append(c.buf, ": "...)
	c.buf = appendOneLine(c.buf, value)
	c.buf = append(c.buf, '\n')
}

// Row adds one line of fields, quoted where they need it.
func (c *CSV) Row(fields ...string) {
	for i, f := range fields {
		if i > 0 {
			c.buf = append(c.buf, ',')
		}
		// A line with one empty field would be a blank line, which readers skip.
		c.buf = appendField(c.buf, f, len(fields) == 1 && f == "")
	}
	c.buf = append(c.buf, '\n')
}

// Bytes is what has been written so far; it stays valid until the next call
// that writes.
func (c *CSV) Bytes() []byte { return c.buf }

func appendField(dst []byte, f string, force bool) []byte {
	if !force && !needsQuotes(f) {
		return append(dst, f...)
	}
	dst = append(dst, '"')
	for i := range len(f) {
		if f[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, f[i])
	}
	return append(dst, '"')
}

func needsQuotes(f string) bool {
	if f == "" {
		return false
	}
	// A leading # would read as a comment, a leading or trailing blank is
	// dropped by some readers.
	return f[0] == '#' || f[0] == ' ' || f[0] == '\t' || f[len(f)-1] == ' ' || strings.ContainsAny(f, ",\"\r\n")
}

func appendOneLine(dst []byte, s string) []byte {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == 0x7F {
			dst = append(dst, ' ')
			continue
		}
		dst = append(dst, s[i])
	}
	return dst
}
