package prose

var guideFigures = []Figure{
	{"published-scatter", publishedScatter},
	{"published-errors", publishedErrors},
	{"composed-prefill", composedPrefill},
	{"composed-decode", composedDecode},
}
