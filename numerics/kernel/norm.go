package kernel

// RMSNormSwitchTokens is the number of tokens in a step from which vLLM's RMS
// norm runs in smaller thread blocks.
const RMSNormSwitchTokens = 256

// RMSNormThreads is the number of threads that add up the squares of one token
// of hidden values, in a step of stepTokens tokens (both at least 1). Each
// thread adds every threads-th square, then the threads are combined; so the
// same token is added in another order once its step has 256 tokens or more.
//
// Source: vllm-project/vllm, csrc/layernorm_kernels.cu, fused_add_rms_norm:
// "When num_tokens is large, a smaller block size allows for increased block
// occupancy". The kernel reads eight values at a time where it can; that is
// left out here.
func RMSNormThreads(stepTokens, hidden int) int {
	if stepTokens < RMSNormSwitchTokens {
		return min(hidden, 1024)
	}
	return min(hidden, 256)
}
