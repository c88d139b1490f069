// Command bench runs the benchmarks, prints what they print, and then one table:
// every budget of the project, and what was found here and now. ./build.sh bench
// runs it in a repository that is built.
//
// A number comes from where its test has it: sizes from the finished site, scores
// from the kept tables, times from the benchmarks. A row that nothing measured says
// so; the table is to be read, and no row fails the command. Start reading at
// rows.go.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// runs are the benchmarks, by where they run; the names are those of found.
var runs = []struct {
	where string
	says  string
	wasm  bool // in node, which needs a small environment
	args  []string
}{
	{"native", "natively", false, strings.Fields("-bench . -benchmem -timeout 60m ./numerics/... ./sim/... ./planner/... ./content/demo/... ./site/internal/...")},
	{"node", "the simulator as WebAssembly in node", true, strings.Fields("-bench P8|Dashboard -benchtime 50x ./sim")},
	{"node", "cluster presets as WebAssembly in node", true, strings.Fields("-bench ClusterPreset -benchtime 20x ./content/demo/failing")},
	{"node", "the planner as WebAssembly in node: a plan, every lever turned, the ranking", true, strings.Fields("-bench Ablate|Evaluate -benchmem ./planner")},
	{"chromium", "the simulator and cluster presets as WebAssembly in a worker of Chromium, and the main thread", false, strings.Fields("-bench InChromium|LongestTask|Follows -benchtime 1x -v -timeout 60m ./wasm/browser")},
	{"lighthouse", "Lighthouse at every page", false, strings.Fields("-bench Lighthouse -benchtime 1x -v -timeout 60m ./wasm/browser")},
}

func main() {
	root, err := os.Getwd()
	if err == nil {
		err = bench(root, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench measures the repository in a folder.
func bench(root string, out io.Writer) error {
	if _, err := os.Stat(filepath.Join(root, "dist", "index.html")); err != nil {
		return fmt.Errorf("no built site in %s: run ./build.sh bench", root)
	}
	f := found{}
	for _, r := range runs {
		fmt.Fprintf(out, "== %s\n", r.says)
		cmd := exec.Command("go", append([]string{"test", "-run", "^$"}, r.args...)...)
		cmd.Dir, cmd.Stderr = root, os.Stderr
		if r.wasm {
			cmd.Args = append(cmd.Args[:2], append([]string{"-exec", loader()}, cmd.Args[2:]...)...)
			cmd.Env = small()
		}
		if err := stream(cmd, out, r.where, f); err != nil {
			fmt.Fprintf(out, "%s: %v: its rows below are not measured\n", r.says, err)
		}
	}
	fmt.Fprintln(out, "== builds")
	if err := builds(root, out, f); err != nil {
		return err
	}
	if err := weigh(filepath.Join(root, "dist"), f); err != nil {
		return err
	}
	kept(root, f)
	fmt.Fprintf(out, "\n== budgets\n\n%s", table(f))
	return nil
}

// stream runs a command, prints what it prints and keeps its benchmarks.
func stream(cmd *exec.Cmd, out io.Writer, where string, f found) error {
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(pipe)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fmt.Fprintln(out, lines.Text())
		f.read(where, lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		return err
	}
	return lines.Err()
}

// loader runs a WebAssembly program of Go's in node.
func loader() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "go_js_wasm_exec"
	}
	return filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm", "go_js_wasm_exec")
}

// small is the environment for node: the loader of Go fails in a large one.
func small() []string {
	env := []string{"GOOS=js", "GOARCH=wasm", "GOFLAGS=-trimpath", "GOTOOLCHAIN=local", "GOWORK=off"}
	for _, name := range []string{"PATH", "HOME", "GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}
