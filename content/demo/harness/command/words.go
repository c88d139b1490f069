package command

import "strings"

// The words of a text, as a shell sees them: quotes, backslashes, comments, and
// the operators that end a command. It is kinder than a shell where a paste has
// lost something: a line that begins with a flag belongs to the line before,
// and the quotes and dashes of a word processor are quotes and dashes.

// split is the commands of a text, each a list of words. open says that a quote
// is not closed.
func split(s string) (commands [][]string, open bool) {
	l := lexer{in: plainQuotes(s)}
	for l.at < len(l.in) {
		l.next()
	}
	l.endWord()
	l.endCommand()
	return l.commands, l.open
}

type lexer struct {
	in       string
	at       int
	word     []byte
	inWord   bool // an empty pair of quotes is a word too
	words    []string
	commands [][]string
	open     bool
}

func (l *lexer) next() {
	c := l.in[l.at]
	switch {
	case c == '\\':
		l.escape()
		return
	case c == '\'' || c == '"':
		l.quoted(c)
		return
	case c == '#' && !l.inWord:
		l.comment()
		return
	case c == ' ' || c == '\t' || c == '\r':
		l.endWord()
	case c == '\n':
		l.line()
	case c == ';' || c == '|' || c == '&':
		l.endWord()
		l.endCommand()
	case c == '>' && !l.inWord && l.lineStart():
		// the prompt of a continued line
	case (c == '>' || c == '<') && len(l.words) > 0 && strings.Trim(string(l.word), "0123456789") == "":
		l.redirect()
		return
	default:
		l.word, l.inWord = append(l.word, c), true
	}
	l.at++
}

// lineStart says whether only blanks stand before on this line.
func (l *lexer) lineStart() bool {
	before := strings.TrimRight(l.in[:l.at], " \t")
	return before == "" || before[len(before)-1] == '\n'
}

// escape takes the character after a backslash as it is; a line end goes away.
func (l *lexer) escape() {
	l.at++
	if l.at < len(l.in) && l.in[l.at] == '\r' {
		l.at++
	}
	switch {
	case l.at >= len(l.in):
		return
	case l.in[l.at] == '\n':
		l.endWord()
	default:
		l.word, l.inWord = append(l.word, l.in[l.at]), true
	}
	l.at++
}

// quoted takes everything up to the next such quote.
func (l *lexer) quoted(quote byte) {
	l.inWord = true
	for l.at++; l.at < len(l.in); l.at++ {
		c := l.in[l.at]
		if c == quote {
			l.at++
			return
		}
		if c == '\\' && quote == '"' && l.at+1 < len(l.in) && strings.IndexByte("\"\\$`\n", l.in[l.at+1]) >= 0 {
			l.at++
			if c = l.in[l.at]; c == '\n' {
				continue
			}
		}
		l.word = append(l.word, c)
	}
	l.open = true
}

func (l *lexer) comment() {
	for l.at < len(l.in) && l.in[l.at] != '\n' {
		l.at++
	}
}

// redirect leaves out an operator with its file, and the number before it.
func (l *lexer) redirect() {
	l.word, l.inWord = l.word[:0], false
	for l.at < len(l.in) && strings.IndexByte("<>&", l.in[l.at]) >= 0 {
		l.at++
	}
	for l.at < len(l.in) && l.in[l.at] == ' ' {
		l.at++
	}
	for l.at < len(l.in) && strings.IndexByte(" \t\r\n;|&", l.in[l.at]) < 0 {
		l.at++
	}
}

// line ends a command, unless the next line goes on with a flag.
func (l *lexer) line() {
	l.endWord()
	if rest := strings.TrimLeft(l.in[l.at:], " \t\r\n"); len(l.words) > 0 && strings.HasPrefix(rest, "-") {
		return
	}
	l.endCommand()
}

func (l *lexer) endWord() {
	if l.inWord {
		l.words = append(l.words, string(l.word))
	}
	l.word, l.inWord = l.word[:0], false
}

func (l *lexer) endCommand() {
	if len(l.words) > 0 {
		l.commands = append(l.commands, l.words)
	}
	l.words = nil
}

// plainQuotes undoes what word processors do to quotes and to the dashes that
// begin a flag.
func plainQuotes(s string) string {
	s = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'", "\u00a0", " ").Replace(s)
	for _, dash := range []string{"−−", "—", "–", "−"} {
		for _, before := range []string{" ", "\t", "\n"} {
			s = strings.ReplaceAll(s, before+dash, before+"--")
		}
	}
	return s
}
