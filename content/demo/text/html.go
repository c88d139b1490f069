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

// AppendWords is AppendEscape for what is read: a flag of a command, such as
// --request-rate, stands in an element of class flag, which keeps it on one line.
func AppendWords(dst []byte, s string) []byte {
	for {
		at, end := flag(s)
		if at < 0 {
			return AppendEscape(dst, s)
		}
		dst = append(AppendEscape(dst, s[:at]), `<span class="flag">`...)
		dst = append(append(dst, s[at:end]...), "</span>"...)
		s = s[end:]
	}
}

// longestFlag is how many letters of code fit beside each other on a screen of 320 px.
const longestFlag = 28

// flag finds the first flag in a text: hyphens that no word goes before, a small
// letter, then letters, digits and hyphens. at is < 0 if there is none.
func flag(s string) (at, end int) {
	for at = 0; at < len(s); at = max(end, at+1) {
		end = at
		for end < len(s) && s[end] == '-' {
			end++
		}
		if end == at || end == len(s) || !small(s[end]) || at > 0 && (small(s[at-1]|0x20) || digit(s[at-1])) {
			continue
		}
		for end < len(s) && (small(s[end]) || digit(s[end]) || s[end] == '-') {
			end++
		}
		if end-at <= longestFlag {
			return at, end
		}
	}
	return -1, -1
}

func small(c byte) bool { return 'a' <= c && c <= 'z' }
func digit(c byte) bool { return '0' <= c && c <= '9' }
