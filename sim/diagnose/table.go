package diagnose

import "openloop/sim"

// The evidence: what each failure does to each sign that tells of it.
//
// A line gives its first number of points if the sign moved as it says, in
// proportion to how clearly it did, and takes the second if the sign is known
// and did not. For a sign that should stay where it is, the first is given if
// it did. What is not known gives and takes nothing. A key is a sign without
// which a failure is not one: known and still, it rules the failure out.
//
// What comes from outside weighs most: arrivals, lengths, drafts and replicas
// move by themselves, gaps and queues follow.

type line struct {
	sign  Sign
	move  sim.Move
	plus  float64
	minus float64
	key   bool
	bare  bool // counts only where the eight signals are all there is
}

type row struct {
	verdict string
	lines   []line
	brings  []Sign // moves that this failure may bring along: no sign of another
	among   []Sign // of one replica among several: one of these must be known for a verdict
}

const (
	up      = sim.Up
	down    = sim.Down
	flat    = sim.Flat
	notUp   = sim.Move(2)  // flat or down
	notDown = sim.Move(-2) // flat or up
)

const (
	queue    = Sign(sim.QueueDepth)
	ttft     = Sign(sim.TTFTp99)
	itl      = Sign(sim.ITLp99)
	batch    = Sign(sim.RunningBatch)
	kv       = Sign(sim.KVOccupancy)
	preempts = Sign(sim.PreemptionRate)
	hit      = Sign(sim.PrefixHit)
	accepted = Sign(sim.AcceptedLength)

	prompts    = strip + Sign(sim.PromptTokensMean)
	outputs    = strip + Sign(sim.OutputTokensMean)
	promptRate = strip + Sign(sim.PromptRate)
	uneven     = strip + Sign(sim.Imbalance)
)

