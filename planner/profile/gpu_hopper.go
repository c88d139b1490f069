package profile

// ampereHopper are the data center parts of NVIDIA of 2020 to 2024 with HBM.
var ampereHopper = []GPU{
	{
		ID: "a100-40gb-sxm", Name: "A100 40GB SXM", Vendor: "NVIDIA",
		MemoryBytes: 40e9, MemoryType: "HBM2", HBMBytesPerSec: 1.555e12,
		BF16FLOPsPerSec: 3.12e14, INT8FLOPsPerSec: 6.24e14,
		LinkBytesPerSec: 3e11, Interconnect: "NVLink 3", PowerWatts: 400,
		Sources: []Source{
			{"compute,memory", analysisGPUs + "a100-sxm-40gb.json" + analysisCommit},
			{"interconnect", stasLinks},
			{"tdp", stasCompute},
		},
		Notes: "No FP8/FP4 tensor cores.",
	},
	{
		ID: "a100-80gb-sxm", Name: "A100 80GB SXM", Vendor: "NVIDIA",
		MemoryBytes: 80e9, MemoryType: "HBM2e", HBMBytesPerSec: 2.039e12,
		BF16FLOPsPerSec: 3.12e14, INT8FLOPsPerSec: 6.24e14,
		LinkBytesPerSec: 3e11, Interconnect: "NVLink 3", PowerWatts: 400,
		MatmulBF16FLOPsPerSec: 2.712e14, MatmulSource: stasCompute,
		Prices: []Price{
			{1.035, 1.79, "PrimeIntellect-listed 8-GPU and 1-GPU offers (Latitude 8.28/8 to Lambda 14.32/8)", skyCatalogs + "primeintellect/vms.csv @d9a304e" + skyList, undated},
			{1.39, 1.39, "RunPod secure, A100 PCIe 80GB", skyCatalogs + "runpod/vms.csv @01acdfd" + skyList, undated},
			{0.8, 3.0, "long-tail to hyperscaler range", "mercatus-ai.com/blog/cloud-gpu-pricing (third-party page)", "2026-05"},
			{1.49, 2.49, "typical list range", "pricegpu.pages.dev/blog/h100-vs-a100-cloud-price (third-party page)", "early 2026"},
		},
		Sources: []Source{
			{"all", aicSystems + "a100_sxm.yaml" + aicCommit},
			{"check", stasCompute},
		},
	},
	{
		ID: "h100-sxm", Name: "H100 SXM", Vendor: "NVIDIA",
		MemoryBytes: 80e9, MemoryType: "HBM3", HBMBytesPerSec: 3.35e12,
		BF16FLOPsPerSec: 9.89e14, FP8FLOPsPerSec: 1.979e15, INT8FLOPsPerSec: 1.979e15,
		LinkBytesPerSec: 4.5e11, Interconnect: "NVLink 4", PowerWatts: 700,
		MatmulBF16FLOPsPerSec: 7.945e14, MatmulFP8FLOPsPerSec: 1.4026e15, MatmulSource: stasCompute,
		Prices: []Price{
			{1.97, 3.29, "PrimeIntellect-listed: DataCrunch 1.97, Nebius 2.118, Lambda 8x 23.92/8, Lambda 1x 3.29", skyCatalogs + "primeintellect/vms.csv @d9a304e" + skyList, undated},
			{2.95, 2.95, "Nebius on demand", skyCatalogs + "nebius/vms.csv @0082b04" + skyList, undated},
			{3.99, 3.99, "Lambda 8x 31.92/8", skyCatalogs + "lambda/vms.csv @0f40703" + skyList, undated},
			{1.99, 5.0, "long-tail to hyperscaler range", "mercatus-ai.com/blog/cloud-gpu-pricing (third-party page)", "2026-05"},
			{2.95, 2.95, "median of 37 providers", "aimultiple.com/gpu-index (third-party page)", "2026-05-20"},
			{2.0, 2.0, "H800 leasing cost assumed by DeepSeek", "deepseek-ai/open-infra-index: 202502OpenSourceWeek/day_6_one_more_thing_deepseekV3R1_inference_system_overview.md", "2025-02-28"},
		},
		Sources: []Source{
			{"all", stasCompute},
			{"check", aicSystems + "h100_sxm.yaml" + aicCommit},
			{"interconnect", stasLinks},
		},
	},
	{
		ID: "h100-pcie", Name: "H100 PCIe", Vendor: "NVIDIA",
		MemoryBytes: 80e9, MemoryType: "HBM2e/HBM3 (sources differ)", HBMBytesPerSec: 2e12,
		BF16FLOPsPerSec: 7.565e14, FP8FLOPsPerSec: 1.513e15, INT8FLOPsPerSec: 1.513e15,
		LinkBytesPerSec: 6.4e10, Interconnect: "PCIe 5 x16 (optional NVLink bridge 300, per llm-analysis)", PowerWatts: 350,
		Prices: []Price{
			{1.9, 1.9, "Hyperstack H100 (PCIe) via PrimeIntellect", skyCatalogs + "primeintellect/vms.csv @d9a304e" + skyList, undated},
		},
		Sources: []Source{
			{"all", aicSystems + "h100_pcie.yaml" + aicCommit},
			{"check", stasCompute + "; " + analysisGPUs + "h100-pcie-80gb.json" + analysisCommit},
		},
	},
	{
		ID: "h100-nvl", Name: "H100 NVL (one card)", Vendor: "NVIDIA",
		MemoryBytes: 94e9, MemoryType: "HBM3", HBMBytesPerSec: 3.9e12,
		BF16FLOPsPerSec: 8.35e14, FP8FLOPsPerSec: 1.67e15,
		Interconnect: "NVLink bridge in pairs (rate unsourced)", PowerWatts: 400,
		Prices: []Price{
			{3.07, 3.07, "RunPod", "gpu.blog/gpus/nvidia-h100-nvl (third-party page; its FLOP numbers are wrong, not used)", "undated"},
		},
		Sources: []Source{
			{"bf16", flashBench},
			{"fp8", "2 x bf16, the rule " + flashBench + " uses"},
			{"memory,tdp", stasCompute + " (note 15: 94 GiB, 3.9 TB/s per chip; TDP 350-400 W configurable)"},
		},
		Notes: "flash-attention lists 3.35 TB/s for this card; stas00 3.9 TB/s. Numbers disagree; 3.9 kept.",
	},
	{
		ID: "h200-sxm", Name: "H200 SXM", Vendor: "NVIDIA",
		MemoryBytes: 141e9, MemoryType: "HBM3e", HBMBytesPerSec: 4.8e12,
		BF16FLOPsPerSec: 9.89e14, FP8FLOPsPerSec: 1.979e15, INT8FLOPsPerSec: 1.979e15,
		LinkBytesPerSec: 4.5e11, Interconnect: "NVLink 4", PowerWatts: 700,
		MatmulBF16FLOPsPerSec: 7.945e14, MatmulFP8FLOPsPerSec: 1.4534e15, MatmulSource: stasCompute,
		Prices: []Price{
			{2.0, 2.99, "PrimeIntellect-listed: DataCrunch 2.00, Nebius 2.668, dc_wildebeest 2.99", skyCatalogs + "primeintellect/vms.csv @d9a304e" + skyList, undated},
			{3.5, 3.5, "Nebius on demand", skyCatalogs + "nebius/vms.csv @0082b04" + skyList, undated},
			{2.5, 7.0, "long-tail to hyperscaler range", "mercatus-ai.com/blog/cloud-gpu-pricing (third-party page)", "2026-05"},
			{2.3, 2.3, "used for the $0.21/M output token figure", "lm-sys/lm-sys.github.io: blog/2025-07-20-k2-large-scale-ep.md", "2025-07-20"},
		},
		Sources: []Source{
			{"all", stasCompute},
			{"check", aicSystems + "h200_sxm.yaml" + aicCommit},
			{"interconnect", stasLinks},
		},
	},
}
