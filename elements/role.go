package elements

import "slices"

// A Role is how a thing is shown: one of thirteen words (5.2).
type Role string

// The thirteen roles, in the order of 5.2.
const (
	Application Role = "Application"
	Window      Role = "Window"
	Group       Role = "Group"
	List        Role = "List"
	Table       Role = "Table"
	Row         Role = "Row"
	Cell        Role = "Cell"
	Text        Role = "Text"
	Heading     Role = "Heading"
	Link        Role = "Link"
	Image       Role = "Image"
	Page        Role = "Page"
	Document    Role = "Document"
)

var roles = []Role{
	Application, Window, Group, List, Table, Row, Cell,
	Text, Heading, Link, Image, Page, Document,
}

// Roles returns the thirteen roles, in the order of 5.2.
func Roles() []Role { return slices.Clone(roles) }

// Known says whether r is one of the thirteen roles. A receiver treats any
// other word as Group (5.2), and [Decode] does.
func (r Role) Known() bool { return slices.Contains(roles, r) }

// IsText says whether an element of this role is text, and so sends a text
// block (5.2, 5.5).
func (r Role) IsText() bool { return r == Text || r == Heading || r == Link }
