package sim

// The autoscaler. Each Every it wants as many replicas as bring the sum of its
// signal down to Target each, within Min and Max:
//
//	wanted = ceil(sum over the replicas that are there / Target)
//
// which is what a horizontal autoscaler on an average value does. Replicas that
// were ordered count as had. Those that are missing are ordered at once, and
// are up after Lag and Load, cold. One too many is drained, the last one first,
// if fewer were wanted at every evaluation of the last Stable; a drained replica
// is given back at the evaluation after its last request. A draining one is
// called back before a new one is ordered. Broken replicas count as missing.

// evaluate is one look of the autoscaler.
func (s *ServingSim) evaluate() {
	a := &s.c.Scale
	sum := 0.0
	had := 0
	for i := range s.replicas {
		r := &s.replicas[i]
		if r.presence == draining && r.requests() == 0 && r.inFlight == 0 {
			r.setPresence(off)
		}
		if r.there() {
			sum += r.scaleSignal(a.Signal)
		}
		if r.presence == up || r.presence == booting {
			had++
		}
	}
	wanted := a.Max
	if x := sum / a.Target; x < float64(a.Max) {
		wanted = int(x)
		if float64(wanted) < x {
			wanted++
		}
	}
	wanted = max(wanted, a.Min)
	if wanted >= had {
		s.fewer = -1
		s.order(wanted - had)
		return
	}
	if s.fewer < 0 {
		s.fewer = s.now
	}
	if s.now-s.fewer >= a.Stable.Picos() {
		s.fewer = s.now
		s.drainLast()
	}
}

func (r *replica) scaleSignal(by ScaleSignal) float64 {
	switch by {
	case ScaleOnQueue:
		return float64(r.waiting)
	case ScaleOnKV:
		r.settleBefore()
		return float64(r.kv.used()) / float64(r.kv.total)
	}
	return float64(r.requests())
}

// order brings n more replicas on their way.
func (s *ServingSim) order(n int) {
	for _, from := range [...]presence{draining, off} {
		for i := range s.replicas {
			r := &s.replicas[i]
			if n == 0 {
				return
			}
			if r.presence != from || r.cond.down {
				continue
			}
			n--
			if from == draining {
				r.setPresence(up)
				continue
			}
			r.setPresence(booting)
			r.bootAt = s.now + (s.c.Scale.Lag + s.c.Scale.Load).Picos()
		}
	}
}

// drainLast takes the last replica that is up, or still on its way, out.
func (s *ServingSim) drainLast() {
	for i := len(s.replicas) - 1; i >= 0; i-- {
		switch r := &s.replicas[i]; r.presence {
		case booting:
			r.setPresence(off)
			return
		case up:
			r.setPresence(draining)
			return
		}
	}
}

// bootDue brings up the replicas that are ready.
func (s *ServingSim) bootDue() {
	for i := range s.replicas {
		if r := &s.replicas[i]; r.presence == booting && r.bootAt <= s.now {
			r.boot()
		}
	}
}
