package profile

import "slices"

// Attention is how queries share keys and values.
type Attention uint8

// The kinds of attention. GQA with one KV head is MQA, with as many as query
// heads MHA; they are named apart since people do.
const (
	MHA Attention = iota // every query head has keys and values of its own
	GQA                  // groups of query heads share them
	MQA                  // all query heads share one
	MLA                  // one compressed vector per token stands for all
)

// String is the usual abbreviation.
func (a Attention) String() string {
	switch a {
	case MHA:
		return "MHA"
	case GQA:
		return "GQA"
	case MQA:
		return "MQA"
	case MLA:
		return "MLA"
	}
	return "unknown"
}

// Model is the shape of a decoder-only transformer, as in its configuration
// file, and what its makers say of its size. Everything else is computed.
type Model struct {
	ID, Name string

	Attention Attention
	Layers    int
	Hidden    int // width of the residual stream
	Heads     int // of queries
	KVHeads   int // of keys and values; for MLA as many as Heads, unused
	HeadDim   int // for MLA of a key, both parts

	// MLA only: the parts of a key without and with position, the value, and
	// the widths that queries (0: not compressed) and keys with values are
	// compressed to.
	NopeHeadDim, RopeHeadDim, ValueHeadDim, QueryRank, KVRank int

	// LocalLayers of the Layers see only the last WindowTokens tokens.
	WindowTokens, LocalLayers int

	Intermediate int // width of the MLP in layers without experts; 0 if all have experts

	// Mixture of experts: MoELayers of the Layers have ExpertsRouted experts
	// each, of which a token uses ExpertsActive, and ExpertsShared that all
	// tokens use. All zero: a dense model.
	MoELayers, ExpertIntermediate, ExpertsRouted, ExpertsActive, ExpertsShared int

	Vocab         int
	Tied          bool // one matrix serves as input embedding and as LM head
	ContextTokens int  // the longest that the makers support

	// Small is what families do differently in the small parts.
	Small Small

	NativeDType string  // as published
	Native      Storage // of that type, in bytes a parameter; 0: no source says

	PublishedParams, PublishedSource string // in the makers' words

	Sources []Source
	Notes   string
}

// Small tells families apart in parts that weigh little: below 0.1% of the
// parameters. The zero value is that of Llama: RMS norms before attention and
// MLP, no biases, three matrices in each MLP.
type Small struct {
	PlainMLP   bool // two matrices, without a gate
	Norms      int  // norms of the width Hidden in a layer; 0 means 2
	LayerNorm  bool // norms have a bias as well as a weight
	QKNorm     bool // one more norm each for the heads of queries and of keys
	QKVBias    bool
	OutBias    bool // of the projection after attention
	MLPBias    bool // in experts, too
	RouterBias bool
	HeadBias   bool // of the LM head
	Sinks      bool // one learned attention logit a head
}

// Storage is the bytes a parameter of weights that every token uses, and of
// the routed experts, which some models store in fewer bits.
type Storage struct{ AlwaysOn, Routed float64 }

// Uniform stores all weights alike.
func Uniform(bytesPerParam float64) Storage { return Storage{bytesPerParam, bytesPerParam} }

// MoE says whether some layers have experts.
func (m *Model) MoE() bool { return m.MoELayers > 0 }

// GlobalLayers is how many layers see the whole context.
func (m *Model) GlobalLayers() int { return m.Layers - m.LocalLayers }

func (m *Model) copy() *Model {
	own := *m
	own.Sources = slices.Clone(m.Sources)
	return &own
}

// modelTables are the tables in the order in which they are listed.
var modelTables = [...][]Model{llamaModels, qwenModels, otherDense, smallExperts, latentModels}

// Models lists the table, each a copy.
func Models() []*Model {
	var all []*Model
	for _, table := range modelTables {
		for i := range table {
			all = append(all, table[i].copy())
		}
	}
	return all
}

// FindModel is a copy of the one of that id.
func FindModel(id string) (*Model, bool) {
	if own := lookupModel(id); own != nil {
		return own.copy(), true
	}
	return nil, false
}

// lookupModel is the row itself, or nil: not for callers, who could change it.
func lookupModel(id string) *Model {
	for _, table := range modelTables {
		for i := range table {
			if table[i].ID == id {
				return &table[i]
			}
		}
	}
	return nil
}

// NameOf is the name of the GPU or model with an id, or the id of another.
func NameOf(id string) string {
	if g, ok := FindGPU(id); ok {
		return g.Name
	}
	if m, ok := FindModel(id); ok {
		return m.Name
	}
	return id
}
