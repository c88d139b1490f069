package demo

// forLinks finds the demos that testdata/links.txt names.
func forLinks(id string) (*Demo, bool) {
	if id == toy.ID {
		return toy, true
	}
	return nil, false
}
