package mapper

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// A clause is a part of what the design says an answer says, and the recorded
// readings whose right answers hold the mapper to it: fixtures, or answers of
// testdata. What a reading cannot show says who keeps it instead.
type clause struct {
	says string // without backquotes and stars
	by   string // names, with spaces between
	kept string // by whom else
}

var clauses = []clause{
	{says: "Application (the browser) → Window (a browser window) → Window, subrole tab (a shared tab) → Document (its page; a frame is a Document inside) → what the user points at.", by: "desk frames-same frames-cross frame-presentational"},
	{says: "scope: pointing (default): every shared tab as one line, and in them the focus path, selections, the hovered element,", by: "desk pointer confirm"},
	{says: "and the named or structural ancestors that say where those are (landmarks, articles, lists and rows, tables and cells, headings, links, figures, dialogs).", by: "landmarks feed lists table-data grid selection-documents dialog popover"},
	{says: "visible: what is on screen too.", by: "visible scrolled"},
	{says: "page: all of it.", by: "article visible hidden shadow-open"},
	{says: "Each within a budget;", by: "budget-elements budget-depth budget-text"},
	{says: "id reads one element: the answer stays rooted at the Application, ancestors bare (with their states), then its subtree;", by: "one"},
	{says: "what was left out is said in the root's attributes.", by: "budget-elements budget-depth budget-text long-list"},
	{says: "In pointing scope a selected element, and the last of the focus path unless it is a Window or Document, come with their subtree (at most 50 elements);", by: "table-data treegrid tree feed tabs long-list"},
	{says: "other ancestors come bare;", by: "article links editor"},
	{says: "a hovered element with its own title and content.", by: "lists images frame-hover groups"},

	{says: "focused is the path in the app, whichever program has the desktop's focus (usually the agent's): last-focused browser window → its active tab → documents", by: "desk pointer"},
	{says: "→ reported ancestors of the active element, through frames, shadow roots and aria-activedescendant.", by: "frame-focus frame-focus-cross shadow-closed listbox grid combobox owns"},
	{says: "Where a button has the keyboard, the path ends at its nearest reported ancestor.", by: "controls dialog dialog-aria select"},
	{says: "No focus and no hover below a tab that is not active in its window.", by: "desk"},

	{says: "selected: a text selection is one Text child with the selected words, inside the innermost reported element that holds all of it;", by: "article inline-text selection-blocks selection-shadow selection-unselectable editor"},
	{says: "its id is minted per selection.", kept: "TestKeys"},
	{says: "In an input or textarea it is inside that Text (only while it is drawn: the field is its document's active element).", by: "field-selection frame-focus-cross"},
	{says: "Each document has its own selection.", by: "selection-documents frames-cross"},
	{says: `Rows, cells, options, tree items are selected by the page's own aria-selected="true" or a selected <option>, never by what Chrome implies from focus.`, by: "table-data treegrid listbox select tree grid design-frame"},

	{says: "hovered: innermost reported element under the pointer (:hover, into frames and shadow roots;", by: "frame-hover shadow-open details"},
	{says: "of two windows that both claim it, the one whose page told of a pointer event last).", by: "pointer"},
	{says: "Nothing becomes an element in order to be marked.", by: "dialog-aria table-layout controls"},

	{says: "visible where it differs from the parent's:", by: "visible scrolled tabs"},
	{says: "background tab, minimized window,", by: "desk"},
	{says: "scrolled out, clipped, transparent, hidden from sight.", by: "visible scrolled"},
	{says: "An occluded window counts as visible (unknowable).", by: "pointer"},

	{says: "ids: minted once per thing, [A-Za-z0-9_-]; identity is (process, loader, backendNodeId), never shown raw; same node in the same document → same id across reads; never reused. locate on a thing that is gone says gone; on a thing without boxes, an empty list.", kept: "package provider, which mints ids for the keys that TestKeys is about"},

	{says: "words: Text, Heading and Link send one text block with their rendered words", by: "rendered-text inline-text links article math"},
	{says: "(bounded; the rest behind a resource_link, or told in the root's attributes where nobody could open one: a one-shot snapshot);", by: "budget-text"},
	{says: "an empty field, and a secret one, sends none,", by: "fields secrets-fields"},
	{says: "and a title only where the accessible name differs.", by: "links live-roles fields"},
	{says: "A Text's block is its whole run, inline links included; each Link inside sends its own words and url.", by: "article links"},
	{says: "Nothing else sends text, but a Row or Cell whose words are one plain run of at most 200 characters says them as its title and has no Text child;", by: "lists table-data hostile"},
	{says: "a Group whose whole content is text is a Text with the Group's subrole.", by: "groups live-roles landmarks"},
	{says: "Titles are one line, at most 200 characters.", by: "hostile confirm"},

	{says: "pictures: selected, focused or hovered images, canvases, figures, charts, video frames send a thumbnail (long edge ≤ 512 px, ≤ 100 KB, PNG or JPEG whichever is smaller) and a resource_link to the full picture.", kept: "package provider: a reading has no pictures"},

	{says: "url on Document, Link, Image, media (any scheme but javascript: and data:).", by: "links images media frames-same"},
	{says: "subrole from aria-roledescription, else data-subrole, else the ARIA role or element when the role language loses it.", by: "pages-view notes-app live-roles groups unknown-roles"},
	{says: "attributes: level, checked, expanded, row and column numbers, language…;", by: "article controls details treegrid grid"},
	{says: "author only where the page shows it;", by: "author-related article"},
	{says: "related from aria-controls, -details, -describedby, -flowto, -errormessage (id if it is in the answer, else an address).", by: "author-related"},
	{says: "Controls, menus, indicators and furniture are not reported; a text field is Text.", by: "controls fields select"},
	{says: "roles.tsv says map, hoist, merge or drop for each role, and why; mapper carries it as data, keyed by chromeRole, and a test holds the two alike.", kept: "TestRoleTable"},

	{says: "Secrets (password fields and any field that ever was one since the tab was opened or shared; -webkit-text-security; autocomplete cc-*, one-time-code, current- / new-password, and fields whose name, id or label says so: a word of it, split at case, digits, space, - and _, is password, passwd, pwd, passcode, passphrase, pin, otp, cvc, cvv, csc, secret, token, apikey, ssn, or it says security code or card number;", by: "secrets-fields"},
	{says: "anything under data-private, whose root is one Group, subrole private, without title, content or children;", by: "secrets-elsewhere"},
	{says: "every whole-word occurrence elsewhere in the document, in text, title, url or attribute, of a secret value of 4 characters or more, which becomes [secret])", by: "secrets-elsewhere"},
	{says: "never leave the provider: not as text, value, title, selection, length,", by: "secrets-fields secrets-elsewhere"},
	{says: "in a log, an error or a cache kept beyond the read, nor in pixels: their rectangles are read in the isolated world before and after a capture, painted over in our process before the bytes go anywhere; if they moved, capture again, at most twice, then no picture.", kept: "package provider: the mapper keeps nothing, writes no log and makes no picture"},
	{says: "AX itself returns one-time codes in clear and passwords as bullets of the true length: drop the field's AX children with it.", by: "secrets-fields"},
	{says: "The field is still reported, titled, without content.", by: "secrets-fields"},
	{says: "What cannot be known is said in the README.", kept: "the README"},
}

