package main

import "context"

func performance(ctx context.Context, old, now string, corpora []string, rounds int, only string) error {
	return nil
}
