package draw

import (
	"openloop/content/demo"
	"openloop/content/demo/text"
)

// Room is the words of an engine room as a document: says and sayText, the tables
// replicas, requests and picked as markup (picked "" if no request is), ids of the
// requests in the picture and their names.
func Room(r demo.RoomSays) []byte {
	var j text.JSON
	j.OpenObject()
	j.Text("says", Sentence(r.Says))
	j.Text("sayText", r.Says.String())
	j.Text("replicas", Table(r.Replicas))
	j.Text("requests", Table(r.Requests))
	picked := ""
	if len(r.Picked.Rows) > 0 {
		picked = Table(r.Picked)
	}
	j.Text("picked", picked)
	j.Key("ids")
	j.OpenArray()
	for _, id := range r.IDs {
		j.Int(int64(id))
	}
	j.CloseArray()
	j.Key("names")
	j.Strings(r.Names)
	j.CloseObject()
	return j.Bytes()
}
