package class

import "testing"

func BenchmarkClass(b *testing.B) {
	c := New()
	for b.Loop() {
		c.Class("staging/src/k8s.io/kubernetes/pkg/kubelet/cm/devicemanager/pod_devices.go", "go", 0)
	}
}
