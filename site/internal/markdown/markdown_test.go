package markdown

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what the cases give into testdata")

// fake is a guide with one of each thing.
type fake struct{}

func (fake) Demo(id, state, preset string) (Shown, error) {
	if id != "sums" {
		return Shown{}, fmt.Errorf("no demo is called %q", id)
	}
	return Shown{fmt.Sprintf("<ol-demo id=%q state=%q preset=%q>\n", id, state, preset), "</ol-demo>\n", "Demo: " + id + ".\n"}, nil
}

func (fake) Value(link, metric string, digits int) (says, href string, err error) {
	if metric != "error" {
		return "", "", fmt.Errorf("demo %s has no metric %q", link, metric)
	}
	return fmt.Sprintf("<%s:%d>", link, digits), "#demo=" + link, nil
}

func (fake) Table(id string) (Kept, error) {
	if id != "waits" {
		return Kept{}, fmt.Errorf("no table is called %q", id)
	}
	return Kept{"<table></table>", `Waits & "more"`, "| a |\n|---|\n| 1 |\n\n"}, nil
}

func (fake) Figure(id string) (Kept, error) {
	if id != "errors" {
		return Kept{}, fmt.Errorf("no figure is called %q", id)
	}
	return Kept{"<figure></figure>\n", "Errors", "Figure: errors.\n\n"}, nil
}

func (fake) Still(link, figure, at, knob string) (Kept, error) {
	if figure == "none" {
		return Kept{}, fmt.Errorf("demo %s shows no figure %q", link, figure)
	}
	return Kept{fmt.Sprintf("<figure title=%q></figure>\n", link+" "+figure+" "+at+" "+knob), "Sums", "Figure: sums.\n\n"}, nil
}

func (fake) Term(name string) (Term, error) {
	if !strings.EqualFold(name, "ulp") {
		return Term{}, fmt.Errorf("the glossary has no %q", name)
	}
	return Term{ID: "ulp", Href: "../glossary.html#ulp", Definition: `The "gap".`}, nil
}

func (fake) Claim(id string) error {
	if id != "known" {
		return fmt.Errorf("no test checks claim %q", id)
	}
	return nil
}

func (fake) Link(dest string) (string, error) {
	if strings.HasPrefix(dest, "/") {
		return "", errors.New("links are relative")
	}
	return strings.TrimSuffix(dest, ".md") + ".html", nil
}

func (fake) Math(tex string, display bool) (string, error) {
	if tex == `\bad` {
		return "", errors.New("undefined control sequence")
	}
	return fmt.Sprintf("<math display=%v>%s</math>", display, tex), nil
}

// TestCases runs testdata/*.txt. A file holds cases of this form; an expected
// text that begins with "error: " is the error.
//
//	=== name
//	Markdown
//	---
//	HTML
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		raw, err := os.ReadFile(f)
		require.NoError(t, err)
		var out strings.Builder
		for i, c := range strings.Split("\n"+string(raw), "\n=== ")[1:] {
			name, rest, ok := strings.Cut(c, "\n")
			require.True(t, ok, "%s: case %d has no text", f, i)
			in, want, ok := strings.Cut(rest, "\n---\n")
			require.True(t, ok, "%s: case %q has no line ---", f, name)
			got := convert(in)
			fmt.Fprintf(&out, "=== %s\n%s\n---\n%s\n\n", name, in, got)
			if !*update {
				t.Run(filepath.Base(f)+"/"+name, func(t *testing.T) {
					assert.Equal(t, strings.TrimSpace(want), got)
				})
			}
		}
		if *update {
			require.NoError(t, os.WriteFile(f, []byte(strings.TrimSpace(out.String())+"\n"), 0o644))
		}
	}
}

func convert(in string) string {
	doc, err := New().Convert(fake{}, "page.md", 5, []byte(in))
	if err != nil {
		return "error: " + err.Error()
	}
	return strings.TrimSpace(doc.HTML)
}

func TestDocumentListsItsHeadings(t *testing.T) {
	doc, err := New().Convert(fake{}, "page.md", 1, []byte(strings.Join([]string{
		`## One "quoted" *title*`, ``, `[ULP]{.term} and [ulp]{.term}: [so it is]{claim="known"}.`, ``,
		`### Two {#own}`, ``, `#### Not listed`, ``, `:::demo sums`, `:::`,
	}, "\n")))
	require.NoError(t, err)
	assert.Equal(t, []Heading{{2, "one-quoted-title", "One “quoted” title"}, {3, "own", "Two"}}, doc.Headings)
}

func TestErrorsAreAllReportedWithTheirLines(t *testing.T) {
	_, err := New().Convert(fake{}, "page.md", 7, []byte("Fine.\n\nA [gap]{.term}\nand [so]{claim=\"new\"}.\n\n:::demo other\n:::\n"))
	require.Error(t, err)
	assert.Equal(t, strings.Join([]string{
		`page.md:9: the glossary has no "gap"`,
		`page.md:10: no test checks claim "new"`,
		`page.md:12: no demo is called "other"`,
	}, "\n"), err.Error())
}

// FuzzConvert: no text makes the converter panic or let raw HTML through.
func FuzzConvert(f *testing.F) {
	for _, s := range []string{
		"[a [b]{.term} c]{claim=\"known\"}", ":::note t\n::::aside\nx\n::::\n:::", "*[a*]{.term}", "{{ value \"a\" \"error\" 3 }}", "$x$ $$y$$", "[", "]{", "[x]{", ":::", "[*x]{.term}*",
	} {
		f.Add(s)
	}
	c := New()
	f.Fuzz(func(t *testing.T, s string) {
		doc, err := c.Convert(fake{}, "page.md", 1, []byte(s))
		if err == nil && strings.Contains(s, "<script") {
			assert.NotContains(t, strings.ReplaceAll(doc.HTML, "<math", ""), "<script")
		}
	})
}

func BenchmarkConvert(b *testing.B) {
	page := []byte(strings.Repeat("## Title\n\nSome [ULP]{.term} and **strong** text, $x^2$, {{ value \"sums\" \"error\" }}.\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n", 100))
	c := New()
	for b.Loop() {
		if _, err := c.Convert(fake{}, "page.md", 1, page); err != nil {
			b.Fatal(err)
		}
	}
}
