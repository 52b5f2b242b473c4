package elements

// A BlockType is one of the five types of MCP's ContentBlock (5.5).
type BlockType string

// The five types of content block.
const (
	TextType         BlockType = "text"
	ImageType        BlockType = "image"
	AudioType        BlockType = "audio"
	ResourceLinkType BlockType = "resource_link"
	ResourceType     BlockType = "resource"
)

// A Block is MCP's ContentBlock, unchanged (5.5; MCP schema 2026-07-28). Type
// says which of the fields mean something; the others are not sent.
type Block struct {
	Type BlockType
	// Text is the words of a text block; they are sent even if empty.
	Text string
	// Data is the picture of an image block, the sound of an audio block;
	// base64 on the wire.
	Data []byte
	// MIMEType is required with Data, and known of a resource_link or not.
	MIMEType string
	// URI and Name are required in a resource_link.
	URI, Name string
	// Title and Description are for a person, in a resource_link.
	Title, Description string
	// Size is the bytes of what a resource_link leads to; 0 if not known.
	Size int64
	// Icons are MCP's, in a resource_link.
	Icons []any
	// Resource is the thing itself, in a resource block.
	Resource *Resource
	// Annotations and Meta are MCP's annotations and _meta. Their values, and
	// those of Icons, are as in an element's Attributes.
	Annotations, Meta map[string]any
}

// A Resource is a thing embedded in a resource block: its URI with either
// Text or, where Blob is not nil, bytes.
type Resource struct {
	URI      string
	MIMEType string
	Text     string
	// Blob is base64 on the wire.
	Blob []byte
	// Meta is MCP's _meta.
	Meta map[string]any
}

// TextBlock returns a text block with the given words.
func TextBlock(text string) Block { return Block{Type: TextType, Text: text} }

// ImageBlock returns an image block with the given picture.
func ImageBlock(data []byte, mimeType string) Block {
	return Block{Type: ImageType, Data: data, MIMEType: mimeType}
}

// LinkBlock returns a resource_link to the full thing.
func LinkBlock(uri, name string) Block {
	return Block{Type: ResourceLinkType, URI: uri, Name: name}
}
