package markdown

import (
	"bytes"
	"fmt"
	"regexp"
)

var (
	footnoteText = regexp.MustCompile(`(?m)^\[\^([^\]\s]+)\]:`)
	footnoteMark = regexp.MustCompile(`\[\^([^\]\s]+)\]`)
	codeBlock    = regexp.MustCompile("(?ms)^```.*?^```|`[^`\n]*`")
)

// footnotes reports notes that nothing leads to and marks that lead to no note:
// the parser drops the one and prints the other, without a word.
func (p *pass) footnotes() {
	src := codeBlock.ReplaceAllFunc(p.src, func(code []byte) []byte { return bytes.Map(blank, code) })
	texts, marks := map[string]int{}, map[string]int{}
	for _, m := range footnoteText.FindAllSubmatchIndex(src, -1) {
		texts[string(src[m[2]:m[3]])] = m[0]
	}
	for _, m := range footnoteMark.FindAllSubmatchIndex(src, -1) {
		id := string(src[m[2]:m[3]])
		if at, is := texts[id]; is && at == m[0] {
			continue
		}
		marks[id]++
		if _, ok := texts[id]; !ok {
			p.errs = append(p.errs, p.at(m[0], "there is no note [^%s]", id))
		}
	}
	for _, m := range footnoteText.FindAllSubmatchIndex(src, -1) {
		if id := string(src[m[2]:m[3]]); marks[id] == 0 {
			p.errs = append(p.errs, p.at(m[0], "nothing leads to the note [^%s]", id))
		}
	}
}

// blank keeps the lines of what it takes out.
func blank(r rune) rune {
	if r == '\n' {
		return r
	}
	return ' '
}

func (p *pass) at(offset int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", p.name, p.first+bytes.Count(p.src[:offset], []byte("\n")), fmt.Errorf(format, args...))
}
