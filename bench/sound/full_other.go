//go:build !linux

package main

import "context"

func isInNamespace() bool { return false }

func runInNamespace(context.Context, ...string) error { return errNoNamespace }

func mountSmall(string, int) error { return errNoNamespace }
