package profile_test

import (
	"fmt"

	"openloop/planner/profile"
)

func ExampleModel_KVBytes() {
	for _, id := range []string{"llama-2-13b", "llama-3.1-70b", "gpt-oss-120b", "deepseek-v3"} {
		m, _ := profile.FindModel(id)
		fmt.Printf("%-13s %s  %5.2f GB for 8192 tokens in bf16\n", m.ID, m.Attention, m.KVBytes(8192, profile.BF16.Bytes())/1e9)
	}
	// Output:
	// llama-2-13b   MHA   6.71 GB for 8192 tokens in bf16
	// llama-3.1-70b GQA   2.68 GB for 8192 tokens in bf16
	// gpt-oss-120b  GQA   0.31 GB for 8192 tokens in bf16
	// deepseek-v3   MLA   0.58 GB for 8192 tokens in bf16
}

func ExampleInterpolate() {
	g, _ := profile.FindGPU("h100-sxm")
	for _, id := range []string{"qwen3-32b", "llama-2-13b", "mixtral-8x7b"} {
		m, _ := profile.FindModel(id)
		c := profile.Interpolate(g, m, profile.BF16, 1)
		if c.Origin == profile.Roofline {
			fmt.Println(id, c.Origin, "since", c.Why)
			continue
		}
		fmt.Printf("%s %s: %.1f ms a step of 8 sequences of 1,000 tokens\n", id, c.Origin, 1e3*c.DecodeSeconds(8, 8000))
	}
	// Output:
	// qwen3-32b measured: 24.9 ms a step of 8 sequences of 1,000 tokens
	// llama-2-13b interpolated: 12.8 ms a step of 8 sequences of 1,000 tokens
	// mixtral-8x7b roofline since only dense models were measured whole
}
