package reading

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/content/demo"
	"openloop/content/demo/draw"
	"openloop/sim"
	"openloop/sim/diagnose"
	"openloop/sim/scrape"
)

// TestHowItIsPasted: one box or two, line ends of Windows, blanks around: the
// reading is the same.
func TestHowItIsPasted(t *testing.T) {
	e := exampleTexts[0].text
	at := strings.Index(e, "\n1796") + 1
	first, second := e[:at], e[at:]
	want := pasted(t, e, "", "")
	require.Equal(t, scrape.TwoScrapes, want.read.Source)
	for name, x := range map[string]*task{
		"two boxes":     pasted(t, first, second, ""),
		"windows":       pasted(t, strings.ReplaceAll(e, "\n", "\r\n"), "", ""),
		"blanks":        pasted(t, "\n\n  "+e+"\n \n", "", ""),
		"seconds typed": pasted(t, strings.ReplaceAll(e, "\n1796", "\n# 1796"), "", "120"),
		"no comments":   pasted(t, first+"# HELP x y\n", "# TYPE vllm:num_requests_running gauge\n"+second, ""),
	} {
		assert.Equal(t, want.read.Now, x.read.Now, name)
		assert.Equal(t, want.found.Verdict, x.found.Verdict, name)
		assert.Equal(t, want.Summary().String(), x.Summary().String(), name)
	}
}

// TestExampleGivesWay: what is pasted is read, whatever example is chosen.
func TestExampleGivesWay(t *testing.T) {
	s, _ := demo.Parse(diagnoseMine(), "example=healthy")
	assert.Contains(t, finished(t, s).Summary().String(), "Example: two scrapes")
	s, p := s.Set("paste", exampleTexts[2].text)
	require.Nil(t, p)
	says := finished(t, s).Summary().String()
	assert.Contains(t, says, "A log of vLLM")
	assert.Contains(t, says, "The example is shown once the boxes are empty.")
}

// TestWhich: of several models each can be read, and a number that is not there
// is said.
func TestWhich(t *testing.T) {
	e := scrapeOf("100.0", "1.7e+09") + strings.ReplaceAll(scrapeOf("5.0", "1.7e+09")[len("process_start_time_seconds 1.7e+09\n"):], `"m"`, `"other"`)
	for which, says := range map[string]string{"1": "model m.", "2": "model other.", "3": "There is no number 3 in the text"} {
		s, p := demo.NewState(diagnoseMine()).Set("paste", e)
		require.Nil(t, p)
		s, p = s.Set("which", which)
		require.Nil(t, p)
		assert.Contains(t, finished(t, s).Summary().String(), says)
	}
}

// TestEverythingMissingCanBeGot: for each number, each reason and each source
// there is a sentence, and every sign of the rules leads to a number.
func TestEverythingMissingCanBeGot(t *testing.T) {
	for id := range scrape.NumIDs {
		for why := scrape.Known; why <= scrape.NoBasis; why++ {
			for _, engine := range []scrape.Engine{scrape.VLLM, scrape.SGLang} {
				for _, source := range []scrape.Source{scrape.OneScrape, scrape.TwoScrapes, scrape.LogLines} {
					r := scrape.Reading{Source: source, Engine: engine}
					r.Now[id] = scrape.Value{Why: why}
					require.Regexp(t, `^[A-Z].*\.$`, get(id, &r), "%s, %s", id.Describe().Key, why)
				}
			}
		}
	}
	var r scrape.Reading
	for s := range diagnose.NumSigns {
		id, ok := quantityOf(s, &r)
		if s == diagnose.Restarted || s == diagnose.StripSign(sim.GoodputRate) { // seen in any two scrapes; depends on a promise
			assert.False(t, ok, s.Key())
			continue
		}
		assert.True(t, ok, s.Key())
		assert.NotEmpty(t, nameOf(id), s.Key())
	}
}

