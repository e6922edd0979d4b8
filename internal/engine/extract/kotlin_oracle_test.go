package extract

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestKotlinOracle compares declarations with those the Kotlin compiler's parser
// finds. It needs a JDK of version 17 or later and Maven:
//
//	KEN_ORACLE=1 KEN_CORPUS=/path/to/ktor go test -run KotlinOracle
func TestKotlinOracle(t *testing.T) {
	corpus := oracleCorpus(t)
	jars := filepath.Join(os.TempDir(), "ken-oracle-kotlin")
	get := exec.Command("mvn", "-q", "-f", "testdata/oracle/kotlin/pom.xml", "dependency:copy-dependencies", "-DoutputDirectory="+jars)
	if out, err := get.CombinedOutput(); err != nil {
		t.Fatalf("get the compiler: %v\n%s", err, out)
	}
	checkOracle(t, corpus, ".kt", "kotlin", exec.Command("java", "-cp", jars+"/*", "testdata/oracle/kotlin/Oracle.java"))
}
