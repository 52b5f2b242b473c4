package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A bill is what programs are made of, in the form of CycloneDX 1.6.
type bill struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"` // of the bill: it is never mended
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

// A component is the program, a module, a built file, or Go's own library.
type component struct {
	Type       string      `json:"type"`
	Ref        string      `json:"bom-ref"`
	Name       string      `json:"name"`
	Version    string      `json:"version,omitzero"`
	Purl       string      `json:"purl,omitzero"`
	Hashes     []hash      `json:"hashes,omitzero"`
	Properties []property  `json:"properties,omitzero"`
	Components []component `json:"components,omitzero"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// bill writes the bill of the programs, by what the linker has noted in them.
func (r *release) bill(programs []string, path string) error {
	b, err := r.billOf(programs)
	if err != nil {
		return fmt.Errorf("writing the bill of materials: %w", err)
	}
	text, err := json.MarshalIndent(b, "", "  ")
	if err == nil {
		err = os.WriteFile(path, append(text, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("writing the bill of materials: %w", err)
	}
	return nil
}

func (r *release) billOf(programs []string) (*bill, error) {
	own := component{Type: "application", Name: "webarea", Version: r.version}
	parts := map[string]component{}
	needs := map[string]map[string]bool{} // by program: the parts that are in it
	for _, path := range programs {
		info, err := buildinfo.ReadFile(path)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name := filepath.Base(path)
		own.Components = append(own.Components, component{
			Type: "file", Ref: name, Name: name, Hashes: []hash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(text))}},
		})
		needs[name] = map[string]bool{}
		own.Purl = "pkg:golang/" + info.Main.Path + "@" + r.version
		std := module("std", strings.TrimPrefix(info.GoVersion, "go"), "")
		parts[std.Ref], needs[name][std.Ref] = std, true
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			c := module(m.Path, m.Version, m.Sum)
			parts[c.Ref], needs[name][c.Ref] = c, true
		}
	}
	own.Ref = own.Purl
	b := &bill{
		Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata:   metadata{r.made.Format(time.RFC3339), own},
		Components: []component{}, Dependencies: []dependency{},
	}
	for _, ref := range slices.Sorted(maps.Keys(parts)) {
		b.Components = append(b.Components, parts[ref])
	}
	for _, name := range slices.Sorted(maps.Keys(needs)) {
		b.Dependencies = append(b.Dependencies, dependency{name, slices.Sorted(maps.Keys(needs[name]))})
	}
	return b, b.number()
}

// module gives the component of a Go module.
func module(path, version, sum string) component {
	purl := "pkg:golang/" + path + "@" + version
	c := component{Type: "library", Ref: purl, Name: path, Version: version, Purl: purl}
	if sum != "" {
		c.Properties = []property{{"go.sum", sum}}
	}
	return c
}

// number gives the bill a serial number, by what it says: the same bill has the same.
func (b *bill) number() error {
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	id := sha256.Sum256(text)
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // RFC 9562, version 8
	b.Serial = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
	return nil
}
