package planner

// Power, for those who pay for it themselves. What a GPU is rated at is not what
// it draws: measured servers are listed beside.

// Power is a fleet's draw.
type Power struct {
	Watts                float64 // GPUs alone, at their rated power
	FacilityWatts        float64 // times PUE, power usage effectiveness of the site
	JoulesPerOutputToken float64 // facility, whole fleet over the mean output
	USDPerHour           float64
	USDPerMOutput        float64
}

// Power of the plan for rated power, which is an upper bound for the GPUs and
// leaves out the rest of their servers. pue is in [1, 10], 1 leaves cooling out.
// An error if the GPU's power is not known.
func (p *Plan) Power(pue, usdPerKWh float64) (Power, error) {
	c := &checker{}
	c.within("pue", pue, 1, 10)
	c.within("usdPerKWh", usdPerKWh, 0, 100)
	if p.made.GPU == nil {
		c.fail("Plan", "none", "a plan that Evaluate made", "")
	} else {
		c.above("Deployment.GPU.PowerWatts", p.made.GPU.PowerWatts, 0, 700, 1e5)
	}
	if c.Err != nil {
		return Power{}, c.Err
	}
	var out Power
	out.Watts = float64(float64(p.GPUs) * p.made.GPU.PowerWatts)
	out.FacilityWatts = float64(out.Watts * pue)
	out.JoulesPerOutputToken = out.FacilityWatts / p.OutputTokensPerSec
	out.USDPerHour = out.FacilityWatts / 1000 * usdPerKWh
	out.USDPerMOutput = out.USDPerHour / float64(p.OutputTokensPerSec*3600) * million
	return out, nil
}

// MeasuredPower is a whole server under a benchmark.
type MeasuredPower struct {
	Server, Workload string
	Watts            float64 // mean over the timed window
	TokensPerSec     float64 // output; 0: not stated here
	JoulesPerToken   float64
	Source           string
}

const mlperfPower = "MLPerf Inference v4.1, power submission; the limit costs 17 to 21% of the throughput"

var measuredPower = [...]MeasuredPower{
	{"8 H200, power limited", "Llama 2 70B, Offline", 6153, 25262, 0.244, mlperfPower},
	{"8 H200, power limited", "Llama 2 70B, Server", 6280, 23113, 0.272, mlperfPower},
	{"8 H200, power limited", "Mixtral 8x7B, Offline", 6155, 0, 0.126, mlperfPower},
	{"8 H200, power limited", "Mixtral 8x7B, Server", 6175, 0, 0.136, mlperfPower},
}

// MeasuredPowers lists servers whose power was measured.
func MeasuredPowers() []MeasuredPower { return append([]MeasuredPower(nil), measuredPower[:]...) }
