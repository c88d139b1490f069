package prose

// claims is the table: one row for each claim in content/guide.
var claims = []Claim{}
