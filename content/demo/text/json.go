package text

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// JSON is a document being written. The zero value is empty and ready; commas
// are put in by themselves, because what stands before a value is always the
// last byte written. The caller balances Open and Close and writes one Key
// before each value of an object.
//
// The text is safe inside a <script> element (< is written \u003c) and as
// JavaScript source (U+2028 and U+2029 are escaped).
type JSON struct{ buf []byte }

// Bytes is what has been written so far; it stays valid until the next call
// that writes.
func (j *JSON) Bytes() []byte { return j.buf }

// OpenObject begins an object.
func (j *JSON) OpenObject() { j.open('{') }

// CloseObject ends the innermost object.
func (j *JSON) CloseObject() { j.buf = append(j.buf, '}') }

// OpenArray begins an array.
func (j *JSON) OpenArray() { j.open('[') }

// CloseArray ends the innermost array.
func (j *JSON) CloseArray() { j.buf = append(j.buf, ']') }

// Key begins a member of an object.
//
//go:noinline
func (j *JSON) Key(name string) {
	j.String(name)
	j.buf = append(j.buf, ':')
}

// String writes a string. Bytes that are not UTF-8 become U+FFFD.
func (j *JSON) String(s string) {
	j.comma()
	j.buf = appendJSONString(j.buf, s)
}

// Number writes a number with Shortest. JSON has no NaN and no infinities:
// they are written as the strings "NaN", "Infinity" and "-Infinity", from
// which JavaScript's Number makes the same values again.
func (j *JSON) Number(x float64) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		j.String(Shortest(x))
		return
	}
	j.comma()
	j.buf = AppendShortest(j.buf, x)
}

// Int writes a whole number.
func (j *JSON) Int(n int64) {
	j.comma()
	j.buf = strconv.AppendInt(j.buf, n, 10)
}

// Bool writes true or false.
func (j *JSON) Bool(b bool) {
	j.comma()
	j.buf = strconv.AppendBool(j.buf, b)
}

// Null writes null.
func (j *JSON) Null() {
	j.comma()
	j.buf = append(j.buf, "null"...)
}

// Strings writes an array of strings; nil is the empty array.
func (j *JSON) Strings(list []string) {
	j.OpenArray()
	for _, s := range list {
		j.String(s)
	}
	j.CloseArray()
}

// Text writes a member whose value is a string.
//
//go:noinline
func (j *JSON) Text(key, value string) {
	j.Key(key)
	j.String(value)
}

// Newline ends the document as text files end.
func (j *JSON) Newline() { j.buf = append(j.buf, '\n') }

//go:noinline
func (j *JSON) open(c byte) {
	j.comma()
	j.buf = append(j.buf, c)
}

// Not inlined, as open, Key and Text: documents call them so often that copies
// of them would only make the module larger.
//
//go:noinline
func (j *JSON) comma() {
	if len(j.buf) == 0 {
		return
	}
	switch j.buf[len(j.buf)-1] {
	case '{', '[', ':', '\n':
	default:
		j.buf = append(j.buf, ',')
	}
}

func appendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r < ' ', r == 0x7F, r == '<', r == 0x2028, r == 0x2029:
			dst = append(dst, `\u`...)
			dst = append(dst, Hex32(uint32(r))[6:]...)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
