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
//
// Recall and precision are to be 0.98: everything about a declaration has to be equal,
// and what differs in ktor (0.8 % of 27,851) is, by class: declarations with context
// parameters, which begin behind them here; with several annotations above them, which
// the grammar takes for a value's; with a comment behind them on their line, which is no
// part of them here; and classes given up on at an annotated accessor.
func TestKotlinOracle(t *testing.T) {
	corpus := oracleCorpus(t)
	jars := filepath.Join(os.TempDir(), "ken-oracle-kotlin")
	get := exec.Command("mvn", "-q", "-f", "testdata/oracle/kotlin/pom.xml", "dependency:copy-dependencies", "-DoutputDirectory="+jars)
	if out, err := get.CombinedOutput(); err != nil {
		t.Fatalf("get the compiler: %v\n%s", err, out)
	}
	checkOracleAt(t, 0.98, corpus, ".kt", "kotlin", exec.Command("java", "-cp", jars+"/*", "testdata/oracle/kotlin/Oracle.java"))
}
