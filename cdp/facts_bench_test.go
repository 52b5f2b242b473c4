package cdp

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkDecodeFacts decodes what the script says of a table of so many records.
func BenchmarkDecodeFacts(b *testing.B) {
	for _, records := range []int{130, 2_000, 20_000} {
		var text strings.Builder
		text.WriteString(`{"url":"http://fixture/","title":"Table","state":"complete","total":12000,"records":[{"p":-1,"i":1,"t":"table","s":0,"b":1,"c":167}`)
		for i := 1; i+3 < records; i += 4 {
			fmt.Fprintf(&text, `,{"p":0,"i":%d,"t":"tr","s":0,"b":%[2]d,"c":145},{"p":%[2]d,"i":%[1]d,"t":"td","s":0,"b":%[2]d,"r":[8,20,120,22],"c":13}`+
				`,{"p":%[3]d,"i":%[1]d,"t":"a","s":128,"b":%[2]d,"c":110,"u":"http://fixture/tool/%[2]d"},{"p":%[4]d,"x":"Tool %[2]d \u201cquoted\u201d","b":%[2]d,"i":%[1]d}`, 2*i, i, i+1, i+2)
		}
		text.WriteString("]}")
		b.Run(fmt.Sprint(records), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				var f Facts
				if err := decodeFacts(text.String(), &f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
