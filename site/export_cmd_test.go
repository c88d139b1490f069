package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestExportIsToldWhatIsMissing: every wrong use says what would be right. That
// the files open is for the browser tests.
func TestExportIsToldWhatIsMissing(t *testing.T) {
	root := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"export", "-o", "x"}, "which format? There are zip"},
		{[]string{"export", "pdf", "-o", "x"}, "which format?"},
		{[]string{"export", "zip"}, "Name the file with -o"},
		{[]string{"export", "zip", "-demo", "powers", "-o", "x"}, "a zip has every demo"},
		{[]string{"export", "single", "-o", "x"}, "Name it with -demo"},
		{[]string{"export", "single", "-demo", "roots", "-o", "x"}, `no demo is called "roots"; there are powers and plain`},
		{[]string{"export", "zip", "-o", "x", "-root", root}, "./build.sh makes it"},
		{[]string{"export", "zip", "x", "-o", "x"}, "one argument too many"},
	} {
		code, out, msg := call("", c.args...)
		assert.Equal(t, exitUsage, code, "%v", c.args)
		assert.Empty(t, out)
		assert.Contains(t, msg, c.want)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(root, "dist"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "dist", "index.html"), []byte("<p>"), 0o644))
	file := filepath.Join(root, "out.zip")
	code, _, _ := call("", "export", "zip", "-o", file, "-root", root)
	assert.NotZero(t, code, "a site that does not pass its checks")
	assert.NoFileExists(t, file)
}
