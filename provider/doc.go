// Package provider holds what a provider of the Elements protocol knows over time:
// which tabs are shared, which id names which thing, and how to answer a question
// about them now. One read is cdp's reading, mapped by mapper. It never acts on a
// page, and tells nothing of a tab that is not shared.
package provider
