package sizing

import (
	"math"
	"strconv"

	"openloop/content/demo"
	"openloop/content/demo/text"
)

// The run to spend the next hour on: the load at which a replica is as busy as
// the plan means it to be, as commands of the
// tools that can send it. The load is open, so that a slow server does not slow
// it down.

// bench is what all tools are told.
type bench struct {
	rate           float64 // requests/s
	prompt, output int
	cached         int  // tokens that all prompts begin with
	two            bool // lengths are means of two kinds
	requests, warm int
	tpot, ttft     float64 // ms, 0 for none
	shape          float64 // of gamma gaps between requests, 1 for Poisson: vLLM's burstiness
	replicas       string  // what is to be measured
}

// benchSeconds is how long a run takes at least, and benchLeast, benchMost the
// bounds of its requests.
const (
	benchSeconds = 600
	benchLeast   = 100
	benchMost    = 50_000
)

func (r *capacityRun) bench() bench {
	p := r.plan()
	b := bench{two: r.a.two(), tpot: 1000 * r.a.objective.TPOTSeconds, ttft: 1000 * r.a.objective.TTFTSeconds}
	rate, prompt, output, cached, cv2 := 0.0, 0.0, 0.0, 0.0, 0.0
	for i := range r.a.workload.Classes {
		c := &r.a.workload.Classes[i]
		rate += c.RequestsPerSec
		prompt += float64(c.RequestsPerSec * c.PromptTokens)
		output += float64(c.RequestsPerSec * c.OutputTokens)
		cached += float64(c.RequestsPerSec * c.HitFrac * c.PromptTokens)
		cv2 += float64(c.RequestsPerSec * c.ArrivalCV2)
	}
	b.prompt, b.output, b.cached = int(prompt/rate), int(output/rate), int(cached/rate)
	b.rate, b.replicas = p.TargetFrac/p.ReplicaSeconds, "one replica of "+gpus(p.TP)
	if r.a.deployment.Disaggregated {
		b.rate, b.replicas = float64(rate*r.a.workload.Classes[0].PeakToMean), "both pools together"
	}
	b.rate, b.shape = short(b.rate), short(1/r.arriving(cv2/rate))
	b.requests = int(min(max(math.Ceil(benchSeconds*b.rate), benchLeast), benchMost))
	b.warm = max(b.requests/10, 10)
	return b
}

// arriving is the squared coefficient of variation of the gaps between requests
// that come to what is measured, if that of the fleet is cv2. A replica gets its
// share p as if at random: 1 + p (cv2 - 1), exact for renewal processes (Whitt,
// Approximating a Point Process by a Renewal Process, 1982).
func (r *capacityRun) arriving(cv2 float64) float64 {
	if r.a.deployment.Disaggregated {
		return max(cv2, leastCV2)
	}
	return max(1+(cv2-1)/float64(r.plan().Replicas), leastCV2)
}

// leastCV2 keeps even gaps a number.
const leastCV2 = 0.001

// short is a number in four digits.
func short(x float64) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return x
}

// tool is one command with its lines.
type tool struct {
	name  string
	lines []string
	says  string
}

func (b bench) tools() []tool {
	rate := strconv.FormatFloat(b.rate, 'f', -1, 64)
	shared := ""
	if b.cached > 0 {
		shared = " The first " + text.Whole(b.cached) + " tokens of all prompts are the same, so that a prefix cache finds them; the others are new."
	}
	return []tool{
		{"vllm bench serve", b.vllm(rate), "Goodput limits are not saved with the result: keep this command beside it. Warm-ups repeat the first prompt; vLLM of before mid-October 2025 has no --num-warmups (pull request 26943)." + shared},
		{"AIPerf", b.aiperf("aiperf profile", rate), "Goodput counts requests within all limits." + shared},
		{"GenAI-Perf", b.aiperf("genai-perf profile", rate), "The predecessor of AIPerf, with the same names. It sends Poisson arrivals" + b.calmer() + "." + shared},
		{"GuideLLM", b.guidellm(rate), "For GuideLLM from 0.7 on. It sends Poisson arrivals" + b.calmer() + ". The first tenth is not counted. Its time per output token counts the first token: compare its inter-token latency with the promise. Limits are not told to it." + shared},
		{"MLPerf user.conf", b.mlperf(rate), "Prompts and answers are those of the benchmark's data set: LoadGen has no setting for lengths, nor for what prompts share" + b.unsent() + ". Latency counts from the scheduled time, and arrivals are Poisson" + b.calmer() + ". In a closed division the limits are given, and all lines from use_token_latencies on go."},
	}
}

