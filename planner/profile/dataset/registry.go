package dataset

// Kind groups the data sets by what a page shows of them.
type Kind uint8

// The kinds.
const (
	Profile Kind = iota // times of kernels, layers or steps
	Serving             // an engine under load
	Trace               // requests: when and how long
	Routing             // answers and prices of several models
	Derived             // computed here from others
)

// String is the word for a table.
func (k Kind) String() string {
	switch k {
	case Profile:
		return "profile"
	case Serving:
		return "serving"
	case Trace:
		return "trace"
	case Routing:
		return "routing"
	case Derived:
		return "derived"
	}
	return "unknown"
}

// Unused begins the Use of a data set that was read and that no page, demo or
// table names: no number of this guide comes from it.
const Unused = "read; nothing here is computed from it"

// Entry is one data set: enough to find it again, and what to beware of.
type Entry struct {
	ID    string
	Kind  Kind
	Title string
	Who   string // measured or published it
	When  string // of the measurements, as far as known

	Repository string // owner/name on GitHub; "" for what is from several or from here
	Commit     string // 40 hex digits
	License    string // SPDX identifier; "" where rows differ

	Hardware string // what ran
	Engine   string // and in what; "" if nothing did
	Content  string // what the numbers are, with units
	Use      string // what this guide takes from it, or Unused and why
	Problems []string
}

// Link is where a reader finds the data; "" without a repository.
func (e *Entry) Link() string {
	if e.Repository == "" {
		return ""
	}
	return "https://github.com/" + e.Repository + "/tree/" + e.Commit
}

// Entries lists all, by id; a copy that shares no list with the registry.
func Entries() []Entry {
	var all []Entry
	for _, table := range [...][]Entry{profiles, results, traces} {
		for _, e := range table {
			e.Problems = append([]string{}, e.Problems...)
			all = append(all, e)
		}
	}
	sortByID(all)
	return all
}

// sortByID is insertion: there are twenty.
func sortByID(all []Entry) {
	for i := 1; i < len(all); i++ {
		for j := i; j > 0 && all[j].ID < all[j-1].ID; j-- {
			all[j], all[j-1] = all[j-1], all[j]
		}
	}
}

// Find is the entry of that id.
func Find(id string) (Entry, bool) {
	for _, e := range Entries() {
		if e.ID == id {
			return e, true
		}
	}
	return Entry{}, false
}
