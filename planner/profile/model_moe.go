package profile

// smallExperts are mixtures of experts with grouped-query attention.
var smallExperts = []Model{
	{
		ID: "mixtral-8x7b", Name: "Mixtral 8x7B v0.1",
		Attention: GQA, Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 8, HeadDim: 128,
		MoELayers: 32, ExpertIntermediate: 14336, ExpertsRouted: 8, ExpertsActive: 2,
		Vocab: 32000, ContextTokens: 32768,
		NativeDType: "bfloat16", Native: Storage{2, 2},
		PublishedParams: "46.7B total / 12.9B active", PublishedSource: `mlcommons/inference_results_v5.1: open/AMD/code/llama3_1-405b_finetuned/mlperf_finetune/RULER/README.md row "Mixtral-8x7B (12.9B/46.7B)"`,
		Sources: []Source{
			{"shape", aicModels + "mistralai--Mixtral-8x7B-v0.1" + aicCopy},
		},
	},
	{
		ID: "qwen3-30b-a3b", Name: "Qwen3 30B-A3B",
		Attention: GQA, Layers: 48, Hidden: 2048, Heads: 32, KVHeads: 4, HeadDim: 128,
		MoELayers: 48, ExpertIntermediate: 768, ExpertsRouted: 128, ExpertsActive: 8,
		Vocab: 151936, ContextTokens: 40960,
		Small:       Small{QKNorm: true},
		NativeDType: "bfloat16", Native: Storage{2, 2},
		PublishedParams: "30B total / 3B active", PublishedSource: "model name",
		Sources: []Source{
			{"shape", aicModels + "Qwen--Qwen3-30B-A3B" + aicCopy},
			{"experts", qwen3Report + "2"},
		},
	},
	{
		ID: "qwen3-235b-a22b", Name: "Qwen3 235B-A22B",
		Attention: GQA, Layers: 94, Hidden: 4096, Heads: 64, KVHeads: 4, HeadDim: 128,
		MoELayers: 94, ExpertIntermediate: 1536, ExpertsRouted: 128, ExpertsActive: 8,
		Vocab: 151936, ContextTokens: 40960,
		Small:       Small{QKNorm: true},
		NativeDType: "bfloat16", Native: Storage{2, 2},
		PublishedParams: "235B total / 22B active", PublishedSource: "model name",
		Sources: []Source{
			{"shape", aicModels + "Qwen--Qwen3-235B-A22B" + aicCopy},
			{"experts", qwen3Report + "2"},
		},
	},
	{
		ID: "gpt-oss-20b", Name: "gpt-oss-20b",
		Attention: GQA, Layers: 24, Hidden: 2880, Heads: 64, KVHeads: 8, HeadDim: 64,
		WindowTokens: 128, LocalLayers: 12,
		MoELayers: 24, ExpertIntermediate: 2880, ExpertsRouted: 32, ExpertsActive: 4,
		Vocab: 201088, ContextTokens: 131072,
		Small:       Small{QKVBias: true, OutBias: true, MLPBias: true, RouterBias: true, Sinks: true},
		NativeDType: "mxfp4 (routed experts) + bfloat16 (attention, router, embeddings)", Native: Storage{2, MXFP4BytesPerParam},
		PublishedParams: "21B total / 3.6B active", PublishedSource: "openai/gpt-oss: README.md",
		Sources: []Source{
			{"shape", aicModels + "openai--gpt-oss-20b" + aicCopy},
		},
		Notes: "quantization_config in the same file lists self_attn, router, embed_tokens and lm_head as not converted (they stay bf16); experts are MXFP4 (4-bit + one 8-bit scale per 32 = 4.25 bits, the block size is unsourced here). The published active count matches the active count without the input embedding.",
	},
	{
		ID: "gpt-oss-120b", Name: "gpt-oss-120b",
		Attention: GQA, Layers: 36, Hidden: 2880, Heads: 64, KVHeads: 8, HeadDim: 64,
		WindowTokens: 128, LocalLayers: 18,
		MoELayers: 36, ExpertIntermediate: 2880, ExpertsRouted: 128, ExpertsActive: 4,
		Vocab: 201088, ContextTokens: 131072,
		Small:       Small{QKVBias: true, OutBias: true, MLPBias: true, RouterBias: true, Sinks: true},
		NativeDType: "mxfp4 (routed experts) + bfloat16 (attention, router, embeddings)", Native: Storage{2, MXFP4BytesPerParam},
		PublishedParams: "117B total / 5.1B active", PublishedSource: "openai/gpt-oss: README.md",
		Sources: []Source{
			{"shape", aicModels + "openai--gpt-oss-120b" + aicCopy},
		},
		Notes: "quantization_config in the same file lists self_attn, router, embed_tokens and lm_head as not converted (they stay bf16); experts are MXFP4 (4-bit + one 8-bit scale per 32 = 4.25 bits, the block size is unsourced here). The published active count matches the active count without the input embedding.",
	},
}
