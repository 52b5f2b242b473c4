package cdp

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

type deepValue struct {
	Type  string       `json:"type"`
	Value jsonv2.Value `json:"value"`
}

type deepNode struct {
	// Ref marks a node that the answer names more than once; only one of the places
	// then has its value.
	Ref   int64 `json:"weakLocalObjectReference"`
	Value struct {
		Backend int64 `json:"backendNodeId"`
		Shadow  *struct {
			Value struct {
				Mode    string `json:"mode"`
				Backend int64  `json:"backendNodeId"`
			} `json:"value"`
		} `json:"shadowRoot"`
	} `json:"value"`
}

func (v *visit) decode(ctx context.Context) error {
	var got struct {
		Result struct {
			Deep deepValue `json:"deepSerializedValue"`
		} `json:"result"`
		Exception *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	if v.stream != nil {
		if err := v.stream.follow(ctx, v.call); err != nil {
			return err
		}
	}
	if err := v.call.Wait(ctx, &got); err != nil {
		return err
	}
	if got.Exception != nil {
		return fmt.Errorf("our script failed: %s %s", got.Exception.Text, got.Exception.Exception.Description)
	}
	if got.Result.Deep.Type == "null" {
		return errNoScript
	}
	var parts []deepValue
	if err := jsonv2.Unmarshal(got.Result.Deep.Value, &parts, tolerant); err != nil || len(parts) != 4 {
		return fmt.Errorf("our script answered in a form that is not ours: %w", err)
	}
	var text string
	if err := jsonv2.Unmarshal(parts[0].Value, &text, tolerant); err != nil {
		return fmt.Errorf("decoding what our script said: %w", err)
	}
	if err := decodeFacts(text, &v.doc.Facts); err != nil {
		return fmt.Errorf("decoding what our script said: %w", err)
	}
	if v.stream != nil {
		if err := v.stream.end(&v.doc.Facts); err != nil {
			return err
		}
	}
	ask, err := deepNodes(parts[1].Value)
	if err != nil {
		return err
	}
	hosts, err := deepNodes(parts[2].Value)
	if err != nil {
		return err
	}
	holders, err := deepNodes(parts[3].Value)
	if err != nil {
		return err
	}
	resolveRefs(ask, hosts, holders)
	v.holders = v.holders[:0]
	for _, n := range holders {
		v.holders = append(v.holders, n.Value.Backend)
	}
	v.ask = v.ask[:0]
	for _, n := range ask {
		v.ask = append(v.ask, n.Value.Backend)
	}
	v.hosts, v.gave = nil, len(hosts) > 0
	for _, n := range hosts {
		if s := n.Value.Shadow; s != nil && s.Value.Mode == "closed" && s.Value.Backend != 0 {
			v.hosts = append(v.hosts, closedHost{n.Value.Backend, s.Value.Backend})
		}
	}
	return nil
}

// resolveRefs gives every mention of a node its value.
func resolveRefs(lists ...[]deepNode) {
	values := map[int64]deepNode{}
	for _, list := range lists {
		for _, n := range list {
			if n.Ref != 0 && n.Value.Backend != 0 {
				values[n.Ref] = n
			}
		}
	}
	for _, list := range lists {
		for i, n := range list {
			if n.Ref != 0 && n.Value.Backend == 0 {
				list[i] = values[n.Ref]
			}
		}
	}
}

func deepNodes(raw jsonv2.Value) ([]deepNode, error) {
	var nodes []deepNode
	if len(raw) == 0 {
		return nil, nil
	}
	if err := jsonv2.Unmarshal(raw, &nodes, tolerant); err != nil {
		return nil, fmt.Errorf("decoding the nodes our script named: %w", err)
	}
	return nodes, nil
}
