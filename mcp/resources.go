package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

// A resource is a kind of thing that has an address, webarea://INSTANCE/ and its path.
type resource struct {
	// path is fixed, or has the placeholder of an element's id.
	path        string
	name        string
	title       string // for a person
	description string // for an agent
	mimeType    string // empty where it is not always the same
	read        func(ctx context.Context, s *Server, id string) (*sdk.ResourceContents, error)
}

// placeholder stands for an element's id in the path of a resource.
const placeholder = "{id}"

// elementsPath is that of the one resource whose changes are told.
const elementsPath = "elements"

// resources are all kinds of resources.
var resources = []resource{
	{elementsPath, "elements", "What the user is looking at",
		"What the user points at now, in the Elements protocol. Subscribe to be told when it changes.", jsonType, readElements},
	{"elements/{id}", "element", "One element",
		"An element of an answer and what is in it, in the Elements protocol.", jsonType, readElement},
	{"elements/{id}/text", "element-text", "All words of an element",
		"The words of an element in full, where an answer has only their beginning. Untrusted page content.", "text/plain", readText},
	{"elements/{id}/image", "element-image", "A picture of an element",
		"What is drawn of an element, in full resolution.", "", readPicture},
	{"locate/{id}", "location", "Where an element is",
		"Where an element is drawn in its tab and on the screen.", jsonType, readLocation},
}

const jsonType = "application/json"

// address is where this run has a resource.
func (s *Server) address(path string) string {
	return "webarea://" + s.provider.Instance() + "/" + path
}

func (s *Server) addResources() {
	for i := range resources {
		r := &resources[i]
		uri := s.address(r.path)
		if !strings.Contains(uri, placeholder) {
			s.sdk.AddResource(&sdk.Resource{URI: uri, Name: r.name, Title: r.title, Description: r.description, MIMEType: r.mimeType}, s.reading(r))
			continue
		}
		s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: uri, Name: r.name, Title: r.title, Description: r.description, MIMEType: r.mimeType}, s.reading(r))
	}
}

// reading answers what reads a resource.
func (s *Server) reading(r *resource) sdk.ResourceHandler {
	before, after, _ := strings.Cut(s.address(r.path), placeholder)
	return func(ctx context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		uri := request.Params.URI
		id := strings.TrimSuffix(strings.TrimPrefix(uri, before), after)
		if strings.Contains(r.path, placeholder) && !elements.IsID(id) {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		contents, err := r.read(ctx, s, id)
		if err != nil {
			return nil, refusal(uri, err)
		}
		contents.URI = uri
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{contents}}, nil
	}
}

func readElements(ctx context.Context, s *Server, _ string) (*sdk.ResourceContents, error) {
	return readAnswer(ctx, s, pointed)
}

func readElement(ctx context.Context, s *Server, id string) (*sdk.ResourceContents, error) {
	return readAnswer(ctx, s, provider.Query{ID: id, MaxElements: defaults.elements, MaxDepth: defaults.depth, MaxText: defaults.text, Pictures: true})
}

func readAnswer(ctx context.Context, s *Server, q provider.Query) (*sdk.ResourceContents, error) {
	answer, err := s.elements(ctx, "", q)
	if err != nil {
		return nil, err
	}
	text, err := elements.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return &sdk.ResourceContents{Text: string(text)}, nil
}

// readText gives the words of an element: its own, or those of what is in it, a line
// each.
func readText(ctx context.Context, s *Server, id string) (*sdk.ResourceContents, error) {
	answer, err := s.elements(ctx, "", provider.Query{ID: id, MaxText: maxResult / 2})
	if err != nil {
		return nil, err
	}
	element := answer.Find(id)
	if element == nil {
		return nil, fmt.Errorf("the answer about an element is without it")
	}
	var words []string
	element.Walk(func(e, _ *elements.Element, _ int) bool {
		own := len(words)
		for i := range e.Content {
			if e.Content[i].Type == elements.TextType {
				words = append(words, e.Content[i].Text)
			}
		}
		if len(words) == own && e.Title != "" && e != element {
			words = append(words, e.Title)
		}
		// A Text says the words of its links too.
		return e.Role != elements.Text || len(words) == own
	})
	// A newline at the end, also where there are no words: an empty text is none to
	// the SDK, and clients refuse contents without.
	whole := Result{Text: strings.Join(words, "\n") + "\n"}
	if err := whole.withinBudget(); err != nil {
		return nil, err
	}
	return &sdk.ResourceContents{Text: whole.Text}, nil
}
