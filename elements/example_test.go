package elements_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/webarea/webarea/elements"
)

func ExampleValidate() {
	list := &elements.Element{ID: "l1", Role: elements.List, Title: "Shopping\nThings to buy", Children: []*elements.Element{
		{ID: "r1", Role: elements.Row, Subrole: "task", Title: "Milk", Focused: true},
		{ID: "r1", Role: elements.Row, Subrole: "task", Title: "Bread"},
	}}
	answer := elements.Answer{
		Protocol: elements.Version,
		Instance: "m2k8",
		Root:     &elements.Element{ID: "app", Role: elements.Application, Children: []*elements.Element{list}},
	}
	for _, v := range elements.Validate(answer) {
		fmt.Println(v)
	}
	// Output:
	// /root/children/0/title: title-line: is blank, or holds a line break or control character
	// /root/children/0/children/0/focused: focus-gap: its parent is not focused
	// /root/children/0/children/1/id: id-unique: "r1" is another element's too
}

func ExampleDecode() {
	answer, err := elements.Decode(strings.NewReader(`{"protocol":"0.2.0","instance":"m2k8","root":{
		"id":"app","role":"Application","children":[{"id":"s1","role":"Slide","title":"Welcome"}]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	slide := answer.Find("s1")
	fmt.Println(slide.Role, slide.Title)
	// Output: Group Welcome
}

func ExampleEncode() {
	answer := &elements.Answer{
		Protocol: elements.Version,
		Instance: "m2k8",
		Root: &elements.Element{ID: "app", Role: elements.Application, Children: []*elements.Element{
			{ID: "t1", Role: elements.Text, Selected: true, Content: []elements.Block{elements.TextBlock("a < b")}},
		}},
	}
	if err := elements.Encode(os.Stdout, answer); err != nil {
		fmt.Println(err)
	}
	// Output: {"protocol":"0.2.0","instance":"m2k8","root":{"id":"app","role":"Application","children":[{"id":"t1","role":"Text","content":[{"type":"text","text":"a < b"}],"selected":true}]}}
}