// TestFlagsBelongToRemedies: every remedy that flags are given for is one, and
// the eight of the signals have flags for both engines, but for what is no flag.
func TestFlagsBelongToRemedies(t *testing.T) {
	ids := map[string]bool{}
	for _, x := range diagnose.Isolates() {
		ids[x.Remedy.ID] = true
		for _, engine := range []scrape.Engine{scrape.VLLM, scrape.SGLang} {
			assert.NotEmpty(t, flags(&scrape.Reading{Engine: engine}, x.Remedy.ID), x.Remedy.ID)
		}
	}
	for _, l := range sim.Levers() {
		ids[diagnose.RemedyOf(l.ID).ID] = true
	}
	for _, s := range settings {
		assert.True(t, ids[s.remedy], s.remedy)
	}
	assert.Empty(t, flags(&scrape.Reading{Engine: scrape.VLLM}, "none"))
}

// TestCommands runs the commands that are printed, with a server that answers
// from a file, and reads what they leave; the guide prints the same ones.
func TestCommands(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("..", "..", "guide", "24-diagnose-mine.md"))
	require.NoError(t, err)
	for _, c := range []string{cmdVLLM, cmdSGLang, cmdLog} {
		assert.Contains(t, string(guide), "\n"+c+"\n")
	}
	if runtime.GOOS == "js" {
		t.Skip("no shell in node")
	}
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash on this machine: the commands are not run")
	}
	run := func(command string, files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		// The second look is the second file; a minute takes no time.
		cmd := exec.Command(shell, "-c", `curl() { cat "$(ls a* | head -n 1)"; }; date() { cat clock | head -n 1; }; sleep() { mv a2 a1; mv clock2 clock; }; `+command)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		got, err := os.ReadFile(filepath.Join(dir, "mine.txt"))
		require.NoError(t, err)
		return string(got)
	}
	scrapes := map[string]string{"a1": "# HELP x y\n" + scrapeOf("100.0", "1.7e+09"), "a2": scrapeOf("160.0", "1.7e+09"), "clock": "1796007600\n", "clock2": "1796007660\n"}
	for _, c := range []string{cmdVLLM, cmdSGLang} {
		x := pasted(t, run(c, scrapes), "", "")
		require.Empty(t, x.wrong)
		assert.Equal(t, scrape.TwoScrapes, x.read.Source)
		assert.Equal(t, 60.0, x.read.Seconds.Value)
		assert.Equal(t, 1.0, x.read.Now[scrape.CompletedRate].Value)
	}
	for _, name := range []string{"m-sglang-retract-log", "m-draft-collapse-log", "m-long-prompts-log"} {
		raw, err := os.ReadFile(filepath.Join("..", "..", "..", "sim", "scrape", "testdata", "cases", name, "server.log"))
		require.NoError(t, err)
		noise := "(APIServer pid=1) INFO:     client-a - \"POST /v1/chat/completions HTTP/1.1\" 200 OK\n"
		log := strings.ReplaceAll(string(raw), "\n", "\n"+noise)
		got := run(cmdLog, map[string]string{"server.log": log})
		assert.NotContains(t, got, "POST")
		assert.Equal(t, pasted(t, string(raw), "", "").read.Now, pasted(t, got, "", "").read.Now, name)
	}
}

func FuzzPaste(f *testing.F) {
	for _, e := range exampleTexts {
		f.Add(e.text[:min(len(e.text), 2000)], "", 0.0)
	}
	f.Add(scrapeOf("1.0", "1.7e+09"), scrapeOf("9.0", "1.7e+09"), 60.0)
	f.Add("<html>", "\x00\xff", 1e9)
	f.Fuzz(func(t *testing.T, first, second string, seconds float64) {
		x := &task{in: scrape.Input{First: first, Second: second, Seconds: seconds}, pasted: true, which: 1}
		require.True(t, x.Step(1))
		require.NotEmpty(t, x.Summary().String())
		stands(t, x)
		doc, _ := draw.Frame(demo.NewState(diagnoseMine()), x)
		require.NotEmpty(t, doc)
	})
}
