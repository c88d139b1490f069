package profile

// pcieGPUs have GDDR memory and no link but PCIe. The last is not among the
// facts; it is here since step times of it were measured.
var pcieGPUs = []GPU{
	{
		ID: "l40s", Name: "L40S", Vendor: "NVIDIA",
		MemoryBytes: 48e9, MemoryType: "GDDR6", HBMBytesPerSec: 8.64e11,
		BF16FLOPsPerSec: 3.62e14, FP8FLOPsPerSec: 7.33e14, INT8FLOPsPerSec: 7.33e14,
		LinkBytesPerSec: 3.2e10, Interconnect: "PCIe 4 x16", PowerWatts: 350,
		Prices: []Price{
			{0.91, 1.0, "DataCrunch 0.91, Crusoe 1.00 via PrimeIntellect", skyCatalogs + "primeintellect/vms.csv @d9a304e" + skyList, undated},
			{1.55, 1.82, "Nebius 1x", skyCatalogs + "nebius/vms.csv @0082b04" + skyList, undated},
		},
		Sources: []Source{
			{"all", aicSystems + "l40s.yaml" + aicCommit},
			{"check", stasCompute},
		},
		Notes: "46068 MiB usable per aiconfigurator.",
	},
	{
		ID: "l4", Name: "L4", Vendor: "NVIDIA",
		MemoryBytes: 24e9, MemoryType: "GDDR6", HBMBytesPerSec: 3e11,
		BF16FLOPsPerSec: 1.21e14, FP8FLOPsPerSec: 2.42e14, INT8FLOPsPerSec: 2.42e14,
		LinkBytesPerSec: 3.2e10, Interconnect: "PCIe 4 x16", PowerWatts: 72,
		Sources: []Source{
			{"all", aicSystems + "l4.yaml" + aicCommit},
		},
	},
	{
		ID: "a10g", Name: "A10G", Vendor: "NVIDIA",
		MemoryBytes: 24e9, MemoryType: "GDDR6", HBMBytesPerSec: 6e11,
		BF16FLOPsPerSec: 7e13, INT8FLOPsPerSec: 1.4e14,
		LinkBytesPerSec: 3.2e10, Interconnect: "PCIe 4 x16",
		Prices: []Price{
			{1.01, 1.01, "AWS g5-class, in a test comment of vllm-project/semantic-router src/fleet-sim/tests/test_api.py", "vllm-project/semantic-router (commit 3d48f8c, 2026-08-22)", "2026"},
		},
		Sources: []Source{
			{"all", analysisGPUs + "a10g-pcie-24gb.json" + analysisCommit},
		},
		Notes: "TDP left out: public sources disagree (150 W in one table).",
	},
	{
		ID: "rtx-4090", Name: "GeForce RTX 4090", Vendor: "NVIDIA",
		MemoryBytes: 24e9, MemoryType: "GDDR6X", HBMBytesPerSec: 1.008e12,
		BF16FLOPsPerSec: 1.652e14, FP8FLOPsPerSec: 3.303e14, INT8FLOPsPerSec: 6.606e14,
		LinkBytesPerSec: 3.2e10, Interconnect: "PCIe 4 x16", PowerWatts: 450,
		Sources: []Source{
			{"compute", "waredb.com/processor/nvidia-geforce-rtx-4090 (third-party; FP16/BF16 with FP32 accumulate 165.15 dense, FP8 330.30, INT8 660.60); gigagpu.com/?p=34220 agrees on 165.2 and lists FP8 660.6 (FP16 accumulate)"},
			{"memory", "casys-kaist/LLMServingSim: configs/cluster/rtx4090_single_instance.json (24 GB, 1008 GB/s)"},
			{"tdp", "holynerdvana.blogspot.com/2022/10/nvidia-geforce-rtx-4090-specifications.html (450 W total board power)"},
		},
		Notes: "GeForce tensor rate halves with FP32 accumulation; use 165.2, not 330.3, for BF16.",
	},
	{
		ID: "rtx-pro-6000", Name: "RTX PRO 6000 Blackwell Server", Vendor: "NVIDIA",
		MemoryBytes: 96e9, MemoryType: "GDDR7", HBMBytesPerSec: 1.792e12,
		BF16FLOPsPerSec: 4.678e14, FP8FLOPsPerSec: 9.356e14, FP4FLOPsPerSec: 1.8712e15, INT8FLOPsPerSec: 9.356e14,
		LinkBytesPerSec: 6.4e10, Interconnect: "PCIe 5 x16", PowerWatts: 600,
		Sources: []Source{
			{"all", aicSystems + "rtx_pro_6000_server.yaml" + aicCommit},
			{"capacity", aicSystems + "rtx_pro_6000_server.yaml" + aicCommit + "; it says 102,641,958,912 bytes, the 97,887 MiB that the measured card reported; 96 GB is the nominal size, as for every other GPU here"},
		},
		Notes: "Peaks are those of the specification at the 2,430 MHz that the measured card reported; it showed 97,887 MiB of memory.",
	},
}
