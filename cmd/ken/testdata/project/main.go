// Command shop sells things.
package main

import (
	"fmt"

	"example.com/shop/store"
)

func main() {
	s := store.Open("shop.db")
	fmt.Println(s.Get("hat"))
}
