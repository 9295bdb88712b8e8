// Go's net/url: Parse.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
)

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked struct{ Text, Rule string }
		json.Unmarshal(line, &asked)
		found, err := url.Parse(asked.Text)
		answer := map[string]any{"valid": err == nil && (found.Scheme != "" || asked.Rule != "URI")}
		if err == nil {
			answer["host"] = found.Hostname()
		}
		out, _ := json.Marshal(answer)
		fmt.Println(string(out))
	}
}
