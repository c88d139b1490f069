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
	License    string // SPDX identifier; "" where rows differ: see Sources
	Sources    []Source

	Hardware string // what ran; "" if the source is about requests or answers
	Engine   string // and in what, with its version or NotStated
	Content  string // what the numbers are, with units
	Use      string // what this guide takes from it, or Unused and why
	Problems []string
}

// NotStated ends an Engine whose version is in nothing that was read.
const NotStated = "not stated by the source"

// Source is where some rows of a data set are from, whose rows have several.
type Source struct {
	Title              string
	First, Last        string // ids of the rows, in the order of the file
	Rows               int
	Engine             string
	Repository, Commit string
	License            string // SPDX identifier, or what is known of it
}

// Link is where a reader finds the rows.
func (s *Source) Link() string {
	return "https://github.com/" + s.Repository + "/tree/" + s.Commit
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
			e.Sources = append([]Source{}, e.Sources...)
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
