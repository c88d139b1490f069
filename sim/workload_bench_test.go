package sim

import "testing"

// BenchmarkSource is the time of one request: Next, Take, and its Ended. Each
// runs at a server that keeps about 30 requests in flight.
func BenchmarkSource(b *testing.B) {
	for _, k := range kinds {
		if k.name == "replay" {
			continue // measured below, with as many rows as requests
		}
		b.Run(k.name, func(b *testing.B) { benchSource(b, k.w) })
	}
	b.Run("replay", func(b *testing.B) {
		tr := Trace{}
		for i := range MaxRequests / 10 {
			tr.At = append(tr.At, Nanos(i/4)*Second)
			tr.Prompt, tr.Output = append(tr.Prompt, 100), append(tr.Output, 10)
		}
		benchSource(b, tr.Replay(100, Second))
	})
}

// benchSource runs plans of a million requests until b.N are taken.
func benchSource(b *testing.B, w Workload) {
	w.Requests, w.Until = 1_000_000, 0

	const window = 32
	b.ReportAllocs()
	b.ResetTimer()
	var r Spec
	for done := 0; done < b.N; {
		b.StopTimer()
		src := mustSource(b, w, 7)
		b.StartTimer()
		ended, now := int32(0), Nanos(0)
		for i := int32(0); done < b.N; {
			at, ok := src.Next()
			if ok {
				now = max(now, at)
				src.Take(&r)
				i++
				done++
			}
			if !ok && ended == i {
				break
			}
			if !ok || i-ended > window {
				src.Ended(ended, now, Completed)
				ended++
			}
		}
	}
}

func BenchmarkStepCost(b *testing.B) {
	table, err := NewTableCost(small)
	if err != nil {
		b.Fatal(err)
	}
	roof, err := NewRooflineCost(llama8B())
	if err != nil {
		b.Fatal(err)
	}
	l := Load{PrefillTokens: 25, PrefillPairs: 325, Decodes: 8, DecodeTokens: 8, KVTokens: 1200}
	for _, c := range []struct {
		name string
		cost StepCost
	}{{"linear", LinearCost{Base: 1, PerDecode: 3}}, {"table", table}, {"roofline", roof}} {
		b.Run(c.name, func(b *testing.B) {
			sum := Picos(0)
			for b.Loop() {
				sum += c.cost.Picos(l)
			}
			_ = sum
		})
	}
}
