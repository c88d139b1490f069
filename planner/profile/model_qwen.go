package profile

// qwenModels are the dense models of Qwen.
var qwenModels = []Model{
	{
		ID: "qwen2.5-7b", Name: "Qwen2.5 7B",
		Attention: GQA, Layers: 28, Hidden: 3584, Heads: 28, KVHeads: 4, HeadDim: 128,
		Intermediate: 18944,
		Vocab:        152064, ContextTokens: 131072,
		Small:       Small{QKVBias: true},
		NativeDType: "bfloat16", Native: Storage{2, 2},
		PublishedParams: "7B",
		Sources: []Source{
			{"shape", blisModels + "qwen2.5-7b-instruct" + blisCopy + "; " + litgpt + "Qwen2.5-7B{}" + litgptFrom},
		},
	},
	{
		ID: "qwen2.5-72b", Name: "Qwen2.5 72B",
		Attention: GQA, Layers: 80, Hidden: 8192, Heads: 64, KVHeads: 8, HeadDim: 128,
		Intermediate: 29568,
		Vocab:        152064, ContextTokens: 131072,
		Small:       Small{QKVBias: true},
		NativeDType: "bfloat16", Native: Storage{2, 2},
		PublishedParams: "72B",
		Sources: []Source{
			{"shape", litgpt + "Qwen2.5-72B{}" + litgptFrom},
			{"dtype", "unsourced for 72B (Qwen2.5-7B config says bfloat16)"},
		},
	},
	{
		ID: "qwen3-8b", Name: "Qwen3 8B",
		Attention: GQA, Layers: 36, Hidden: 4096, Heads: 32, KVHeads: 8, HeadDim: 128,
		Intermediate: 12288,
		Vocab:        151936, ContextTokens: 40960,
		Small:       Small{QKNorm: true},
		NativeDType: "bfloat16", Native: Storage{2, 2},
		PublishedParams: "8B",
		Sources: []Source{
			{"shape", aicModels + "Qwen--Qwen3-8B" + aicCopy},
			{"heads", qwen3Report + "1"},
		},
	},
	{
		ID: "qwen3-32b", Name: "Qwen3 32B",
		Attention: GQA, Layers: 64, Hidden: 5120, Heads: 64, KVHeads: 8, HeadDim: 128,
		Intermediate: 25600,
		Vocab:        151936, ContextTokens: 40960,
		Small:       Small{QKNorm: true},
		NativeDType: "bfloat16", Native: Storage{2, 2},
		PublishedParams: "32B",
		Sources: []Source{
			{"shape", aicModels + "Qwen--Qwen3-32B" + aicCopy},
			{"heads", qwen3Report + "1"},
		},
	},
}
