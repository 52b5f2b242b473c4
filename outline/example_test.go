package outline_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/outline"
)

func ExampleRender() {
	recipe := &elements.Element{ID: "e-2", Role: elements.Text, Content: []elements.Block{elements.TextBlock("Ask the miller for flour.")}}
	recipe.Children = []*elements.Element{
		{ID: "e-3", Role: elements.Link, URL: "https://mill.example/", Content: []elements.Block{elements.TextBlock("the miller")}},
		{ID: "e-4", Role: elements.Text, Selected: true, Content: []elements.Block{elements.TextBlock("flour")}},
	}
	answer := &elements.Answer{
		Protocol: elements.Version,
		Instance: "m2k8",
		Root:     &elements.Element{ID: "e-1", Role: elements.Application, Title: "Recipes", Children: []*elements.Element{recipe}},
	}
	// Without a mark, Render makes a random one.
	if err := outline.Render(os.Stdout, answer, outline.Options{Mark: "k4x9"}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// === k4x9: untrusted page content up to the next k4x9 ===
	// Application e-1 "Recipes"
	//   Text e-2: Ask [the miller](e-3 https://mill.example/) for [flour](e-4 selected).
	// === k4x9: end of untrusted page content ===
}

func ExampleParse() {
	answer, err := outline.Parse(strings.NewReader(`=== k4x9: untrusted page content up to the next k4x9 ===
Application e-1 "Recipes"
  Text e-2: Ask [the miller](e-3 https://mill.example/).
=== k4x9: end of untrusted page content ===
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	link := answer.Find("e-3")
	fmt.Println(link.Role, link.URL, link.Content[0].Text)
	// Output: Link https://mill.example/ the miller
}
