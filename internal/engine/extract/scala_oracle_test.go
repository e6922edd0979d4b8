package extract

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestScalaOracle compares declarations with those of Scalameta's parser, which is
// the one of scalafmt and scalafix. It needs a JDK of version 17 or later and Maven:
//
//	KEN_ORACLE=1 KEN_CORPUS=/path/to/cats go test -run ScalaOracle
func TestScalaOracle(t *testing.T) {
	corpus := oracleCorpus(t)
	jars := filepath.Join(os.TempDir(), "ken-oracle-scala")
	get := exec.Command("mvn", "-q", "-f", "testdata/oracle/scala/pom.xml", "dependency:copy-dependencies", "-DoutputDirectory="+jars)
	if out, err := get.CombinedOutput(); err != nil {
		t.Fatalf("get the parser: %v\n%s", err, out)
	}
	checkOracle(t, corpus, ".scala", "scala", exec.Command("java", "-Xss64m", "-cp", jars+"/*", "testdata/oracle/scala/Oracle.java"))
}
