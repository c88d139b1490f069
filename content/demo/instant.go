package demo

// instant is part of a Task whose work is done by Start, in well under a frame.
type instant struct{}

func (instant) Step(int) bool     { return true }
func (instant) Progress() float64 { return 1 }

// quiet is part of a Task that has nothing to log.
type quiet struct{}

func (quiet) Events() []Event { return nil }

// onOff are the options of a switch.
func onOff() []Option { return []Option{{"off", "off"}, {"on", "on"}} }
