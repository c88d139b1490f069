package sim

// waitQueue holds the requests that wait for a seat, by slot. Under FCFS it is
// a ring: arrivals join at the back, preempted requests at the front. Under
// Priority it is a heap by (Priority, order of arrival), and a preempted
// request goes back to where its key puts it.
//
// A request that ends while it waits stays inside, marked, until it comes to
// the head; replica.waiting counts the others.
type waitQueue struct {
	policy Policy
	slots  []int32 // ring, of a power of two, or heap
	head   int     // of the ring
	n      int
}

// put adds an arrival.
func (q *waitQueue) put(seqs []seq, slot int32) {
	q.grow()
	if q.policy == Priority {
		q.up(seqs, slot)
		return
	}
	q.slots[(q.head+q.n)&(len(q.slots)-1)] = slot
	q.n++
}

// putBack adds a preempted request.
func (q *waitQueue) putBack(seqs []seq, slot int32) {
	q.grow()
	if q.policy == Priority {
		q.up(seqs, slot)
		return
	}
	q.head = (q.head - 1) & (len(q.slots) - 1)
	q.slots[q.head] = slot
	q.n++
}

// first is the slot at the head; the queue is not empty.
func (q *waitQueue) first() int32 { return q.slots[q.head] }

// drop removes the head.
func (q *waitQueue) drop(seqs []seq) {
	q.n--
	if q.policy == Priority {
		q.down(seqs, q.slots[q.n])
		return
	}
	q.head = (q.head + 1) & (len(q.slots) - 1)
}

func (q *waitQueue) grow() {
	if q.n < len(q.slots) {
		return
	}
	bigger := make([]int32, max(16, 2*len(q.slots)))
	n := copy(bigger, q.slots[q.head:])
	copy(bigger[n:], q.slots[:q.head])
	q.slots, q.head = bigger, 0
}

// before says whether a comes out first.
func before(a, b *seq) bool {
	if a.priority != b.priority {
		return a.priority < b.priority
	}
	return a.request < b.request
}

// up puts slot into the heap from below.
func (q *waitQueue) up(seqs []seq, slot int32) {
	i := q.n
	q.n++
	for i > 0 {
		parent := (i - 1) / 2
		if !before(&seqs[slot], &seqs[q.slots[parent]]) {
			break
		}
		q.slots[i] = q.slots[parent]
		i = parent
	}
	q.slots[i] = slot
}

// down puts slot into the place of the head and lets it sink.
func (q *waitQueue) down(seqs []seq, slot int32) {
	i := 0
	for {
		child := 2*i + 1
		if child >= q.n {
			break
		}
		if child+1 < q.n && before(&seqs[q.slots[child+1]], &seqs[q.slots[child]]) {
			child++
		}
		if !before(&seqs[q.slots[child]], &seqs[slot]) {
			break
		}
		q.slots[i] = q.slots[child]
		i = child
	}
	q.slots[i] = slot
}

// at is the slot of entry i, in no order that matters.
func (q *waitQueue) at(i int) int32 {
	if q.policy == Priority {
		return q.slots[i]
	}
	return q.slots[(q.head+i)&(len(q.slots)-1)]
}
