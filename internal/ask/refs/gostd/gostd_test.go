package gostd

import "testing"

func TestOf(t *testing.T) {
	methods := map[string]string{
		"Len": "func (s sorter) Len() int", "Less": "func (s sorter) Less(i, j int) bool", "Swap": "func (s sorter) Swap(i, j int)",
		"Read": "func (s sorter) Read(f func(a, b int)) error", "ServeHTTP": "func (s sorter) ServeHTTP(a, b, c int)",
	}
	for name, want := range map[string]string{
		"Len": "sort.Interface", "Swap": "sort.Interface", "Read": "io.Reader", "ServeHTTP": "", "String": "",
	} {
		if got := Of(methods, name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
