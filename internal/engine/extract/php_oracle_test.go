package extract

import (
	"os/exec"
	"testing"
)

// TestPHPOracle compares declarations with those nikic/php-parser finds. It needs
// php 8 and that library on its include path (Debian: php-cli, php-parser):
//
//	KEN_ORACLE=1 KEN_CORPUS=/path/to/framework go test -run PHPOracle
func TestPHPOracle(t *testing.T) {
	checkOracle(t, oracleCorpus(t), ".php", "php", exec.Command("php", "-d", "memory_limit=1G", "testdata/oracle/php/oracle.php"))
}
