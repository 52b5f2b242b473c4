package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

const preface = `# What an answer costs

Made by ` + "`make bench`" + ` in %s, on %s, with %s.%s

Each page has a sentence selected and a link focused, in its middle and on screen. *ms* is the median of the time from the question to the answer as text. *launched* is a browser of ours over its CBOR pipe, *attached* the same over a WebSocket; *relayed* is the whole way of a user's browser: an agent's MCP client, ` + "`webarea mcp`" + `, the host's socket, the host, native messaging, the extension and ` + "`chrome.debugger`" + `, with raw measured up to the host's end. What is compared is measured by turns, in the same tab over the same connection. *trips* are the round trips that wait for one another, at most; *tokens* a quarter of the text's bytes.

`

// write writes the report.
func (r *run) write(w io.Writer) error {
	var b strings.Builder
	load := ""
	if r.machine.load != "" {
		load = fmt.Sprintf(" When it began, the load average was %s.", r.machine.load)
	}
	fmt.Fprintf(&b, preface, time.Since(r.begun).Round(time.Second), r.machine.hardware, r.machine.browser, load)
	for _, words := range kindWords(r.plan.kinds) {
		fmt.Fprintf(&b, "- %s\n", words)
	}
	r.writeGoals(&b)
	r.writeFailures(&b)
	for _, s := range r.sections {
		s.write(&b)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the tables: %w", err)
	}
	return nil
}

func (r *run) writeGoals(b *strings.Builder) {
	var rows [][]string
	reached, all := 0, 0
	for _, s := range r.sections {
		for _, g := range s.goals {
			rows = append(rows, []string{g.number, g.what, g.want, g.measured, string(g.verdict)})
			all++
			if g.verdict == holds {
				reached++
			}
		}
	}
	if all == 0 {
		return
	}
	section{
		title: "Goals", words: fmt.Sprintf("%d of %d lines hold. A line holds where all its pages do; the worst of them is named.", reached, all),
		head: []string{"goal", "of", "want", "measured", "holds"}, rows: rows,
	}.write(b)
}

// maxWrong is how many failures are told of: where there are more, they mostly say the
// same.
const maxWrong = 20

func (r *run) writeFailures(b *strings.Builder) {
	if len(r.record.failed) == 0 {
		return
	}
	b.WriteString("\n## What could not be measured\n\n")
	for i, f := range r.record.failed {
		if i == maxWrong {
			fmt.Fprintf(b, "- and %d more\n", len(r.record.failed)-i)
			break
		}
		fmt.Fprintf(b, "- %s\n", strings.Join(strings.Fields(fmt.Sprintf("%.600s", f)), " "))
	}
}

// write writes a section that has rows or words.
func (s section) write(b *strings.Builder) {
	if len(s.rows) == 0 && s.words == "" {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n", s.title)
	if s.words != "" {
		fmt.Fprintf(b, "%s\n", s.words)
	}
	if len(s.rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n| %s |\n|", strings.Join(s.head, " | "))
	for _, column := range columns(s) {
		b.WriteString(column + "|")
	}
	b.WriteString("\n")
	for _, row := range s.rows {
		for i := range row {
			row[i] = strings.ReplaceAll(row[i], "|", `\|`)
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
}

// columns says which columns are of figures: those whose first cell is one, or a dash.
func columns(s section) []string {
	var all []string
	for i := range s.head {
		how := "---"
		if i < len(s.rows[0]) && strings.Trim(s.rows[0][i], "0123456789.–%") == "" && s.rows[0][i] != "" {
			how = "---:"
		}
		all = append(all, how)
	}
	return all
}