// TestClauses holds that each clause has a right answer that the mapper is held to.
func TestClauses(t *testing.T) {
	known := append(names(t, fixtures, ".case.json"), names(t, "testdata", ".answer.json")...)
	for _, c := range clauses {
		by := strings.Fields(c.by)
		if len(by) == 0 && c.kept == "" {
			t.Errorf("no right answer is about this clause, and nobody else keeps it: %s", c.says)
		}
		for _, name := range by {
			if !slices.Contains(known, name) {
				t.Errorf("there is no fixture and no answer called %s, for this clause: %s", name, c.says)
			}
		}
	}
}

// TestClausesAreAll holds that the clauses are what the design says, all of it.
func TestClausesAreAll(t *testing.T) {
	const file = "../../shared/DESIGN.md"
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the design is not beside this tree: " + file)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## What an answer says")
	section, _, ok := strings.Cut(section, "\n## ")
	if !ok {
		t.Fatalf("%s has no section on what an answer says", file)
	}
	section = strings.ReplaceAll(section, "\n- ", " ")
	section = strings.Join(strings.Fields(strings.NewReplacer("`", "", "**", "").Replace(section)), " ")
	for _, c := range clauses {
		if !strings.Contains(section, c.says) {
			t.Errorf("the design does not say: %s", c.says)
		}
		section = strings.Replace(section, c.says, "\n", 1)
	}
	for rest := range strings.SplitSeq(section, "\n") {
		if strings.IndexFunc(rest, unicode.IsLetter) >= 0 {
			t.Errorf("no clause is about this in the design: %s", strings.TrimSpace(rest))
		}
	}
}
