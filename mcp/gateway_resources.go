package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// scheme begins the addresses of all resources.
	scheme = "webarea://"

	// current stands in an address for the browser that was used last. No instance is
	// called so: they have six characters.
	current = "current"

	// anyInstance is the placeholder of an instance in the gateway's templates.
	anyInstance = "{instance}"
)

// elementsOf is the address of what a host's user is looking at.
func elementsOf(instance string) string { return scheme + instance + "/" + elementsPath }

// addResources offers what there is whichever hosts run: the templates, and the
// browser used last.
func (g *Gateway) addResources() {
	for i := range resources {
		r := &resources[i]
		g.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
			URITemplate: scheme + anyInstance + "/" + r.path,
			Name:        r.name, Title: r.title, Description: r.description, MIMEType: r.mimeType,
		}, g.reading)
	}
	r := &resources[0]
	g.sdk.AddResource(&sdk.Resource{
		URI: elementsOf(current), Name: r.name, Title: r.title + " last", MIMEType: r.mimeType,
		Description: r.description + " It is of the browser that was used last.",
	}, g.reading)
}

// addHost offers what a host's user is looking at.
func (g *Gateway) addHost(instance string) {
	r := &resources[0]
	g.sdk.AddResource(&sdk.Resource{
		URI: elementsOf(instance), Name: r.name + "-" + instance, Title: r.title + " in browser " + instance, MIMEType: r.mimeType,
		Description: r.description,
	}, g.reading)
}

func (g *Gateway) removeHost(instance string) { g.sdk.RemoveResources(elementsOf(instance)) }

// reading has the host that an address is of read it.
func (g *Gateway) reading(ctx context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := request.Params.URI
	instance, path, _ := strings.Cut(strings.TrimPrefix(uri, scheme), "/")
	t := target{instance: instance}
	if instance == current {
		t.instance = ""
		if parts := strings.Split(path, "/"); len(parts) > 1 {
			t.id, t.of = parts[1], byElement
		}
	}
	var result *sdk.ReadResourceResult
	err := g.route(ctx, saysWho(request), t, func(ctx context.Context, s *sdk.ClientSession, instance string) (bool, error) {
		r, err := s.ReadResource(ctx, &sdk.ReadResourceParams{URI: scheme + instance + "/" + path})
		if err != nil {
			return false, err
		}
		isEmpty := false
		for _, c := range r.Contents {
			c.URI = uri
			isEmpty = path == elementsPath && saysNothing([]byte(c.Text))
		}
		result = &sdk.ReadResourceResult{Contents: r.Contents}
		return isEmpty, nil
	})
	if err != nil {
		return nil, refusal(uri, err)
	}
	return result, nil
}
