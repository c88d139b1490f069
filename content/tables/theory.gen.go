package tables

var queueRuns []QueueRun
var loopRuns []LoopRun
