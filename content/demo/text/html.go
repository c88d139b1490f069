package text

import "unicode/utf8"

// Escape makes s safe as the content of an HTML element and of a quoted
// attribute: & < > " and ' become references. Characters that neither HTML
// nor XML can carry (controls other than tab and line ends, U+FFFE, U+FFFF,
// bytes that are not UTF-8) become U+FFFD, the replacement character; a
// carriage return becomes a reference, because parsers would change it.
func Escape(s string) string { return string(AppendEscape(nil, s)) }

// AppendEscape appends Escape(s) to dst.
func AppendEscape(dst []byte, s string) []byte {
	for _, r := range s {
		switch {
		case r == '&':
			dst = append(dst, "&amp;"...)
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '>':
			dst = append(dst, "&gt;"...)
		case r == '"':
			dst = append(dst, "&#34;"...)
		case r == '\'':
			dst = append(dst, "&#39;"...)
		case r == '\r':
			dst = append(dst, "&#13;"...)
		case r < ' ' && r != '\t' && r != '\n', r == 0xFFFE, r == 0xFFFF:
			dst = utf8.AppendRune(dst, utf8.RuneError)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}
