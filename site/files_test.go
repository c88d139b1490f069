package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"openloop/site/internal/export"
)

// TestFilesAreRefusedByTheirNames: whatever is wrong with a file or a folder that
// the command line names is bad use, is told by that name and leaves all as it was.
func TestFilesAreRefusedByTheirNames(t *testing.T) {
	dir := t.TempDir()
	trace, salt := filepath.Join(dir, "trace.jsonl"), filepath.Join(dir, "salt")
	link := filepath.Join(dir, "other-name")
	require.NoError(t, os.WriteFile(trace, []byte(twoRows), 0o600))
	require.NoError(t, os.WriteFile(salt, []byte("correct horse battery staple"), 0o600))
	require.NoError(t, os.Symlink(trace, link))
	file, gone, site := filepath.Join(dir, "file"), filepath.Join(dir, "gone"), folder(t, map[string]string{"dist/index.html": "<p>"})
	require.NoError(t, os.WriteFile(file, []byte("mine"), 0o600))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "powers", "-o", dir}, "-o " + dir + " is a folder"},
		{[]string{"sweep", "powers", "-seeds", "1-2", "-o", dir}, "-o " + dir + " is a folder"},
		{[]string{"run", "powers", "-o", gone + "/x"}, "there is no folder " + gone},
		{[]string{"run", "powers", "-o", file + "/x"}, file + " is no folder"},
		{[]string{"redact", trace, "-salt", salt, "-o", dir}, "-o " + dir + " is a folder"},
		{[]string{"redact", trace, "-salt", salt, "-o", trace}, "are the same file; it would be written over"},
		{[]string{"redact", trace, "-salt", salt, "-o", link}, "are the same file; it would be written over"},
		{[]string{"redact", trace, "-salt", salt, "-o", salt}, "-salt " + salt + " are the same file"},
		{[]string{"redact", trace, "-salt", trace}, "whoever has the trace"},
		{[]string{"redact", trace, "-salt", link}, "whoever has the trace"},
		{[]string{"redact", gone, "-salt", salt}, "the trace " + gone + ": no such file"},
		{[]string{"redact", trace, "-salt", gone}, "-salt " + gone + ": no such file"},
		{[]string{"redact", dir, "-salt", salt}, "the trace " + dir + " is a folder"},
		{[]string{"redact", trace, "-salt", dir}, "-salt " + dir + " is a folder"},
		{[]string{"redact", trace, "-salt", salt, "-windows", "3"}, "count only with -window"},
		{[]string{"redact", trace, "-salt", salt, "-gaps"}, "count only with -window"},
		{[]string{"run", "powers", "base=3&base=4"}, `"4" is given twice; legal: each key once`},
		{[]string{"export", "zip", "-root", site, "-o", dir}, "-o " + dir + " is a folder"},
		{[]string{"export", "zip", "-root", site, "-o", filepath.Join(site, "dist", "x.zip")}, "is inside of the site"},
		{[]string{"export", "zip", "-root", site, "-o", file, "-date", "today"}, `-date "today" is not a day`},
		{[]string{"export", "zip", "-root", site, "-o", file, "-date", "1979-12-31"}, "legal: years 1980 to 2107"},
		{[]string{"export", "single", "-demo", "powers", "-root", site, "-o", file, "-date", "2026-01-01"}, "is for zip"},
		{[]string{"check", "-root", dir}, "./build.sh makes it"},
		{[]string{"check", "-root", gone}, "-root " + gone + ": there is no such folder"},
		{[]string{"build", "-root", dir}, "-root " + dir + " is not the openloop repository"},
		{[]string{"serve", "-root", dir}, "-root " + dir + " is not the openloop repository"},
		{[]string{"serve", "127.0.0.1:notaport"}, `"notaport" is no port`},
		{[]string{"serve", "127.0.0.1:99999", "-public"}, `"99999" is no port`},
		{[]string{"build", "-site-url", "https:///x"}, "is not an http or https address"},
	} {
		code, out, msg := call("", c.args...)
		assert.Equal(t, exitUsage, code, "%v: %s", c.args, msg)
		assert.Empty(t, out, "%v", c.args)
		assert.Contains(t, msg, c.want, "%v", c.args)
		assert.NotContains(t, msg, ".openloop-", "a name that nobody gave")
	}
	for name, want := range map[string]string{trace: twoRows, salt: "correct horse battery staple", file: "mine"} {
		raw, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, want, string(raw), name)
	}
}

// TestDashIsStandardOutput: as it is standard input where something is read.
func TestDashIsStandardOutput(t *testing.T) {
	_, want, _ := call("", "run", "powers")
	code, out, msg := call("", "run", "powers", "-o", "-")
	assert.Zero(t, code, msg)
	assert.Equal(t, want, out)
	assert.NoFileExists(t, "-")
}

// TestWriteFile: a link keeps leading to its file, and a device stays one.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o644))
	require.NoError(t, os.Symlink(file, link))
	require.NoError(t, writeFile(link, []byte("new")))
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "new", string(raw))
	to, err := os.Readlink(link)
	require.NoError(t, err)
	assert.Equal(t, file, to)
	if info, err := os.Stat(os.DevNull); err == nil && !info.Mode().IsRegular() {
		require.NoError(t, writeFile(os.DevNull, []byte("x")))
		after, err := os.Stat(os.DevNull)
		require.NoError(t, err)
		assert.Equal(t, info.Mode(), after.Mode())
	}
}

// TestEdition: the date of a zip's files is that of the flag, of the environment
// or of the newest commit, and rises with it.
func TestEdition(t *testing.T) {
	dir := t.TempDir()
	got := func(flag, epoch string) dated {
		t.Helper()
		d, err := edition(flag, epoch, dir)
		require.NoError(t, err)
		return d
	}
	assert.Equal(t, "2026-01-31", got("2026-01-31", "1").date.Format(time.DateOnly))
	assert.Equal(t, int64(1_800_000_000), got("", "1800000000").date.Unix())
	none := got("", "")
	assert.Equal(t, export.Earliest, none.date)
	assert.Contains(t, none.from, "no commit")
	_, err := edition("", "yesterday", dir)
	assert.ErrorContains(t, err, "SOURCE_DATE_EPOCH")

	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("that the newest commit gives the date is not tested: no git here")
	}
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		c.Env = append(os.Environ(), "GIT_COMMITTER_DATE=1700000000 +0100")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	git("init", "-q")
	assert.Equal(t, export.Earliest, got("", "").date, "no commit yet")
	git("commit", "-q", "--allow-empty", "-m", "x")
	assert.Equal(t, int64(1_700_000_000), got("", "").date.Unix())
	assert.Equal(t, got("", ""), got("", ""))
	assert.True(t, strings.HasSuffix(got("", "").from, "commit"))
}
