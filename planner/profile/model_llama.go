package profile

// llamaModels are the dense models of Meta.
var llamaModels = []Model{
	{
		ID: "llama-2-7b", Name: "Llama 2 7B",
		Attention: MHA, Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 32, HeadDim: 128,
		Intermediate: 11008,
		Vocab:        32000, ContextTokens: 4096,
		NativeDType: "float16", Native: Storage{2, 2},
		PublishedParams: "7B",
		Sources: []Source{
			{"shape", blisModels + "llama-2-7b-hf" + blisCopy + "; " + litgpt + "Llama-2-7b{}-hf" + litgptFrom},
		},
	},
	{
		ID: "llama-2-13b", Name: "Llama 2 13B",
		Attention: MHA, Layers: 40, Hidden: 5120, Heads: 40, KVHeads: 40, HeadDim: 128,
		Intermediate: 13824,
		Vocab:        32000, ContextTokens: 4096,
		NativeDType: "float16", Native: Storage{2, 2},
		PublishedParams: "13B",
		Sources: []Source{
			{"shape", litgpt + "Llama-2-13b{}-hf" + litgptFrom},
			{"dtype", "SafeAILab/EAGLE: eagle/train/llama_2_chat_13B_config.json (torch_dtype float16; its num_hidden_layers is the draft head's, not used)"},
		},
	},
	{
		ID: "llama-2-70b", Name: "Llama 2 70B",
		Attention: GQA, Layers: 80, Hidden: 8192, Heads: 64, KVHeads: 8, HeadDim: 128,
		Intermediate: 28672,
		Vocab:        32000, ContextTokens: 4096,
		NativeDType: "float16", Native: Storage{2, 2},
		PublishedParams: "70B",
		Sources: []Source{
			{"shape", litgpt + "Llama-2-70b{}-hf" + litgptFrom + "; microsoft/vidur: vidur/config/model_config.py Llama2_70BModelConfig"},
			{"dtype", "SafeAILab/EAGLE: eagle/train/llama_2_chat_70B_config.json"},
		},
	},
	{
		ID: "llama-3.1-8b", Name: "Llama 3.1 8B",
		Attention: GQA, Layers: 32, Hidden: 4096, Heads: 32, KVHeads: 8, HeadDim: 128,
		Intermediate: 14336,
		Vocab:        128256, ContextTokens: 131072,
		NativeDType: "bfloat16", Native: Storage{2, 2},
		PublishedParams: "8B", PublishedSource: llamaCard,
		Sources: []Source{
			{"shape", aicModels + "meta-llama--Meta-Llama-3.1-8B" + aicCopy},
		},
	},
	{
		ID: "llama-3.1-70b", Name: "Llama 3.1 70B",
		Attention: GQA, Layers: 80, Hidden: 8192, Heads: 64, KVHeads: 8, HeadDim: 128,
		Intermediate: 28672,
		Vocab:        128256, ContextTokens: 131072,
		NativeDType: "bfloat16", Native: Storage{2, 2},
		PublishedParams: "70B", PublishedSource: llamaCard,
		Sources: []Source{
			{"shape", aicModels + "meta-llama--Meta-Llama-3.1-70B" + aicCopy},
		},
		Notes: "Llama 3.3 70B has the same shape (unsourced here; used only to read the TensorRT-LLM table).",
	},
	{
		ID: "llama-3.1-405b", Name: "Llama 3.1 405B",
		Attention: GQA, Layers: 126, Hidden: 16384, Heads: 128, KVHeads: 8, HeadDim: 128,
		Intermediate: 53248,
		Vocab:        128256, ContextTokens: 131072,
		NativeDType: "bfloat16", Native: Storage{2, 2},
		PublishedParams: "405B", PublishedSource: llamaCard,
		Sources: []Source{
			{"shape", aicModels + "meta-llama--Meta-Llama-3.1-405B" + aicCopy},
		},
	},
}
