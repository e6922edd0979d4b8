package extract

import "ken/internal/code"

// script reads TypeScript, TSX and JavaScript. One walk reads all three, because their
// grammars share most symbols. It goes down the tree once. Before it enters a block it
// binds the names the block declares, because a function may use declarations below it.
type script struct {
	*file
	// self is the type `this` belongs to, "" if the file does not show it.
	self string
	// base is the type `super` means, "" if the file does not show it.
	base string
	// baseRef is a reference to the class of base, for super(…).
	baseRef code.Ref
	// withoutSymbols keeps the members of an anonymous class from becoming symbols.
	withoutSymbols bool
	// thisFunction is a function expression whose `this` is self.
	thisFunction node
	// valued is the function or class that is the value of the symbol s.owner.
	valued node
	// ambient is set where all declarations are visible: in declaration files and
	// `declare` blocks.
	ambient bool
	// exportedNames are the names exported by a list (`export { a }`, module.exports =
	// { a }).
	exportedNames map[string]bool
	exportAt      map[string]int // where a name is in the first exportsSeen of facts.Exports
	exportsSeen   int
	shared        map[string]bool // names that are members of objects in the short form
	commonNames   map[string]bool // the members of the exported object of a module of CommonJS
	// place is the owner of an object literal at the current position, result the owner of
	// one that the function around it returns belongs to.
	place, result literalPlace
	// outerSelf is the type that `this` belongs to in an arrow function of a literal.
	outerSelf string
	// returnedNames are the local names that the function around the current position
	// lists in a literal it returns.
	returnedNames map[string]bool
	returnedName  string // the name it returns, "" if it returns none
	// given is the type of what the function around the current position returns, as far as it is read.
	given          *givenType
	literalMembers int // how many members of literals are declared so far
	aliases        []memberAlias
	nested         []nestedSymbol
	elementType    string // type of the first parameter of the function that follows
	// expected are the types that functions have where they are written: as the value
	// of a variable, as an argument of a call.
	expected   map[node]string
	block      node // the block around the current position, root outside of functions and blocks
	inFunction bool
	inClass    bool
	testFile   bool
}

// givenType is the type of the values that a function without a declared result returns: one, or none if they differ or one is unknown.
type givenType struct {
	typ     string
	unknown bool
}

// nestedSymbol is a symbol that is visible only in the block that declares it.
type nestedSymbol struct {
	symbol int32
	block  node
}

// literalPlace tells to which declaration the members of the current object literal belong.
type literalPlace struct {
	name  string // qualified name that its members are declared below, "" if it declares none
	depth int    // how many literals are around it
	// data is set where the keys of plain data are declared too, because they are what
	// the component or store has (Vue's data, Pinia's state).
	data bool
	// computed is set for a literal that a function makes when it is called. Its calls
	// give values and no declarations.
	computed bool
}

// inside returns the place of a literal that is the value of the member name at place p.
func (p literalPlace) inside(name string) literalPlace {
	return literalPlace{name: name, depth: p.depth + 1, computed: p.computed}
}

// memberAlias is a member of a literal, or of a function or class, that is another name
// for a declaration: `export default { load }`. name is spreadMember for all members of it.
type memberAlias struct{ container, name, target string }
