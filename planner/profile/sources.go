package profile

// What many rows cite, or begin and end a citation with.
const (
	stasCompute    = "stas00/ml-engineering: compute/accelerator/README.md (commit 744d01e, 2026-08-22; its table cites the vendor datasheet for each row)"
	stasLinks      = "stas00/ml-engineering: network/README.md (commit 744d01e, 2026-08-22), intra-node tables, GB/s in one direction per GPU"
	aicSystems     = "ai-dynamo/aiconfigurator: aic-core/src/aiconfigurator_core/systems/"
	aicCommit      = " (NVIDIA; commit 095f58a, 2026-08-21)"
	analysisGPUs   = "cli99/llm-analysis: llm_analysis/gpu_configs/"
	analysisCommit = " (commit d841e40, 2024-11-13)"
	flashBench     = "Dao-AILab/flash-attention: benchmarks/benchmark_attn.py (commit 0251105, 2026-08-15; BF16 dense peaks from spec sheets)"
	skyCatalogs    = "skypilot-org/skypilot-catalog: catalogs/v8/"
	skyList        = " (list price; the commit is undated)"
	undated        = "undated snapshot"
	aicModels      = "ai-dynamo/aiconfigurator: aic-core/src/aiconfigurator_core/model_configs/"
	aicCopy        = "_config.json (commit 095f58a, 2026-08-21; copy of the HF config.json)"
	litgpt         = `Lightning-AI/litgpt: litgpt/config.py (commit 2685705, 2026-06-29; entry "`
	litgptFrom     = `", transcribed from the HF config.json it links)`
	blisModels     = "inference-sim/inference-sim: model_configs/"
	blisCopy       = "/config.json (commit f90a1e3, 2026-08-22; copy of the HF config.json)"
	qwen3Report    = "QwenLM/Qwen3: Qwen3_Technical_Report.pdf Table "
	llamaCard      = "meta-llama/llama-models: models/llama3_1/MODEL_CARD.md"
	deepseekReadme = "deepseek-ai/DeepSeek-V3: README.md (685B on the hub = 671B main + 14B MTP module)"
)
