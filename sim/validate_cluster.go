package sim

// checkCluster refuses what a Config gets wrong beyond its engine.
func (c *Config) checkCluster(k *checker, longest Nanos) {
	if c.RefreshEvery != 0 {
		k.span("RefreshEvery", c.RefreshEvery, minSample, longest)
	}
	if c.Routing == PrefixAffinity {
		k.int("Affinity.Blocks", int64(c.Affinity.Blocks), 1, maxBlocks)
		if !c.Engine.PrefixCache {
			k.fail("Engine.PrefixCache", "false", "true for PrefixAffinity")
		}
	}
	k.int("Affinity.Guard", int64(c.Affinity.Guard), 0, maxTokens)
	c.Pools.check(k, c)
	c.Scale.check(k, c, longest)
	c.Engine.Swap.check(k, &c.Engine)
	times := 1.0
	for i := range c.Changes {
		c.Changes[i].check(k, indexed("Changes", i), c, longest)
		times = min(1e18, times*max(1, c.Changes[i].Slower))
	}
	if l, ok := c.Engine.Cost.(LinearCost); ok && times > 1 && k.Err == nil {
		slowed(l, times).(LinearCost).check(k, "Engine.Cost(LinearCost) times the Changes' Slower", &c.Engine)
	}
}

func (p Pools) check(k *checker, c *Config) {
	if p == (Pools{}) {
		return
	}
	k.int("Pools.Prefill", int64(p.Prefill), 1, int64(c.Replicas-1))
	k.int("Pools.BytesPerToken", p.BytesPerToken, 1, 1e9)
	k.float("Pools.BytesPerSec", p.BytesPerSec, 1, 1e15)
}

func (a Autoscaler) check(k *checker, c *Config, longest Nanos) {
	if a == (Autoscaler{}) {
		return
	}
	k.span("Scale.Every", a.Every, Millisecond, longest)
	k.int("Scale.Signal", int64(a.Signal), 0, int64(ScaleOnKV))
	k.float("Scale.Target", a.Target, 1e-3, 1e9)
	k.span("Scale.Lag", a.Lag, 0, longest)
	k.span("Scale.Load", a.Load, 0, longest)
	k.span("Scale.Stable", a.Stable, 0, longest)
	k.int("Scale.Min", int64(a.Min), 1, int64(c.Replicas))
	k.int("Scale.Max", int64(a.Max), int64(c.Replicas), maxReplicas)
	if c.Pools.Prefill > 0 {
		k.fail("Scale.Every", intText(int64(a.Every))+" ns", "0 with Pools")
	}
}

func (s Swap) check(k *checker, e *Engine) {
	k.int("Engine.Swap.HostBlocks", int64(s.HostBlocks), 0, maxBlocks)
	k.int("Engine.Swap.PerBlock", int64(s.PerBlock), 0, int64(Second.Picos()))
	if s.HostBlocks > 0 && e.Async {
		k.fail("Engine.Swap.HostBlocks", intText(int64(s.HostBlocks)), "0 with Engine.Async")
	}
}

// mostTimes is the largest factor of a Change.
const mostTimes = 1000

func (x *Change) check(k *checker, field string, c *Config, longest Nanos) {
	k.span(field+".From", x.From, 0, longest)
	k.span(field+".To", x.To, x.From+1, longest+1)
	k.int(field+".Replica", int64(x.Replica), All, int64(max(c.Replicas, c.Scale.Max)-1))
	if x.Slower != 0 {
		k.float(field+".Slower", x.Slower, 1, mostTimes)
	}
	k.float(field+".LostKV", x.LostKV, 0, 1)
	k.float(field+".AcceptLoss", x.AcceptLoss, 0, 1)
	if x.WholePrompts != 0 {
		k.int(field+".WholePrompts", int64(x.WholePrompts), int64(c.Engine.MaxNumSeqs), maxTokens)
	}
	k.int(field+".WarmUp.GraphCapture", int64(x.WarmUp.GraphCapture), 0, int64(maxWarmUp))
	k.int(field+".WarmUp.Autotune", int64(x.WarmUp.Autotune), 0, int64(maxWarmUp))
	k.int(field+".WarmUp.AllocatorGrowth", int64(x.WarmUp.AllocatorGrowth), 0, int64(maxWarmUp))
	if x.WarmUp != (WarmUp{}) && !x.Cold {
		k.fail(field+".WarmUp", "set", "zero unless Cold")
	}
	if k.float(field+".Skew", x.Skew, 0, 1); x.Skew > 0 && x.Replica == All {
		k.fail(field+".Replica", "All", "0 to "+intText(int64(c.Replicas-1))+" with Skew")
	}
	if x.Skew > 0 && c.Pools.Prefill > 0 {
		k.int(field+".Replica", int64(x.Replica), 0, int64(c.Pools.Prefill-1))
	}
	if x.LinkSlower != 0 {
		k.float(field+".LinkSlower", x.LinkSlower, 1, 1e9)
		if c.Pools.Prefill == 0 {
			k.fail(field+".LinkSlower", floatText(x.LinkSlower), "0 without Pools")
		}
	}
}
