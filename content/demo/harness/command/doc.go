// Package command reads the command line of a load generator and says which
// harness it is: who decides when the next request leaves, what is measured,
// and what the defaults leave out.
//
// Start at Read; Reading is what it finds. words.go splits a text into commands
// as a shell does, flags.go reads the flags of one, and there is a file for the
// tools of each project, with its defaults from the versions that Versions
// names. The package knows no simulator: package harness simulates what is read
// here.
package command

// Versions are what the flags and defaults of each tool were read from.
const Versions = "vllm-project/vllm 009e6d4a (vllm/benchmarks), sgl-project/sglang 00f9ec47 (python/sglang/benchmark/serving.py), ai-dynamo/aiperf 023e12c4 (docs/cli_options.md), " +
	"triton-inference-server/perf_analyzer 0472f54e (genai-perf), vllm-project/guidellm 02902219 (docs/getting-started/benchmark.md) and 0.7 (guidellm run), ray-project/llmperf f1d6bed4, " +
	"kubernetes-sigs/inference-perf 7de5ef2e, mlcommons/inference b66003e1 (loadgen); read in August 2026"
