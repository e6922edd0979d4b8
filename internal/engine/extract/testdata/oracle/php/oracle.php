<?php
// Prints the declarations of PHP files as nikic/php-parser sees them, one JSON
// object a line. It exists to check ken's extractor and shares nothing with it.
// It needs php and the library on the include path (Debian: php-cli, php-parser).
//
//	php oracle.php < list-of-files
//
// A line is {"path","kind","name","qualified","start","end","line","end_line","name_start"}, with byte
// offsets and 1-based lines; a file the parser reports an error in gives one {"path","error":true}.

require 'PhpParser/autoload.php';

use PhpParser\Node;
use PhpParser\Node\Expr;
use PhpParser\Node\Stmt;

class Oracle
{
    private array $names = [];
    private array $globals = [];
    private int $depth = 0; // of functions around
    private bool $typed = false;

    public function __construct(private string $path, private string $src, private array $out = []) {}

    public function emit(string $kind, string $name, Node $n, int $nameStart, ?string $qualified = null, int $start = -1): void
    {
        $start = $start >= 0 ? $start : $this->start($n);
        $end = $n->getEndFilePos() + 1;
        $this->out[] = json_encode(['path' => $this->path, 'kind' => $kind, 'name' => $name,
            'qualified' => $qualified ?? implode('.', [...$this->names, $name]),
            'start' => $start, 'end' => $end, 'line' => $this->line($start), 'end_line' => $this->line($end - 1), 'name_start' => $nameStart],
            JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
    }

    private function line(int $at): int { return substr_count($this->src, "\n", 0, $at) + 1; }

    /** Where a declaration begins behind its attributes. */
    private function start(Node $n): int
    {
        $at = $n->getStartFilePos();
        foreach ($n->attrGroups ?? [] as $g) {
            $at = $g->getEndFilePos() + 1;
            preg_match('~\G(?:\s+|//[^\n]*|#(?!\[)[^\n]*|/\*.*?\*/)*~s', $this->src, $m, 0, $at);
            $at += strlen($m[0]);
        }
        return $at;
    }

    public function run(array $stmts): array
    {
        $this->walk($stmts, true);
        return $this->out;
    }

    private function in(string $name, callable $f): void
    {
        $this->names[] = $name;
        $f();
        array_pop($this->names);
    }

    private function walk($n, bool $top = false): void
    {
        if (is_array($n)) {
            foreach ($n as $c) {
                $this->walk($c, $top);
            }
            return;
        }
        if (!$n instanceof Node) {
            return;
        }
        match (true) {
            $n instanceof Stmt\Namespace_ => $this->walk($n->stmts, true),
            $n instanceof Stmt\Class_ && $n->name === null => $this->members($n, $n->stmts),
            $n instanceof Stmt\ClassLike => $this->type($n),
            $n instanceof Stmt\Function_ => $this->function_($n, 'function'),
            $n instanceof Stmt\ClassMethod => $this->function_($n, strtolower($n->name->name) === '__construct' ? 'constructor' : 'method'),
            $n instanceof Stmt\Property => $this->property($n),
            $n instanceof Stmt\ClassConst, $n instanceof Stmt\Const_ => $this->constants($n),
            $n instanceof Stmt\EnumCase => $this->emit('enum_member', $n->name->name, $n, $n->name->getStartFilePos()),
            $top && $n instanceof Stmt\Expression => $this->statement($n),
            default => $this->inside($n),
        };
    }

    private function inside(Node $n): void
    {
        if ($n instanceof Expr\FuncCall) {
            $this->define($n);
        }
        foreach ($n->getSubNodeNames() as $name) {
            $this->walk($n->$name);
        }
    }

    /** The statements of an anonymous class count as those of the symbol around. */
    private function members(Node $n, array $stmts): void
    {
        $this->walk($n->attrGroups ?? []);
        $this->walk($stmts);
    }

    private function type(Stmt\ClassLike $n): void
    {
        $kind = match (true) {
            $n instanceof Stmt\Interface_ => 'interface', $n instanceof Stmt\Trait_ => 'trait',
            $n instanceof Stmt\Enum_ => 'enum', default => 'class',
        };
        $own = $this->depth > 0 ? $n->name->name : null;
        $this->emit($kind, $n->name->name, $n, $n->name->getStartFilePos(), $own);
        $this->scope($own, $n->name->name, fn() => $this->walk($n->stmts));
    }

    /** A function or type inside a function is global once that has run. */
    private function scope(?string $own, string $name, callable $f): void
    {
        [$names, $depth] = [$this->names, $this->depth];
        if ($own !== null) {
            $this->names = [];
        }
        $this->in($name, $f);
        [$this->names, $this->depth] = [$names, $depth];
    }

    private function function_(Node $n, string $kind): void
    {
        $own = $kind === 'function' && $this->depth > 0 ? $n->name->name : null;
        $this->emit($kind, $n->name->name, $n, $n->name->getStartFilePos(), $own);
        foreach ($n->params as $p) {
            if ($p->flags !== 0 && $kind === 'constructor') {
                $start = $this->start($p);
                $this->emit('field', $p->var->name, $p, $p->var->getStartFilePos() + 1);
            }
        }
        $this->scope($own, $n->name->name, function () use ($n) {
            $this->depth++;
            $this->walk($n->params);
            $this->walk($n->stmts);
        });
    }

    private function property(Stmt\Property $n): void
    {
        foreach ($n->props as $p) {
            $node = count($n->props) > 1 ? $p : $n;
            $this->emit('field', $p->name->name, $node, $p->name->getStartFilePos() + 1);
            $this->in($p->name->name, fn() => $this->walk($p->default));
        }
    }

    private function constants(Node $n): void
    {
        foreach ($n->consts as $c) {
            $node = count($n->consts) > 1 ? $c : $n;
            $this->emit('constant', $c->name->name, $node, $c->name->getStartFilePos());
            $this->in($c->name->name, fn() => $this->walk($c->value));
        }
    }

    private function statement(Stmt\Expression $n): void
    {
        $e = $n->expr;
        if (($e instanceof Expr\Assign || $e instanceof Expr\AssignRef) && $e->var instanceof Expr\Variable && is_string($e->var->name)
            && $e->var->name !== 'this' && !isset($this->globals[$e->var->name])) {
            $this->globals[$e->var->name] = true;
            $this->emit('variable', $e->var->name, $e, $e->var->getStartFilePos() + 1);
        }
        $this->inside($n);
    }

    private function define(Expr\FuncCall $n): void
    {
        if (!$n->name instanceof Node\Name || strtolower($n->name->toString()) !== 'define' || !($n->args[0] ?? null) instanceof Node\Arg
            || !$n->args[0]->value instanceof Node\Scalar\String_) {
            return;
        }
        $full = $n->args[0]->value->value;
        $name = substr($full, (int) strrpos('\\' . $full, '\\'));
        $this->emit('constant', $name, $n, $n->args[0]->value->getEndFilePos() - strlen($name), $name);
    }
}

$lexer = new PhpParser\Lexer\Emulative(['usedAttributes' => ['startLine', 'endLine', 'startFilePos', 'endFilePos', 'comments']]);
$parser = (new PhpParser\ParserFactory())->create(PhpParser\ParserFactory::ONLY_PHP7, $lexer);
while (($path = fgets(STDIN)) !== false) {
    $path = rtrim($path, "\n");
    $src = file_get_contents($path);
    try {
        echo implode('', array_map(fn($l) => $l . "\n", (new Oracle($path, $src))->run($parser->parse($src))));
    } catch (PhpParser\Error | JsonException $e) {
        echo json_encode(['path' => $path, 'error' => true], JSON_UNESCAPED_SLASHES), "\n";
    }
}
