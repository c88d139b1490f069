package profile

// latentModels are mixtures of experts with latent attention (MLA).
var latentModels = []Model{
	{
		ID: "deepseek-v2", Name: "DeepSeek-V2",
		Attention: MLA, Layers: 60, Hidden: 5120, Heads: 128, KVHeads: 128, HeadDim: 192,
		NopeHeadDim: 128, RopeHeadDim: 64, ValueHeadDim: 128, QueryRank: 1536, KVRank: 512,
		Intermediate: 12288, MoELayers: 59, ExpertIntermediate: 1536, ExpertsRouted: 160, ExpertsActive: 6, ExpertsShared: 2,
		Vocab: 102400, ContextTokens: 131072,
		NativeDType: "bfloat16", Native: Storage{2, 2},
		PublishedParams: "236B total / 21B active", PublishedSource: "deepseek-ai/DeepSeek-V2: README.md; tech report abstract",
		Sources: []Source{
			{"shape", "deepseek-ai/DeepSeek-V2: deepseek-v2-tech-report.pdf sec. 3.1.2 (layers 60, hidden 5120, heads 128, head dim 128, d_c 512, d_c' 1536, rope dim 64, 2 shared + 160 routed experts of 1536, 6 active, first layer dense)"},
			{"vocab", blisModels + "deepseek-v2-lite" + blisCopy + " (same tokenizer family; V2 itself unsourced)"},
			{"dense_intermediate", "12288 unsourced (checked only through the 236B total)"},
			{"dtype", "bfloat16 unsourced; the report (paragraph Inference Efficiency) says parameters are converted to FP8 for serving"},
		},
		Notes: "Tech report Table 1: MLA KV = (d_c + d_h^R) * l elements per token, equal to GQA with 2.25 groups; Table 9 lists 34.6K elements per token for the large MoE with MLA = 60*(512+64) = 34560.",
	},
	{
		ID: "deepseek-v3", Name: "DeepSeek-V3",
		Attention: MLA, Layers: 61, Hidden: 7168, Heads: 128, KVHeads: 128, HeadDim: 192,
		NopeHeadDim: 128, RopeHeadDim: 64, ValueHeadDim: 128, QueryRank: 1536, KVRank: 512,
		Intermediate: 18432, MoELayers: 58, ExpertIntermediate: 2048, ExpertsRouted: 256, ExpertsActive: 8, ExpertsShared: 1,
		Vocab: 129280, ContextTokens: 163840,
		NativeDType: "fp8 (e4m3, 128x128 block scales)", Native: Storage{1, 1},
		PublishedParams: "671B total / 37B active", PublishedSource: deepseekReadme,
		Sources: []Source{
			{"shape", aicModels + "deepseek-ai--DeepSeek-V3" + aicCopy + "; deepseek-ai/DeepSeek-V3: inference/configs/config_671B.json"},
		},
		Notes: "core MLA and combine stay BF16 in DeepSeek's own service (deepseek-ai/open-infra-index day 6).",
	},
	{
		ID: "deepseek-r1", Name: "DeepSeek-R1",
		Attention: MLA, Layers: 61, Hidden: 7168, Heads: 128, KVHeads: 128, HeadDim: 192,
		NopeHeadDim: 128, RopeHeadDim: 64, ValueHeadDim: 128, QueryRank: 1536, KVRank: 512,
		Intermediate: 18432, MoELayers: 58, ExpertIntermediate: 2048, ExpertsRouted: 256, ExpertsActive: 8, ExpertsShared: 1,
		Vocab: 129280, ContextTokens: 163840,
		NativeDType: "fp8 (e4m3, 128x128 block scales)", Native: Storage{1, 1},
		PublishedParams: "671B total / 37B active", PublishedSource: deepseekReadme,
		Sources: []Source{
			{"shape", aicModels + "deepseek-ai--DeepSeek-R1" + aicCopy + "; deepseek-ai/DeepSeek-V3: inference/configs/config_671B.json"},
		},
		Notes: "core MLA and combine stay BF16 in DeepSeek's own service (deepseek-ai/open-infra-index day 6).",
	},
	{
		ID: "kimi-k2", Name: "Kimi K2",
		Attention: MLA, Layers: 61, Hidden: 7168, Heads: 64, KVHeads: 64, HeadDim: 192,
		NopeHeadDim: 128, RopeHeadDim: 64, ValueHeadDim: 128, QueryRank: 1536, KVRank: 512,
		Intermediate: 18432, MoELayers: 60, ExpertIntermediate: 2048, ExpertsRouted: 384, ExpertsActive: 8, ExpertsShared: 1,
		Vocab: 163840, ContextTokens: 131072,
		NativeDType: "fp8 (e4m3, 128x128 block scales)", Native: Storage{1, 1},
		PublishedParams: "1T total / 32B active", PublishedSource: "MoonshotAI/Kimi-K2: README.md",
		Sources: []Source{
			{"shape", aicModels + "moonshotai--Kimi-K2-Instruct" + aicCopy},
			{"table", "MoonshotAI/Kimi-K2: README.md model summary"},
		},
	},
}