var table = [...]row{
	{"traffic_surge", []line{
		{FirstAttempts, up, 7, 4, true, false},  // more come; it is what the name says
		{RampUp, flat, 0, 6, false, false},      // bit by bit it is a day, no surge
		{promptRate, up, 1, 0, false, false},    // and bring their prompts
		{batch, up, 1, 0.5, false, false},       // the batch fills
		{queue, up, 1, 0, false, false},         // then they wait
		{QueueLong, up, 2, 0, false, false},     // for long
		{FallsBehind, up, 2, 0, false, false},   // because more come than leave
		{ttft, up, 0.5, 0, false, false},        // which the first token shows
		{KVFull, flat, 1, 0.5, false, false},    // seats or compute run out, not blocks
		{prompts, notUp, 0.5, 3, false, false},  // requests are as before
		{outputs, notUp, 0.5, 3, false, false},  //
		{PerPrompt, flat, 0, 1, false, false},   //
		{accepted, notDown, 0, 2, false, false}, //
		{batch, up, 4, 2, false, true},
		{queue, up, 1, 0, false, true},
		{KVPerRequest, notUp, 1, 3, false, true},
		{GapsFirst, flat, 1, 2, false, true},
		{hit, notDown, 0.5, 2, false, true},
		{GapsLead, flat, 1, 3, false, true},
		{Stalled, flat, 0, 5, false, true},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, hit, DecodeWaiting}, nil},
	{"long_prompt_flood", []line{
		{prompts, up, 9, 4, true, false},         // prompts are longer; it is what the name says
		{promptRate, up, 1, 1, false, false},     // so more prompt tokens come
		{PerPrompt, down, 2, 1, false, false},    // and fewer are generated for each
		{ttft, up, 1, 0.5, false, false},         // a long prompt takes long to compute
		{kv, up, 1, 0.5, false, false},           // and fills the cache
		{KVPerRequest, up, 1, 0.5, false, false}, // each holds more of it
		{hit, down, 0.5, 0, false, false},        // what is shared is a smaller part
		{DecodeStarved, up, 4, 0, false, false},  // prompts take the steps from who decodes
		{KVPerRequest, up, 3, 2, false, true},
		{hit, down, 2, 1, false, true},
		{ttft, up, 2, 2, false, true},
		{itl, up, 1, 1, false, true},
		{batch, notDown, 0, 1, false, true},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, hit, DecodeWaiting}, nil},
	{"long_output_drift", []line{
		{outputs, up, 9, 4, true, false},       // answers are longer; it is what the name says
		{PerPrompt, up, 2, 1, false, false},    // more is generated for each prompt
		{batch, up, 1, 0.5, false, false},      // each stays longer
		{kv, up, 1, 0.5, false, false},         // and holds more
		{prompts, notUp, 0.5, 3, false, false}, // prompts are as before
		{KVPerRequest, up, 2, 1, false, true},
		{batch, up, 4, 2, false, true},
		{hit, notDown, 1, 1, false, true},
		{GapsFirst, flat, 0.5, 1, false, true},
	}, []Sign{RetryShare, KVPerRequest, MeanGap, itl, ITLLeast, hit, DecodeWaiting}, nil},
	{"kv_squeeze", []line{
		{KVPerRequest, up, 6, 3, false, false},       // what leaked reads as held
		{kv, up, 2, 2, false, false},                 // the cache fills
		{KVFull, up, 2, 0, false, false},             // to the brim
		{Preempting, up, 3, 0, false, false},         // and requests are thrown back
		{prompts, notUp, 1, 5, false, false},         // longer prompts would explain it
		{outputs, notUp, 1, 5, false, false},         // and longer answers
		{PerPrompt, flat, 0, 1, false, false},        // both change this
		{HitAlone, flat, 0.5, 4, false, false},       // a lost prefix would explain it in part
		{HoldsMore, up, 5, 0, false, false},          // but not so much
		{LossFirst, flat, 0, 9, false, false},        // nor first, and of that size
		{FirstAttempts, notUp, 0.5, 3, false, false}, // as many come as before
		{DecodeRoom, flat, 0, 8, false, false},       // blocks that wait to be sent are no leak
		{LeaksAway, up, 1, 0, false, false},          // a leak is slow
		{Stalled, flat, 0, 4, false, false},          // a stall holds blocks too
		{batch, notUp, 1, 2, false, true},
		{itl, notUp, 1, 3, false, true},
		{hit, notDown, 0, 4, false, true}, // where prompts are not counted it may be that they are longer
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, hit, DecodeWaiting}, nil},
	{"prefix_collapse", []line{
		{hit, down, 8, 5, true, false},             // nothing is found any more
		{prompts, notUp, 1, 5, false, false},       // a flood dilutes what is shared
		{promptRate, flat, 0, 1, false, false},     // the same prompts come
		{FirstAttempts, notUp, 0, 5, false, false}, // more load evicts what is cached
		{ttft, up, 0.5, 0, false, false},           // more of each prompt is computed
		{ReplicasDown, flat, 0.5, 5, false, false}, // a new replica is cold
		{ShareApart, notUp, 0, 5, false, false},    // a favored replica evicts
		{ITLApart, notUp, 0, 4, false, false},      // and a slow one
		{HoldsMore, flat, 0, 5, false, false},      // a full cache evicts
		{LeaksAway, flat, 0, 3, false, false},      // above all a leaking one
		{KVFull, flat, 0, 3, false, false},         // what is found no more frees blocks; it does not fill the cache
		{Preempting, flat, 0, 3, false, false},     // nor throws requests back
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, KVPerRequest, DecodeWaiting}, nil},
	{"draft_collapse", []line{
		{accepted, down, 9, 2, false, false},  // guesses are refused
		{DraftWasted, up, 4, 0, false, false}, // nearly all of them, whatever was before
		{batch, up, 0.5, 0, false, false},     // answers take more steps
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, DecodeWaiting}, nil},
	{"all_gpus_throttled", []line{
		{itl, up, 2, 3, true, false},                 // steps are longer
		{ITLLeast, up, 2, 1, false, false},           // on the fastest replica too
		{MeanGap, up, 2, 0, false, false},            // not the longest alone
		{GapsAlike, up, 2, 3, false, false},          // the mean grows as they do
		{GapsLead, up, 1, 4, false, false},           // more than the batch explains
		{AllSlow, up, 1, 1, false, false},            // no replica is spared
		{GapsFirst, up, 1, 2, false, false},          // before the batch fills
		{Stalled, flat, 0, 4, false, false},          // nobody stands still
		{WornOff, flat, 0.5, 5, false, false},        // and it stays so
		{ITLApart, notUp, 0, 5, false, false},        // one slow replica is a straggler
		{FirstAttempts, notUp, 0.5, 3, false, false}, // nothing from outside explains it: arrivals,
		{prompts, notUp, 0.5, 3, false, false},       // prompts,
		{outputs, notUp, 0.5, 3, false, false},       // answers,
		{hit, notDown, 0.5, 3, false, false},         // the cache,
		{accepted, notDown, 0.5, 5, false, false},    // drafts,
		{ReplicasDown, flat, 0.5, 6, false, false},   // replicas
		{GapsAreWaits, flat, 0, 6, false, false},     // nor a queue before the decoders
		{GapsStay, up, 0, 3, false, false},
		{itl, up, 3, 3, false, true},
		{GapsFirst, up, 2, 3, false, true},
		{batch, up, 1, 1, false, true},
		{KVPerRequest, notUp, 1, 2, false, true},
		{GapsLead, up, 1, 3, false, true},
		{GapsAlone, flat, 0.5, 2, false, true},
	}, []Sign{RetryShare, DecodeWaiting}, nil},
	{"straggler", []line{
		{ITLApart, up, 9, 4, true, false},          // one replica's gaps are apart
		{SlowReplica, up, 5, 0, false, false},      // or so much longer that no comparison is needed
		{itl, up, 2, 6, false, false},              // they are the cluster's longest
		{AllSlow, flat, 1, 8, false, false},        // the others are as before
		{SlowFavored, flat, 1, 5, false, false},    // it is not the one that gets more
		{SlowSpared, up, 1, 0, false, false},       // a router may spare it
		{ReplicasDown, flat, 0, 3, false, false},   // nobody is gone
		{WornOff, flat, 0, 4, false, false},        // and it stays so
		{DecodeWaiting, notUp, 0, 5, false, false}, // waiting for a seat is no slowness
		{GapsAreWaits, flat, 0, 6, false, false},
		{GapsStay, up, 0, 3, false, false},
		{itl, up, 3, 3, false, true},
		{batch, up, 1, 0.5, false, true},
		{KVFull, flat, 1, 1, false, true},
		{queue, flat, 1, 1, false, true},
		{KVPerRequest, notUp, 0.5, 2, false, true},
		{GapsAlone, up, 2, 2, false, true},
	}, []Sign{RetryShare, MeanGap, uneven, DecodeWaiting}, []Sign{ITLApart, SlowReplica}},
	{"replica_restart", []line{
		{Restarted, up, 10, 0, false, false},   // the counters began again
		{ReplicasDown, up, 12, 4, true, false}, // a replica is gone
		{Rolling, flat, 0, 12, false, false},   // one after the other is a plan
		{kv, up, 3, 2, false, true},
		{KVPerRequest, up, 1, 0, false, true},
		{batch, notUp, 1, 1, false, true},
		{queue, flat, 1, 1, false, true},
		{hit, notDown, 0, 1, false, true},
		{itl, notUp, 1, 1, false, true},
		{KVFull, flat, 1, 1, false, true},
	}, []Sign{RetryShare, hit, MeanGap, itl, ITLLeast, KVPerRequest, DecodeWaiting}, []Sign{ReplicasDown, Restarted}},
	{"retry_storm", []line{
		{RetryShare, up, 6, 4, true, false},        // clients ask again
		{Stalled, up, 5, 4, false, false},          // after a stall
		{queue, up, 2, 2, false, false},            // and fill the queue
		{FirstAttempts, notUp, 1, 3, false, false}, // no more of them than before
		{prompts, notUp, 0.5, 6, false, false},     // asking for no more
		{Stalled, up, 4, 2, false, true},
	}, []Sign{MeanGap, itl, ITLLeast, outputs, KVPerRequest, DecodeWaiting}, nil},
	{"cold_start", []line{
		{itl, up, 2, 3, true, false},                 // first steps of a size are long
		{WornOff, up, 6, 4, true, false},             // and each only once
		{GapsFirst, up, 0, 4, false, false},          // before anything fills
		{ITLLeast, up, 1, 1, false, false},           // on all replicas
		{ttft, up, 1, 0.5, false, false},             // prompts pay as well
		{FirstAttempts, notUp, 0.5, 3, false, false}, // no more come
		{ITLApart, notUp, 0, 5, false, false},        // it is not one replica
		{hit, down, 1, 0, false, false},              // caches are empty
		{ReplicasDown, flat, 0, 6, false, false},     // nobody is gone
		{DecodeRoom, flat, 0, 1, false, false},       // a slow link is no start
		{KVPerRequest, notUp, 0, 4, false, false},    // nor is a leak
		{GapsAreWaits, flat, 0, 6, false, false},
	}, []Sign{RetryShare, MeanGap, ITLLeast, DecodeWaiting}, nil},
	{"skewed_routing", []line{
		{ShareApart, up, 8, 4, true, false},      // more comes to one replica
		{FavoredOne, up, 5, 0, false, false},     // or so much more that no comparison is needed
		{SlowSpared, flat, 1, 9, false, false},   // a slow replica makes the others favored
		{uneven, up, 2, 2, false, false},         // it fills
		{kv, up, 1, 0.5, false, false},           // its cache first
		{ReplicasDown, flat, 0, 3, false, false}, // a replica that is gone makes the others favored
		{kv, up, 2, 2, false, true},
		{KVPerRequest, up, 2, 1, false, true},
		{batch, flat, 1, 1, false, true},
		{queue, up, 1.5, 1, false, true},
		{ttft, up, 1, 0.5, false, true},
		{KVFull, flat, 1, 1, false, true},
		{itl, notUp, 0.5, 1, false, true},
	}, []Sign{RetryShare, MeanGap, itl, ITLLeast, ITLApart, hit}, []Sign{ShareApart, FavoredOne}},
	{"slow_kv_link", []line{
		{PoolsApart, up, 0, 9, true, false},          // there is a link
		{DecodeWaiting, up, 6, 4, true, false},       // requests wait for their KV
		{DecodeRoom, up, 4, 5, false, false},         // where there is room for it
		{KVPerRequest, up, 1, 0, false, false},       // blocks are held until they are sent
		{batch, notUp, 1, 3, false, false},           // fewer decode
		{queue, up, 1, 2, false, false},              // who is on the way waits
		{itl, up, 1, 0.5, false, false},              // the first gap holds the transfer
		{kv, up, 1, 0.5, false, false},               // blocks stay at the source
		{FirstAttempts, notUp, 0.5, 3, false, false}, // no more come
		{prompts, notUp, 0.5, 3, false, false},       // nothing longer is asked
		{outputs, notUp, 0.5, 3, false, false},
		{RetryShare, notUp, 0, 2, false, false}, // clients do not ask again
		{WornOff, flat, 0, 5, false, false},     // and it stays so
		{batch, down, 4, 2, false, true},
		{itl, up, 2, 1, false, true},
		{GapsAlone, up, 2, 2, false, true},
	}, []Sign{RetryShare, KVPerRequest, ITLLeast}, nil},
	{"chunking_off", []line{
		{itl, up, 4, 4, true, false},          // a whole prompt sits in a step
		{GapsAlike, flat, 2, 3, false, false}, // now and then: the mean gap is as before
		{queue, notUp, 0.5, 2, false, false},  // the same work is done
		{DecodeWaiting, notUp, 0, 5, false, false},
		{batch, notUp, 1, 1, false, false},           // by as many
		{FirstAttempts, notUp, 0.5, 3, false, false}, // no more come
		{prompts, notUp, 0.5, 3, false, false},       // nothing longer is asked
		{accepted, notDown, 0, 3, false, false},      // drafts are as good
		{ReplicasDown, flat, 0, 6, false, false},     // nobody is gone
		{hit, notDown, 0, 2, false, false},           // and as much is found
		{KVPerRequest, notUp, 0, 3, false, false},    // nobody holds more
		{ITLLeast, up, 1, 2, false, false},           // all replicas do it
		{ITLApart, notUp, 0, 4, false, false},        // not one
		{WornOff, flat, 0.5, 5, false, false},        // and it stays so
		{GapsAreWaits, flat, 0, 6, false, false},
		{GapsStay, up, 0, 3, false, false},
		{ttft, notUp, 1, 2, false, true},
		{batch, notUp, 1, 2, false, true},
		{kv, notUp, 1, 2, false, true},
		{GapsAlone, up, 1, 2, false, true},
	}, []Sign{RetryShare}, nil},

	// Nothing is broken.
	{Healthy, []line{
		{Rolling, up, 14, 0, true, false}, // replicas come back one after the other: somebody wants that
	}, nil, nil},
	{Healthy, []line{
		{RampUp, up, 8, 0, true, false},        // as every day; and there is room for it
		{FirstAttempts, up, 2, 0, true, false}, // no more come
		{QueueLong, flat, 1, 6, false, false},
		{queue, notUp, 0, 3, false, false}, // the same work is done
		{Hurts, flat, 1, 8, false, false},
		{FallsBehind, flat, 1, 3, false, false},
		{prompts, notUp, 0, 5, false, false},    // nothing longer is asked
		{accepted, notDown, 0, 5, false, false}, // drafts are as good
	}, nil, nil},
}
