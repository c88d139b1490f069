package profile

// otherDense are the other dense models.
var otherDense = []Model{
	{
		ID: "mistral-7b-v0.1", Name: "Mistral 7B v0.1",
		Attention: GQA, Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 8, HeadDim: 128,
		WindowTokens: 4096, LocalLayers: 32,
		Intermediate: 14336,
		Vocab:        32000, ContextTokens: 32768,
		NativeDType: "bfloat16", Native: Storage{2, 2},
		PublishedParams: "7B",
		Sources: []Source{
			{"shape", litgpt + "Mistral-7B-{}v0.1" + litgptFrom},
			{"dtype", "unsourced (bfloat16 by analogy with mistralai/Mixtral-8x7B-v0.1 config)"},
		},
		Notes: "v0.1 applies a 4096-token sliding window on every layer; later Mistral-7B releases do not (unsourced).",
	},
	{
		ID: "gemma-3-27b", Name: "Gemma 3 27B (text)",
		Attention: GQA, Layers: 62, Hidden: 5376, Heads: 32, KVHeads: 16, HeadDim: 128,
		WindowTokens: 1024, LocalLayers: 52,
		Intermediate: 21504,
		Vocab:        262144, Tied: true, ContextTokens: 131072,
		Small:       Small{Norms: 4, QKNorm: true},
		NativeDType: "bfloat16", Native: Storage{2, 2},
		PublishedParams: "27B",
		Sources: []Source{
			{"shape", "google/gemma_pytorch: gemma/config.py get_config_for_27b_v3 (commit 014acb7, 2025-03-12); " + litgpt + "Gemma-3-27b-it" + litgptFrom},
		},
		Notes: "Pattern is 5 local then 1 global, repeated over 62 layers: layers 6,12,...,60 are global -> 10 global, 52 local. Vision tower not counted.",
	},
	{
		ID: "gpt-j-6b", Name: "GPT-J 6B",
		Attention: MHA, Layers: 28, Hidden: 4096, Heads: 16, KVHeads: 16, HeadDim: 256,
		Intermediate: 16384,
		Vocab:        50400, ContextTokens: 2048,
		Small:           Small{PlainMLP: true, Norms: 1, LayerNorm: true, MLPBias: true, HeadBias: true},
		NativeDType:     "unsourced",
		PublishedParams: "6B", PublishedSource: "model name",
		Sources: []Source{
			{"shape", "cli99/llm-analysis: llm_analysis/model_configs/EleutherAI_gpt-j-6b.json" + analysisCommit},
		},
	},
}