// calmer is how Poisson arrivals differ from those of the plan.
func (b bench) calmer() string {
	switch {
	case b.shape < 1:
		return ", fewer bursts than the plan takes"
	case b.shape > 1:
		return ", more bursts than the plan takes"
	}
	return ""
}

// unsent is what MLPerf's load has not of this one.
func (b bench) unsent() string {
	if b.cached == 0 {
		return ""
	}
	return ", so the " + text.Whole(b.cached) + " cached tokens of this plan cannot be sent"
}

func (b bench) vllm(rate string) []string {
	lines := []string{
		"vllm bench serve",
		`--backend openai --base-url http://localhost:8000 --endpoint /v1/completions --model "$MODEL"`,
		"--dataset-name random --random-input-len " + strconv.Itoa(b.prompt-b.cached) + " --random-output-len " + strconv.Itoa(b.output) + " --ignore-eos",
		"--request-rate " + rate + " --burstiness " + number4(b.shape) + " --num-prompts " + strconv.Itoa(b.requests) + " --num-warmups " + strconv.Itoa(b.warm),
		"--percentile-metrics ttft,tpot,itl,e2el --metric-percentiles 50,90,95,99 --seed $RANDOM --save-result --save-detailed",
	}
	if b.cached > 0 {
		lines = append(lines, "--random-prefix-len "+strconv.Itoa(b.cached))
	}
	return append(lines, b.goodput("ttft", "tpot", false)...)
}

func (b bench) aiperf(command, rate string) []string {
	lines := []string{
		command,
		`--model "$MODEL" --url localhost:8000 --endpoint-type completions --streaming`,
		"--synthetic-input-tokens-mean " + strconv.Itoa(b.prompt-b.cached) + " --synthetic-input-tokens-stddev 0",
		"--output-tokens-mean " + strconv.Itoa(b.output) + " --output-tokens-stddev 0 --extra-inputs ignore_eos:true",
		"--request-rate " + rate + b.gaps(command) + " --request-count " + strconv.Itoa(b.requests) + " --warmup-request-count " + strconv.Itoa(b.warm) + " --random-seed $RANDOM",
	}
	// A hundred prompts would be sent again and again otherwise, and found in the cache.
	lines = append(lines, "--num-dataset-entries "+strconv.Itoa(b.requests+b.warm))
	if b.cached > 0 {
		lines = append(lines, "--num-prefix-prompts 1 --prefix-prompt-length "+strconv.Itoa(b.cached))
	}
	return append(lines, b.goodput("time_to_first_token", "inter_token_latency", command == "aiperf profile")...)
}

// gaps is how AIPerf is told of bursts; its predecessor knows none.
func (b bench) gaps(command string) string {
	if b.shape == 1 || command != "aiperf profile" {
		return ""
	}
	return " --arrival-pattern gamma --arrival-smoothness " + number4(b.shape)
}

