package text

// Problem is one part of the input that cannot be used: a value in a link, a
// typed setting, a sweep. It is data, so that a page can put it beside the
// control that it belongs to; Error is the sentence for people.
type Problem struct {
	Kind  ProblemKind
	Key   string // the knob or the part of the link; "link" for the link as a whole
	Name  string // of the knob, as a page has it; "" for what is no knob
	Got   string // the input as it came, uncut; may hold anything
	Legal string // what would have been accepted, as it can be typed, or why it cannot run; "" if nothing would
}

// ProblemKind says what is wrong.
type ProblemKind uint8

// The kinds of problem.
const (
	NotNumber    ProblemKind = iota // no finite decimal number
	OutOfRange                      // a number beyond the legal range
	NotWhole                        // a fraction where only whole numbers are legal
	NotOption                       // a word that is not one of the options
	UnknownName                     // a name that the demo does not have
	Duplicate                       // a key that was given before
	Repeated                        // what may be given once only
	BadEscape                       // a % that is not followed by two hexadecimal digits
	BadPart                         // a part of a link that is not key=value
	TooLong                         // more text than is read
	OtherDemo                       // a link to another demo
	OtherVersion                    // a link of a version that is not known
	OtherEngine                     // a link made with another engine
	CannotRun                       // legal values that do not go together
	BadSyntax                       // a sweep or a list that cannot be read
	TooMany                         // more runs or handles than are allowed
	UnknownKey                      // a key of a link that the demo does not have
	NotText                         // bytes that are no UTF-8
	Idle                            // a setting that does not count beside the others
	Unlisted                        // the problems of a link beyond those that are listed
)

// shown is how much of the input a message repeats, in runes.
const shown = 40

// Error names the input as a page and a link do, quotes what it was (cut to 40 characters, control
// characters made visible) and says what is legal. It is plain text: Escape
// it where it reaches HTML.
func (p Problem) Error() string {
	s := p.Key
	if same := len(p.Name) == len(s) && s != "" && p.Name[1:] == s[1:]; p.Name != "" && !same { // "Rate" is "rate"
		s = p.Name + " (" + s + ")"
	}
	s += ": " + Quote(p.Got, shown) + " " + p.Kind.says()
	switch {
	case p.Legal == "":
		return s
	case p.Kind == CannotRun || p.Kind == Idle:
		return s + ": " + p.Legal
	}
	return s + "; legal: " + p.Legal
}

func (k ProblemKind) says() string {
	switch k {
	case NotNumber:
		return "is not a number"
	case OutOfRange:
		return "is out of range"
	case NotWhole:
		return "is not a whole number"
	case NotOption:
		return "is not an option"
	case UnknownName:
		return "is not known here"
	case Duplicate:
		return "is given twice; the first one counts"
	case Repeated:
		return "is given twice"
	case BadEscape:
		return "has a broken % escape"
	case BadPart:
		return "is not key=value"
	case TooLong:
		return "is too long"
	case OtherDemo:
		return "is another demo"
	case OtherVersion:
		return "is a version of links that this demo does not have"
	case OtherEngine:
		return "is another version of the engine; numbers may differ"
	case CannotRun:
		return "cannot run"
	case UnknownKey:
		return "is no setting of this demo; it stays in the link and changes nothing"
	case Idle:
		return "is not used now, and stays in the link"
	case BadSyntax:
		return "cannot be read"
	case NotText:
		return "is not UTF-8"
	case TooMany:
		return "is more than is allowed"
	}
	return "cannot be used"
}
