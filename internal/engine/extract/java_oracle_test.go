package extract

import (
	"os/exec"
	"testing"
)

// TestJavaOracle compares declarations with those javac's parser finds. It needs
// a JDK of version 17 or later:
//
//	KEN_ORACLE=1 KEN_CORPUS=/path/to/netty go test -run JavaOracle
func TestJavaOracle(t *testing.T) {
	cmd := exec.Command("java", "--add-exports", "jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED",
		"testdata/oracle/java/Oracle.java")
	checkOracle(t, oracleCorpus(t), ".java", "java", cmd)
}
