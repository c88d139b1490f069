package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// named is how ARCHITECTURE.md names a function: a file, then its name.
var named = regexp.MustCompile("`([a-z0-9_/]+\\.(?:go|js))` `([A-Za-z]+)`")

// defines says whether a source of Go or JavaScript defines a function or a
// method of this name.
func defines(source, kind, name string) bool {
	form := `(?m)^func (?:\([^)]*\) )?` + name + `[\[(]`
	if kind == ".js" {
		form = `(?m)^(?:export )?(?:async )?function\*? ` + name + `\(|^ {2,4}(?:async )?` + name + `\([^;]*\) \{`
	}
	return regexp.MustCompile(form).MatchString(source)
}

// TestArchitectureIsTrue: every function that it names is in the file that it names.
func TestArchitectureIsTrue(t *testing.T) {
	raw, err := os.ReadFile("../ARCHITECTURE.md")
	require.NoError(t, err)
	all := named.FindAllStringSubmatch(string(raw), -1)
	require.Greater(t, len(all), 40)
	for _, m := range all {
		source, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(m[1])))
		if assert.NoError(t, err) {
			assert.True(t, defines(string(source), filepath.Ext(m[1]), m[2]), "%s has no function %s", m[1], m[2])
		}
	}
	for _, c := range []struct {
		source, kind string
		want         bool
	}{
		{"func (h *Host) Call(op int) {}", ".go", true}, {"func Call[T any](x T) {}", ".go", true}, {"// func Call(", ".go", false}, {"x := Call(1)", ".go", false},
		{"export async function Call(a) {", ".js", true}, {"  Call(a, b) { return 1; }", ".js", true}, {"  Call(a);", ".js", false}, {"x = Call(a);", ".js", false},
	} {
		assert.Equal(t, c.want, defines(c.source, c.kind, "Call"), c.source)
	}
}

var dependencyRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$")

// TestDependenciesAreListed: the table has every package that we ask for and no
// other, each with what it replaces, its size and what its license says.
func TestDependenciesAreListed(t *testing.T) {
	raw, err := os.ReadFile("../ARCHITECTURE.md")
	require.NoError(t, err)
	licenses := map[string]string{}
	for _, m := range dependencyRow.FindAllStringSubmatch(string(raw), -1) {
		licenses[m[1]] = m[5]
		assert.Regexp(t, `^(page|build|tests), .*[0-9] [KM]B`, m[4], "%s: where it is used, and its size", m[1])
	}
	var want []string

	out, err := exec.Command("go", "list", "-m", "-f", "{{if not (or .Indirect .Main)}}{{.Path}} {{.Dir}}{{end}}", "all").Output()
	require.NoError(t, err)
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		name, dir, _ := strings.Cut(line, " ")
		if name == "" {
			continue
		}
		want = append(want, name)
		var text string
		for _, file := range []string{"LICENSE", "LICENSE.md", "COPYING"} {
			raw, _ := os.ReadFile(filepath.Join(dir, file))
			text += string(raw)
		}
		for _, l := range strings.Split(licenses[name], ", ") {
			assert.Regexp(t, licenseText[l], strings.Join(strings.Fields(text), " "), "%s is not under %s", name, l)
		}
	}

	for _, folder := range []string{"../wasm/glue", "../wasm/glue/lighthouse"} {
		raw, err = os.ReadFile(filepath.Join(folder, "package.json"))
		require.NoError(t, err)
		var pack struct{ Dependencies, DevDependencies map[string]string }
		require.NoError(t, json.Unmarshal(raw, &pack))
		for _, group := range []map[string]string{pack.Dependencies, pack.DevDependencies} {
			for name := range group {
				want = append(want, name)
				raw, err := os.ReadFile(filepath.Join(folder, "node_modules", filepath.FromSlash(name), "package.json"))
				if err != nil {
					continue // not installed here: the name is checked all the same
				}
				var its struct{ License string }
				require.NoError(t, json.Unmarshal(raw, &its))
				assert.Equal(t, its.License, licenses[name], name)
			}
		}
	}
	var got []string
	for name := range licenses {
		got = append(got, name)
	}
	assert.ElementsMatch(t, want, got)
}

// licenseText is a phrase by which the text of a license is known.
var licenseText = map[string]string{
	"MIT":          `Permission is hereby granted, free of charge`,
	"Apache-2.0":   `(Apache License,? Version 2\.0|Apache License Version 2\.0)`,
	"BSD-3-Clause": `Redistribution and use in source and binary forms.*(Neither the name)`,
}
