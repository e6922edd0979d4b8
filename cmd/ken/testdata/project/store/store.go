// Package store keeps what is sold. It is small.
package store

import "strings"

// Limit is the longest name.
const Limit = 64

// Store keeps prices by name.
type Store struct {
	path   string
	prices map[string]int
}

// Open opens the store at path.
func Open(path string) *Store {
	return &Store{path: path, prices: map[string]int{}}
}

// Get returns the price of a name.
func (s *Store) Get(name string) int {
	return s.prices[normal(name)]
}

func normal(name string) string {
	if len(name) > Limit {
		name = name[:Limit]
	}
	return strings.ToLower(name)
}
