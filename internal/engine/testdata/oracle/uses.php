<?php
// Prints the use declarations of PHP files and the files that declare what they
// name, as nikic/php-parser sees both, one JSON object a line: {"path","line","spec","to"}.
// It exists to check ken and shares nothing with it (Debian: php-cli, php-parser).
//
//	php uses.php < list-of-files

require 'PhpParser/autoload.php';

use PhpParser\Node\Stmt;

$lexer = new PhpParser\Lexer\Emulative(['usedAttributes' => ['startLine']]);
$parser = (new PhpParser\ParserFactory())->create(PhpParser\ParserFactory::ONLY_PHP7, $lexer);
$declared = $uses = [];
while (($path = fgets(STDIN)) !== false) {
    $path = rtrim($path, "\n");
    try {
        $stmts = (new PhpParser\NodeTraverser());
        $stmts->addVisitor(new PhpParser\NodeVisitor\NameResolver());
        $stmts = $stmts->traverse($parser->parse(file_get_contents($path)));
    } catch (PhpParser\Error $e) {
        continue;
    }
    $finder = new PhpParser\NodeFinder();
    foreach ($finder->find($stmts, fn($n) => ($n instanceof Stmt\ClassLike && $n->name || $n instanceof Stmt\Function_) && $n->namespacedName) as $n) {
        $declared[$n->namespacedName->toString()][] = $path;
    }
    foreach ($finder->find($stmts, fn($n) => $n instanceof Stmt\Use_ || $n instanceof Stmt\GroupUse) as $u) {
        foreach ($u->uses as $use) {
            $prefix = $u instanceof Stmt\GroupUse ? $u->prefix->toString() . '\\' : '';
            $uses[] = ['path' => $path, 'line' => $use->getStartLine(), 'spec' => $prefix . $use->name->toString()];
        }
    }
}
foreach ($uses as $u) {
    echo json_encode($u + ['to' => array_values(array_unique($declared[$u['spec']] ?? []))], JSON_UNESCAPED_SLASHES), "\n";
}
