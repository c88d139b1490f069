package tables

const DiagnosisInputs = ""

var diagnosisVerdicts []string

var diagnosisRows []DiagnosisRow

var diagnosisPairs [2]string
