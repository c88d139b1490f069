package dataset

// traces are requests that somebody served: when they came, how long they were.
var traces = []Entry{
	{
		ID: "azure_llm_2023", Kind: Trace, Title: "Azure LLM inference trace 2023",
		Who: "Microsoft Azure (Patel et al., Splitwise, ISCA 2024)", When: "November 2023",
		Repository: "Azure/AzurePublicDataset", Commit: "b469a113cedca53ddc3bdea71a143dc4b7d8700c", License: "CC-BY-4.0",
		Engine:   "what served the requests is " + NotStated,
		Content:  "one hour: 8,819 requests for code, 19,366 of conversation, with times and token counts",
		Use:      "arrivals and lengths of the demo of real traces; two presets of the planner",
		Problems: []string{"The description says November 11, the time stamps say November 16."},
	},
	{
		ID: "mooncake", Kind: Trace, Title: "Mooncake traces",
		Who: "the authors of Mooncake (FAST 2025), from the Kimi service", When: "before 2025",
		Repository: "kvcache-ai/Mooncake", Commit: "3b5a594133958449a1feaf1c9e0fc1b553e34a28", License: "Apache-2.0",
		Engine:  "what served the requests is " + NotStated,
		Content: "one hour of conversation, 12,031 requests, and a synthetic trace, with hashes of prefix blocks of 512 tokens",
		Use:     "how many prompt tokens a cache of some size spares; arrivals and lengths of the demo of real traces; a preset of the planner",
		Problems: []string{
			"Times of the conversation trace are rounded to about 3 s: spread arrivals within a step, and do not read burstiness from the gaps.",
			"The synthetic trace is cut to its first 2,000 of 3,993 requests here.",
		},
	},
	{
		ID: "servegen", Kind: Trace, Title: "ServeGen client profiles",
		Who: "Alibaba Cloud", When: "2025",
		Repository: "alibaba/ServeGen", Commit: "f891d1189eb32b3868dfc443800c4150548c282a", License: "Apache-2.0",
		Engine:  "what served the requests is " + NotStated,
		Content: "rates, burstiness and lengths of 422 clients of five models, by time window",
		Use:     "lengths of DeepSeek-R1 for the planner's preset of reasoning; rates and burstiness are not used",
		Problems: []string{
			"Each file is one client; the sum over clients is the load.",
			"Length files of the largest clients of the m-small, m-mid and m-large models are missing: their mean lengths cannot be stated.",
		},
	},
}
