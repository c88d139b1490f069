package demo

// Parts of demos that many of them have.

// Instant is part of a Task whose work is done by Start, in well under a frame.
type Instant struct{}

// Step is that of Task.
func (Instant) Step(int) bool { return true }

// Progress is that of Task.
func (Instant) Progress() float64 { return 1 }

// Quiet is part of a Task that has nothing to log.
type Quiet struct{}

// Events is that of Task.
func (Quiet) Events() []Event { return nil }

// OnOff are the options of a switch.
func OnOff() []Option { return []Option{{"off", "off"}, {"on", "on"}} }

// Choice makes a knob of names and labels in turn; the first is the default.
func Choice(name, label, doc string, options ...string) Knob {
	k := Knob{Name: name, Label: label, Doc: doc}
	for i := 0; i < len(options); i += 2 {
		k.Options = append(k.Options, Option{Name: options[i], Label: options[i+1]})
	}
	k.Max = float64(len(k.Options) - 1)
	return k
}
