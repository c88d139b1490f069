package tables

// PublishedRow is one number that somebody published, and what the planner says
// instead, at the efficiency of planner.PublishedEfficiency.
type PublishedRow struct {
	ID     string
	Group  string
	GPU    string // as planner/profile calls it, or as the source does if it has none
	Model  string // the same
	Weight string // precision, as the source writes it
	GPUs   int
	Split  string // over the GPUs of one replica: TP4, DEP8, 4 x TP2
	Prompt float64
	Output float64 // tokens
	AtOnce int     // requests; 0: as many as there is room for
	What   string  // is compared
	Unit   string

	// Published is 0 where the file is not kept here; it then follows from the
	// other two. Without a prediction all are 0 and Why says why.
	Published, Predicted float64
	Off                  float64 // predicted over published, less 1
	Low, High            float64 // prediction over the lengths that are possible, if they were not published
	Bound                float64 // published over what the peaks allow, at most 1
	Why                  string

	Source string // address
}

// PublishedGroup sums up the rows of a group.
type PublishedGroup struct {
	Name         string
	Says         string
	Rows         int
	MAPE, Median float64 // mean and median of the size of the errors
	Bias         float64 // median of the errors themselves
	Worst        string  // id
	Target       float64 // 0: none
	Inside       int     // rows within Low and High, where they are given
}

// PublishedFold is what a fit without some rows says about them.
type PublishedFold struct {
	Group, Without string
	Rows           int
	MAPE           float64
}

// PublishedFree is a parameter that was fitted, and how far it moves when any
// one GPU, or model, is left out.
type PublishedFree struct {
	Name, Unit    string
	Group         string
	Value, Lo, Hi float64
	MoreMAPE      float64 // error of the group if it is 20% larger, nothing fitted again
}

// PublishedChoice is a parameter that was not fitted: what the dense error
// becomes, the others fitted again, if it is set otherwise.
type PublishedChoice struct {
	Name, Unit  string
	Value       float64
	Source      string
	Other, MAPE [2]float64
}

// PublishedForm is the dense error, fitted again, of an equation that leaves
// something out.
type PublishedForm struct {
	Without string
	MAPE    float64
}

// Published returns the rows, by group.
func Published() []PublishedRow { return append([]PublishedRow(nil), published...) }

// PublishedGroups are in the order of the page.
func PublishedGroups() []PublishedGroup { return append([]PublishedGroup(nil), publishedGroups...) }

// PublishedFolds are by group.
func PublishedFolds() []PublishedFold { return append([]PublishedFold(nil), publishedFolds...) }

// PublishedFrees are the parameters that were fitted.
func PublishedFrees() []PublishedFree { return append([]PublishedFree(nil), publishedFrees...) }

// PublishedChoices are those that were not.
func PublishedChoices() []PublishedChoice { return append([]PublishedChoice(nil), publishedChoices...) }

// PublishedForms are what each part of the equation is worth.
func PublishedForms() []PublishedForm { return append([]PublishedForm(nil), publishedForms...) }

// PublishedInputs are the files and their hashes.
func PublishedInputs() [][2]string { return append([][2]string(nil), publishedInputs...) }
