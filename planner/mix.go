package planner

// mix is the average request of all classes, by rate, and what of it depends on
// the deployment. Sums over tokens weigh a class by the tokens that it decodes,
// since that is how many of a batch are its own.
type mix struct {
	mean, peak     float64 // requests/s
	prompt, output float64 // tokens
	thinking       float64
	cached         float64

	prefill      float64 // seconds of a replica, P
	kv           float64 // seconds of reading KV in a request's life, at one sequence in a step
	compute      float64 // seconds of decode arithmetic in a request's life
	fullKV       float64 // bytes of a sequence as memory must hold it, mean over a batch
	fullTokens   float64 // its tokens
	largestKV    float64 // bytes of the largest class
	context      float64 // mean tokens that a decode step reads for a sequence
	slowest      float64 // seconds, the longest prefill of a class
	longest      float64 // tokens that it computes
	slowestToken float64 // seconds, the longest time of one sequence's KV in one step
	moved        float64 // bytes of KV of a prompt
	ca2, cs2     float64

	prompts prompts // of a request, mean
	decodes decodes // of a decoded token, mean
}

func (p *prompts) add(q *prompts, share float64) {
	p.always += float64(share * q.always)
	p.routed += float64(share * q.routed)
	p.attention += float64(share * q.attention)
	p.tokens += float64(share * q.tokens)
	p.reread += float64(share * q.reread)
}

func (t *decodes) add(u *decodes, share float64) {
	t.always += float64(share * u.always)
	t.routed += float64(share * u.routed)
	t.attention += float64(share * u.attention)
	t.kv += float64(share * u.kv)
	t.seen += float64(share * u.seen)
}

func (t *decodes) divide(tokens float64) {
	t.always /= tokens
	t.routed /= tokens
	t.attention /= tokens
	t.kv /= tokens
	t.seen /= tokens
}

// blend fills the mix for one deployment whose step is known.
func blend(w *Workload, d *Deployment, s *step) mix {
	var m mix
	for i := range w.Classes {
		l := &w.Classes[i]
		m.mean += l.RequestsPerSec
		m.peak += float64(l.RequestsPerSec * l.PeakToMean)
	}
	second := 0.0 // mean squared work of a request, in seconds
	work := 0.0
	tokens := 0.0
	for i := range w.Classes {
		l := &w.Classes[i]
		share := float64(l.RequestsPerSec*l.PeakToMean) / m.peak
		n, o, cached := l.PromptTokens, l.OutputTokens, l.cached(d)
		context := n + float64(0.5*o)
		prompt, token := s.promptOf(d, n-cached, cached), s.tokenOf(d, context)
		prefill := s.prefill(d, prompt)
		kv, compute := s.token(d, token)
		full := n + o
		if d.ReserveMean {
			full = context
		}
		bytes := s.sizes.kvBytes(d, full)

		m.prompt += float64(share * n)
		m.output += float64(share * o)
		m.thinking += float64(share * l.ThinkingTokens)
		m.cached += float64(share * cached)
		m.prefill += float64(share * prefill)
		m.kv += float64(share * float64(o*kv))
		m.compute += float64(share * float64(o*compute))
		m.moved += float64(share * s.sizes.kvBytes(d, n))
		decoded := float64(share * o)
		m.prompts.add(&prompt, share)
		m.decodes.add(&token, decoded)
		tokens += decoded
		m.fullKV += float64(decoded * bytes)
		m.fullTokens += float64(decoded * full)
		m.context += float64(decoded * context)
		m.largestKV = max(m.largestKV, bytes)
		if prefill > m.slowest {
			m.slowest, m.longest = prefill, n-cached
		}
		m.slowestToken = max(m.slowestToken, kv)
		m.ca2 += float64(share * l.ArrivalCV2)
		own := prefill + float64(o*kv)
		work += float64(share * own)
		second += float64(share * float64(float64(own*own)*(1+l.ServiceCV2)))
	}
	m.fullKV /= tokens
	m.fullTokens /= tokens
	m.context /= tokens
	m.decodes.divide(tokens)
	m.cs2 = max(second/float64(work*work)-1, 0)
	return m
}
