package planner

// Money. A fleet is paid by the hour, busy or not: its price spread over what it
// serves depends on the load, and on who is made to pay for the prompts.

// Cost is in USD. PerMOutputAll puts the whole bill on the output tokens, prompts
// being free; PerMInput and PerMOutput split it by the seconds that prefill and
// decode take. Thinking tokens are output.
type Cost struct {
	PerHour       float64 // GPUs with spares, times the price
	PerRequest    float64
	PerMOutputAll float64 // million output tokens
	PerMTotal     float64 // million tokens, cached prompt tokens included
	PerMInput     float64 // million prompt tokens, cached ones included
	PerMOutput    float64
	PerMShown     float64 // million output tokens that are not thinking, the whole bill; 0 if all are
	// Busy is the share of the fleet's capacity that the mean load uses: the
	// same fleet, full, would sell at Busy times these prices.
	Busy float64
}

const million = 1e6

func costOf(w *Workload, d *Deployment, p *Plan) Cost {
	input, output, thinking, requests := 0.0, 0.0, 0.0, 0.0 // per second, mean
	for i := range w.Classes {
		l := &w.Classes[i]
		requests += l.RequestsPerSec
		input += float64(l.RequestsPerSec * l.PromptTokens)
		output += float64(l.RequestsPerSec * l.OutputTokens)
		thinking += float64(l.RequestsPerSec * l.ThinkingTokens)
	}
	p.InputTokensPerSec, p.OutputTokensPerSec, p.ThinkingTokensPerSec = input, output, thinking
	c := Cost{PerHour: float64(float64(p.GPUs) * d.USDPerGPUHour)}
	second := c.PerHour / 3600
	prefill := p.PrefillShownSeconds / p.ReplicaSeconds
	c.PerRequest = second / requests
	c.PerMOutputAll = second / output * million
	c.PerMTotal = second / (input + output) * million
	c.PerMInput = float64(second*prefill) / input * million
	c.PerMOutput = float64(second*(1-prefill)) / output * million
	if output > thinking {
		c.PerMShown = second / (output - thinking) * million
	}
	c.Busy = float64(requests * p.ReplicaSeconds / float64(p.Replicas+p.SpareReplicas))
	return c
}

// USDPerMTokens is the price of a million tokens of something that costs
// usdPerHour and yields tokensPerSec when full, at a share usedFrac of that:
// without that share it is a number for brochures.
func USDPerMTokens(usdPerHour, tokensPerSec, usedFrac float64) (float64, error) {
	c := &checker{}
	c.within("usdPerHour", usdPerHour, 0, 1e12)
	c.above("tokensPerSec", tokensPerSec, 0, 1e-3, 1e15)
	c.above("usedFrac", usedFrac, 0, 1e-3, 1)
	if c.Err != nil {
		return 0, c.Err
	}
	return usdPerHour / float64(tokensPerSec*usedFrac*3600) * million, nil
}

// ListPrices are USD per million tokens as sellers quote them.
type ListPrices struct{ Hit, Miss, Output float64 }

// Revenue in USD of so many tokens: prompt tokens found in the cache, prompt
// tokens computed, output tokens.
func (l ListPrices) Revenue(hit, miss, output float64) float64 {
	return (float64(l.Hit*hit) + float64(l.Miss*miss) + float64(l.Output*output)) / million
}