func number4(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func (b bench) guidellm(rate string) []string {
	data := "--data kind=synthetic_text,prompt_tokens=" + strconv.Itoa(b.prompt-b.cached) + ",output_tokens=" + strconv.Itoa(b.output)
	if b.cached > 0 {
		data += ",prefix_tokens=" + strconv.Itoa(b.cached) + ",prefix_count=1"
	}
	return []string{
		"guidellm run",
		`--backend "kind=openai_http,target=http://localhost:8000,model=$MODEL"`,
		"--profile kind=poisson,rate=" + rate + ",warmup=0.1 --constraint kind=max_duration,seconds=" + strconv.Itoa(benchSeconds),
		data,
		"--seed kind=static,value=$RANDOM --output kind=json,path=guidellm.json",
	}
}

func (b bench) mlperf(rate string) []string {
	lines := []string{
		"*.Server.target_qps = " + rate,
		"*.Server.min_duration = " + strconv.Itoa(1000*benchSeconds),
		"*.Server.min_query_count = " + strconv.Itoa(b.requests),
	}
	if b.ttft+b.tpot == 0 {
		return lines
	}
	lines = append(lines, "*.Server.use_token_latencies = 1", "*.Server.target_latency = 0")
	if b.ttft > 0 {
		lines = append(lines, "*.Server.ttft_latency = "+millis(b.ttft))
	}
	if b.tpot > 0 {
		lines = append(lines, "*.Server.tpot_latency = "+millis(b.tpot))
	}
	return lines
}

// goodput is the line with the limits that are promised, if any are; quoted for a
// tool that takes them as one word: AIPerf does, its predecessor and vLLM want one each.
func (b bench) goodput(first, token string, quoted bool) []string {
	line := ""
	if b.ttft > 0 {
		line += " " + first + ":" + millis(b.ttft)
	}
	if b.tpot > 0 {
		line += " " + token + ":" + millis(b.tpot)
	}
	if line == "" {
		return nil
	}
	if quoted {
		line = ` "` + line[1:] + `"`
	}
	return []string{"--goodput" + line}
}

func millis(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func (r *capacityRun) benchFigure() demo.Figure {
	f := demo.Figure{ID: "bench", Title: "The next benchmark", Kind: demo.Steps}
	if r.wrong != nil || !r.shown {
		return r.nothing(f)
	}
	b := r.bench()
	for i, t := range b.tools() {
		s := demo.Step{Key: t.name, Name: t.name, Source: t.says}
		for j, line := range t.lines {
			if t.name != "MLPerf user.conf" {
				if j > 0 {
					line = "  " + line
				}
				if j < len(t.lines)-1 {
					line += ` \`
				}
			}
			s.Code = append(s.Code, line)
		}
		if i == 0 {
			s.Strong = true
		}
		f.Steps = append(f.Steps, s)
	}
	f.Steps = append(f.Steps, r.benchNumbers(&b))
	f.Notes = []string{"For " + b.replicas + ": " + text.Num(b.rate, 4) + " requests/s, at which the plan promises what it promises. A rate that holds confirms it; one that does not says which number of the chain to measure next. All lengths are alike, as the plan takes them to be; your own traffic is the better test."}
	f.Notes = append(f.Notes, "$RANDOM is another seed, and other prompts, in each run. With one seed a second run sends the first one's prompts, finds them in the prefix cache (vLLM has one unless told not to) and looks better than your traffic will; else empty the cache before each run.")
	if b.ttft+b.tpot > 0 {
		f.Notes = append(f.Notes, "What the plan promises are means over requests: hold them against the mean times that the tools report. A goodput holds every single request to the same limits, and MLPerf the 99th percentile; both are stricter.")
	}
	if b.two {
		f.Notes = append(f.Notes, "There are two kinds of request; the commands send their mean. Run each kind by itself as well.")
	}
	f.Alt = "Commands of 5 tools that send " + text.Num(b.rate, 4) + " requests/s to " + b.replicas + "."
	f.Table = demo.Table{Caption: f.Title, Columns: []demo.Column{{Name: "Tool"}, {Name: "Command"}}}
	for _, t := range b.tools() {
		f.Table.Rows = append(f.Table.Rows, []demo.Cell{demo.W(t.name), demo.W(joined(t))})
	}
	return f
}

// benchNumbers is where the numbers of the commands are from.
func (r *capacityRun) benchNumbers(b *bench) demo.Step {
	p := r.plan()
	s := demo.Step{Key: "numbers", Name: "The numbers in the commands", Formula: "rate = rho / T, requests = 600 s × rate", Source: "Counted from the plan, and from your settings.", Error: "Of the rate, that of the seconds of a request: " + r.stepError()}
	add := func(symbol, value, from string) {
		s.Terms = append(s.Terms, demo.Term{Symbol: symbol, Value: value, From: from})
	}
	cv2 := 1 / b.shape
	if r.a.deployment.Disaggregated {
		add("rate", number4(b.rate)+" requests/s", "the peak of the fleet: both pools are measured together")
		add("burstiness", number4(b.shape), "1 / "+text.Num(cv2, 4)+", the bursts of your settings")
	} else {
		add("rate", number4(b.rate)+" requests/s", text.Num(p.TargetFrac, 4)+" / "+text.Seconds(p.ReplicaSeconds)+": as busy as a replica may be, over the seconds of a request")
		add("burstiness", number4(b.shape), "1 / (1 + (bursts − 1) / "+text.Whole(p.Replicas)+"): a replica gets its share of the gaps as if at random, so their squared coefficient of variation is "+text.Num(cv2, 4)+" (Whitt, 1982)")
	}
	add("requests", text.Whole(b.requests), "those of "+text.Whole(benchSeconds)+" s, at least "+text.Whole(benchLeast)+", at most "+text.Whole(benchMost))
	add("warm-ups", text.Whole(b.warm), "a tenth of them, at least 10: chosen")
	add("data set entries", text.Whole(b.requests+b.warm), "requests and warm-ups: none is sent twice")
	add("tokens", text.Whole(b.prompt)+" in, "+text.Whole(b.output)+" out", "means of your settings, "+text.Whole(b.cached)+" of those that come in found in the cache")
	if b.ttft+b.tpot > 0 {
		add("limits", text.Num(b.ttft, 4)+" and "+text.Num(b.tpot, 4)+" ms", "what you promise about the first token and each of the others; 0 is nothing")
	}
	return s
}

// joined is a command in one line.
func joined(t tool) string {
	out := ""
	for i, line := range t.lines {
		if i > 0 {
			if t.name == "MLPerf user.conf" {
				out += "; "
			} else {
				out += " "
			}
		}
		out += line
	}
	return out
}
