package sim

import "math"

// An instant, and how it is cut. What happens at one instant comes in stages.
// Work may stop before any event of a stage and go on there later: a million
// requests may arrive at once. All others do whole instants.

// stage is the part of an instant that comes next.
type stage uint8

const (
	between  stage = iota // no instant has begun
	stepsEnd              // replica by replica
	givingUp              // client by client
	arriving              // request by request
	deciding              // replica by replica
)

// The units of Work. The least effort of an event is eventEffort.
const (
	effortPerUnit = 150
	eventEffort   = 15
	eventsPerUnit = effortPerUnit / eventEffort
	maxBudget     = 1 << 30 // some 18 minutes
	unlimited     = math.MaxInt64
)

// advance does the next instant, if it is not after limit, or as much of it as
// there is effort left for; it goes on with one that was begun. It returns
// false if there is none, and at the end of the run.
//
// Every call makes progress: time moves on, or a request arrives or ends, or a
// step starts or ends. The instants of a run are finite in number because each
// step takes at least 1 ps and gives a token or computes a part of a prompt
// (schedule.go says why a replica with requests always has a step to do).
func (s *ServingSim) advance(limit Picos) bool {
	if s.stage == between {
		if !s.begin(limit) {
			return false
		}
	} else if s.now > limit {
		return false
	}
	s.instant()
	return true
}

// begin moves on to the next instant, if it is not after limit.
func (s *ServingSim) begin(limit Picos) bool {
	if s.over {
		return false
	}
	arrival := s.nextArrival()
	if arrival == never && s.live == 0 && !s.promised() {
		s.finish()
		return false
	}
	t := arrival
	for _, w := range s.wake {
		t = min(t, w)
	}
	if t == never {
		s.checkProgress()
	}
	if t = min(t, s.nextOutside()); t > limit {
		if limit == s.end {
			s.now = s.end
			s.finish()
		}
		return false
	}
	s.now = t
	s.stage, s.place = stepsEnd, 0
	return true
}

// instant does what happens now, from the stage it stands in.
func (s *ServingSim) instant() {
	if s.stage == stepsEnd {
		if !s.endSteps() {
			return
		}
		s.stage = givingUp
	}
	if s.stage == givingUp {
		if !s.expire() {
			return
		}
		s.stage = arriving
	}
	if s.stage == arriving {
		if !s.arrivals() {
			return
		}
		s.stage, s.place = deciding, 0
	}
	if s.stage == deciding && !s.paused() && !s.decide() {
		return
	}
	s.close()
}

// endSteps ends the steps that are due, and returns false if it has to go on
// later.
func (s *ServingSim) endSteps() bool {
	for i := s.place; i < len(s.wake); i++ {
		if s.wake[i] > s.now {
			continue
		}
		if s.effort >= s.enough {
			s.place = i
			return false
		}
		s.effort += eventEffort
		s.replicas[i].endStep()
	}
	return true
}

// decide lets the replicas schedule that have to, and returns false if it has
// to go on later.
func (s *ServingSim) decide() bool {
	for i := s.place; i < len(s.replicas); i++ {
		r := &s.replicas[i]
		if !r.due {
			continue
		}
		if s.c.Timeout > 0 && !r.sweep() || s.effort >= s.enough {
			s.place = i
			return false
		}
		s.effort += eventEffort
		r.scheduleAll()
	}
	return true
}

// close is the end of an instant.
func (s *ServingSim) close() {
	s.stage = between
	if s.now == s.windowTo {
		s.closeWindow()
	}
	if s.now == s.pauseWarning() {
		for i := range s.replicas {
			s.replicas[i].cut()
		}
	}
}
