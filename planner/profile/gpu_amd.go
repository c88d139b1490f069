package profile

// amdGPUs are the Instinct parts.
var amdGPUs = []GPU{
	{
		ID: "mi300x", Name: "Instinct MI300X", Vendor: "AMD",
		MemoryBytes: 192e9, MemoryType: "HBM3", HBMBytesPerSec: 5.3e12,
		BF16FLOPsPerSec: 1.3074e15, FP8FLOPsPerSec: 2.6149e15, INT8FLOPsPerSec: 2.6149e15,
		LinkBytesPerSec: 4.48e11, Interconnect: "Infinity Fabric, 7 links x 64", PowerWatts: 750,
		MatmulBF16FLOPsPerSec: 6.684e14, MatmulSource: stasCompute,
		Prices: []Price{
			{1.5, 1.99, "TensorWave 1.50, Vultr 1.85, median 1.99 (Azure/Oracle about 6)", "cliffcenter.com/research/amd-inference-economics (third-party page)", "2026-05-18"},
		},
		Sources: []Source{
			{"all", stasCompute + " (bf16 1307.4 from its clock formula; fp8/int8 = 2x; its table rounds to 1300/2610/2600)"},
			{"interconnect", stasLinks},
		},
	},
	{
		ID: "mi325x", Name: "Instinct MI325X", Vendor: "AMD",
		MemoryBytes: 256e9, MemoryType: "HBM3e", HBMBytesPerSec: 6e12,
		BF16FLOPsPerSec: 1.3074e15, FP8FLOPsPerSec: 2.6149e15, INT8FLOPsPerSec: 2.6149e15,
		LinkBytesPerSec: 4.48e11, Interconnect: "Infinity Fabric, 7 links x 64", PowerWatts: 1000,
		MatmulBF16FLOPsPerSec: 7.849e14, MatmulSource: stasCompute,
		Prices: []Price{
			{1.95, 1.95, "TensorWave", "cliffcenter.com/research/amd-inference-economics (third-party page)", "2026-05-18"},
		},
		Sources: []Source{
			{"all", stasCompute + " (same compute as MI300X)"},
			{"interconnect", stasLinks},
		},
	},
	{
		ID: "mi355x", Name: "Instinct MI355X", Vendor: "AMD",
		MemoryBytes: 288e9, MemoryType: "HBM3e", HBMBytesPerSec: 8e12,
		BF16FLOPsPerSec: 2.5e15, FP8FLOPsPerSec: 5e15, FP4FLOPsPerSec: 1.01e16, INT8FLOPsPerSec: 5e15,
		LinkBytesPerSec: 5.355e11, Interconnect: "Infinity Fabric, 7 links x 76.5", PowerWatts: 1400,
		MatmulBF16FLOPsPerSec: 1.565e15, MatmulSource: stasCompute,
		Sources: []Source{
			{"all", stasCompute},
			{"interconnect", stasLinks},
		},
	},
}
