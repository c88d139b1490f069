package profile

// blackwell are the data center parts of NVIDIA from 2024 on with HBM.
var blackwell = []GPU{
	{
		ID: "b200-sxm", Name: "B200 SXM", Vendor: "NVIDIA",
		MemoryBytes: 180e9, MemoryType: "HBM3e", HBMBytesPerSec: 8e12,
		BF16FLOPsPerSec: 2.25e15, FP8FLOPsPerSec: 4.5e15, FP4FLOPsPerSec: 9e15, INT8FLOPsPerSec: 4.5e15,
		LinkBytesPerSec: 9e11, Interconnect: "NVLink 5", PowerWatts: 1000,
		MatmulBF16FLOPsPerSec: 1.745e15, MatmulFP8FLOPsPerSec: 3.4325e15, MatmulSource: stasCompute,
		Prices: []Price{
			{4.4, 4.4, "8x 35.20/8 via PrimeIntellect", skyCatalogs + "primeintellect/vms.csv @d9a304e" + skyList, undated},
			{5.5, 5.5, "Nebius 8x 44.00/8", skyCatalogs + "nebius/vms.csv @0082b04" + skyList, undated},
			{6.69, 6.99, "Lambda 8x 53.52/8 to 1x 6.99", skyCatalogs + "lambda/vms.csv @0f40703" + skyList, undated},
		},
		Sources: []Source{
			{"all", stasCompute},
			{"check", aicSystems + "b200_sxm.yaml" + aicCommit + " (uses 7.7 TB/s)"},
			{"interconnect", stasLinks},
		},
		Notes: "Bandwidth 7.7 (aiconfigurator) or 8.0 TB/s (datasheet via stas00); capacity quoted 180-192 GB; stas00 lists 10000 TFLOPS for nvfp4 beside 9000 fp4.",
	},
	{
		ID: "b300-sxm", Name: "B300 SXM", Vendor: "NVIDIA",
		MemoryBytes: 288e9, MemoryType: "HBM3e", HBMBytesPerSec: 8e12,
		BF16FLOPsPerSec: 2.25e15, FP8FLOPsPerSec: 4.5e15, FP4FLOPsPerSec: 1.4e16, INT8FLOPsPerSec: 1.535e14,
		LinkBytesPerSec: 9e11, Interconnect: "NVLink 5", PowerWatts: 1100,
		MatmulBF16FLOPsPerSec: 1.769e15, MatmulFP8FLOPsPerSec: 3.3533e15, MatmulSource: stasCompute,
		Sources: []Source{
			{"compute", aicSystems + "b300_sxm.yaml" + aicCommit},
			{"memory", stasCompute},
			{"check", stasCompute},
		},
		Notes: "Sources disagree: fp4 dense 12600 (stas00), 14000 (aiconfigurator) or 15000 nvfp4 (stas00); int8 153.5 (aiconfigurator: 307 sparse/2) against 4500 (stas00); TDP 1000 (stas00) or 1100 (aiconfigurator); bandwidth 7.75 (aiconfigurator) or 8.0; usable memory 268.6 GiB (275040 MiB by nvidia-smi).",
	},
	{
		ID: "gb200", Name: "GB200 (per GPU, NVL72)", Vendor: "NVIDIA",
		MemoryBytes: 186e9, MemoryType: "HBM3e", HBMBytesPerSec: 8e12,
		BF16FLOPsPerSec: 2.5e15, FP8FLOPsPerSec: 5e15, FP4FLOPsPerSec: 1e16, INT8FLOPsPerSec: 5e15,
		LinkBytesPerSec: 9e11, Interconnect: "NVLink 5, 72-GPU domain", PowerWatts: 1200,
		MatmulBF16FLOPsPerSec: 1.822e15, MatmulFP8FLOPsPerSec: 3.6156e15, MatmulSource: stasCompute,
		Sources: []Source{
			{"all", aicSystems + "gb200.yaml" + aicCommit},
			{"check", stasCompute},
		},
		Notes: "189471 MiB reported by nvidia-smi = 198.7 GB decimal per aiconfigurator; TensorRT-LLM docs call it 192GB.",
	},
	{
		ID: "gb300", Name: "GB300 (per GPU, NVL72)", Vendor: "NVIDIA",
		MemoryBytes: 288e9, MemoryType: "HBM3e", HBMBytesPerSec: 8e12,
		BF16FLOPsPerSec: 2.5e15, FP8FLOPsPerSec: 5e15, FP4FLOPsPerSec: 1.5e16, INT8FLOPsPerSec: 1.65e14,
		LinkBytesPerSec: 9e11, Interconnect: "NVLink 5, 72-GPU domain", PowerWatts: 1400,
		Sources: []Source{
			{"all", aicSystems + "gb300.yaml" + aicCommit},
			{"check", stasCompute},
		},
		Notes: "int8 165 (aiconfigurator) against 5000 (stas00).",
	},
}
