package bind

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
)

// fit is a grade: how well an argument of a call fits a parameter.
type fit uint8

const (
	fitsNot   fit = iota // certainly not
	fitsMaybe            // one of the two types is unknown
	fitsBoxed            // it may be passed as an object
	fits                 // it may be passed
	fitsBest             // it is of that very type
)

// overload is one of several functions that a call may mean, with the grades of its arguments.
type overload struct {
	def      int
	params   []infer.Parameter
	fits     []fit // by argument
	variadic bool  // set unless the arguments fit the parameters one by one
}

// narrowOverloads keeps, of the functions that a call may mean, those that accept its arguments. If several remain, none
// is preferred.
func (b *Binder) narrowOverloads(s *graph.Site, r *code.Ref, got Binding) Binding {
	if len(got.Defs) == 0 || !infer.Overloads(s.Node.Lang) {
		return got
	}
	got.Defs = b.inNameSpace(r, got.Defs)
	args, ok := b.types.Arguments(s, r)
	if !ok {
		return got
	}
	if len(got.Defs) == 1 && b.defs[got.Defs[0]].Kind.IsType() {
		return b.withConstructor(got, args)
	}
	defs := got.Defs
	seen := b.pick(defs, func(d *graph.Def) bool { return !d.Local || d.File.ID == s.Node.ID })
	left, ok := b.applicable(seen, args)
	if !ok {
		return got
	}
	if got.Decided && (len(defs) > 1 || len(left) == 0) {
		if above := b.above(defs); len(above) > len(defs) {
			defs = above
			left, _ = b.applicable(defs, args)
		}
	}
	left = mostSpecific(left)
	switch {
	case len(left) == 0 && got.Decided: // the signature differs from the part of it that is understood
		got.Confidence, got.Misfit = code.Ambiguous, true
		return got
	case len(left) == 0:
		return noBinding(Arity)
	}
	narrowed := make([]int, len(left))
	for i := range left {
		narrowed[i] = left[i].def
	}
	return b.narrowTo(got, narrowed)
}

// withConstructor adds the constructor to the binding of a call that constructs a value of a type, if the arguments tell which
// constructor it is.
func (b *Binder) withConstructor(got Binding, args []infer.Argument) Binding {
	typ := &b.defs[got.Defs[0]]
	path := typ.QualifiedName()
	left, ok := b.applicable(b.pick(b.makers, func(d *graph.Def) bool { return d.File.ID == typ.File.ID && d.Container == path }), args)
	if left = mostSpecific(left); ok && len(left) == 1 {
		got.Defs = append(slices.Clip(got.Defs), left[0].def)
	}
	return got
}

// narrowTo reduces a binding to some of its definitions.
func (b *Binder) narrowTo(got Binding, to []int) Binding {
	if !got.Decided {
		if len(to) < len(got.Defs) && got.Reason != Likelier {
			got.Reason = Arity
		}
		of := guessBinding(to)
		got.Defs, got.Confidence = to, of.Confidence
		return got
	}
	got.Defs = to
	if len(to) > 1 {
		got.Confidence = code.Ambiguous
	}
	return got
}

// inNameSpace keeps the functions if the reference is a call, else the other definitions, because a type may have
// both under one name.
func (b *Binder) inNameSpace(r *code.Ref, defs []int) []int {
	called := r.Kind == code.RefCall
	if len(defs) < 2 || !called && r.Kind != code.RefUse {
		return defs
	}
	if fits := b.pick(defs, func(d *graph.Def) bool { return d.Kind.IsFunction() == called }); len(fits) > 0 {
		return fits
	}
	return defs
}

// above adds to methods the methods of the same name in the bases of their types, except for overridden ones.
func (b *Binder) above(defs []int) []int {
	d := &b.defs[defs[0]]
	inherited, _ := b.types.Overridden(d.File, d.Ord, d.Container, d.Name)
	out := append([]int(nil), defs...)
	for i := range inherited {
		at, ok := b.Definition(code.SymbolID{File: inherited[i].File.ID, Ord: inherited[i].Ord})
		if ok && !b.overrides(out, at) {
			out = append(out, at)
		}
	}
	return out
}

// overrides reports whether one of some definitions has the same parameters as another.
func (b *Binder) overrides(list []int, other int) bool {
	params, ok := b.types.Parameters(&b.defs[other])
	for _, i := range list {
		if i == other {
			return true
		}
		own, known := b.types.Parameters(&b.defs[i])
		same := ok && known && len(own) == len(params)
		for j := 0; same && j < len(own); j++ {
			same = own[j].Text == params[j].Text
		}
		if same {
			return true
		}
	}
	return false
}

// applicable returns the functions that accept the arguments of a call; ok is false if the parameters of one of them are
// unknown.
func (b *Binder) applicable(defs []int, args []infer.Argument) (left []overload, ok bool) {
	for _, i := range defs {
		d := &b.defs[i]
		if !d.Kind.IsFunction() {
			return nil, false
		}
		params, known := b.types.Parameters(d)
		if !known {
			return nil, false
		}
		o := overload{def: i, params: params}
		if o.gradeArguments(args) {
			left = append(left, o)
		}
	}
	return left, true
}

// gradeArguments grades the arguments of a call, and reports whether the function may accept them.
func (o *overload) gradeArguments(args []infer.Argument) bool {
	n := len(o.params)
	last := n > 0 && o.params[n-1].Variadic
	if len(args) != n && !(last && len(args) >= n-1) {
		return false
	}
	o.variadic = last && len(args) != n
	o.fits = make([]fit, len(args))
	spread := false // the last argument is an array of all values for the last parameter
	for i := range args {
		p := &o.params[min(i, n-1)]
		o.fits[i] = argumentFit(&args[i], p)
		if p.Variadic && i == n-1 && len(args) == n {
			spread = args[i].Name == infer.Array // an array of them
			if spread || args[i].Name == "" {
				o.fits[i] = max(o.fits[i], fitsMaybe)
			}
		}
		if o.fits[i] == fitsNot {
			return false
		}
	}
	if last && len(args) == n && !spread && o.fits[n-1] != fitsMaybe {
		o.variadic = true
	}
	return true
}

// argumentFit grades an argument against a parameter.
func argumentFit(a *infer.Argument, p *infer.Parameter) fit {
	array := p.Name == infer.Array || strings.HasSuffix(p.Text, "[]")
	switch {
	case a.Name == "lambda":
		return lambdaFit(p, array)
	case a.Name == "null" && isPrimitive(p.Name):
		return fitsNot
	case a.Name == "null":
		return fitsMaybe
	case isObject(p) && isPrimitive(a.Name):
		return fitsBoxed
	case isObject(p):
		return fits
	case a.Kind == infer.Unknown:
		return fitsMaybe
	case array:
		return arrayFit(a)
	case a.Kind == infer.Type:
		return declaredFit(a, p)
	}
	return outsideFit(a, p)
}

func isObject(p *infer.Parameter) bool { return p.Name == "Object" }

// lambdaFit grades a lambda: only interfaces accept functions.
func lambdaFit(p *infer.Parameter, array bool) fit {
	if array || isObject(p) || isFinal(p.Name) {
		return fitsNot
	}
	if p.Kind == infer.Type && len(p.Types) > 0 && p.Types[0].Kind != code.KindInterface {
		return fitsNot
	}
	return fitsMaybe
}

// arrayFit grades an array, which is never a value of a class.
func arrayFit(a *infer.Argument) fit {
	if a.Kind == infer.Type || a.Name != "" && a.Name != "-" && a.Name != infer.Array {
		return fitsNot
	}
	return fitsMaybe
}

// declaredFit grades an argument whose type the repository declares.
func declaredFit(a *infer.Argument, p *infer.Parameter) fit {
	if p.Kind != infer.Type || len(p.Types) == 0 {
		if isFinal(p.Name) {
			return fitsNot
		}
		return fitsMaybe
	}
	for i := range a.Types {
		if same := a.Types[i].File.ID == p.Types[0].File.ID && a.Types[i].Ord == p.Types[0].Ord; same && i == 0 {
			return fitsBest
		} else if same {
			return fits
		}
	}
	if a.Complete {
		return fitsNot
	}
	return fitsMaybe
}

// outsideFit grades an argument whose type is not of the repository, so that it extends no type of the repository.
func outsideFit(a *infer.Argument, p *infer.Parameter) fit {
	switch {
	case p.Kind == infer.Type:
		return fitsNot
	case a.Name == "" || a.Name == "-":
		return fitsMaybe
	case a.Name == "Object" && !p.Generic && isNamed(p): // whatever the value is, its type in the call extends nothing
		return fitsNot
	case p.Kind == infer.Unknown || p.Name == "":
		return namedFit(a, p)
	case a.Name == p.Name:
		return fitsBest
	case hasBase(a.Name, p.Name) && isPrimitive(a.Name) != isPrimitive(p.Name):
		return fitsBoxed
	case hasBase(a.Name, p.Name):
		return fits
	case isFinal(a.Name) || isFinal(p.Name):
		return fitsNot
	}
	return fitsMaybe
}

// namedFit grades an argument of a type outside the repository if only the name of the parameter's type is known.
func namedFit(a *infer.Argument, p *infer.Parameter) fit {
	typeParameter := len(p.Text) <= 2 && p.Text == strings.ToUpper(p.Text) // T, K2
	if !isFinal(a.Name) || typeParameter || p.Generic {
		return fitsMaybe
	}
	withoutArguments, _, _ := strings.Cut(p.Text, "<")
	if hasBase(a.Name, code.LastSegment(withoutArguments)) {
		return fitsMaybe
	}
	return fitsNot
}

// mostSpecific drops each function that accepts all arguments that another accepts, and more.
func mostSpecific(list []overload) []overload {
	if len(list) < 2 {
		return list
	}
	var plain []overload
	for i := range list {
		if !list[i].variadic {
			plain = append(plain, list[i])
		}
	}
	if len(plain) > 0 && allFit(plain) {
		list = plain
	}
	list = dropBoxed(list)
	for i := range list {
		if best := &list[i]; best.beats(list, i) {
			return list[i : i+1]
		}
	}
	return list
}

// dropBoxed drops functions that need boxed arguments if another accepts them directly.
func dropBoxed(list []overload) []overload {
	direct := func(o overload) bool { return slices.Min(o.fits) >= fits }
	if len(list) < 2 || len(list[0].fits) == 0 || !slices.ContainsFunc(list, direct) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(o overload) bool { return slices.Contains(o.fits, fitsBoxed) })
}

// allFit reports whether each of the functions certainly accepts the arguments of the call.
func allFit(list []overload) bool {
	for i := range list {
		for _, f := range list[i].fits {
			if f < fitsBoxed {
				return false
			}
		}
	}
	return true
}

// beats reports whether the function at index own fits at least as well as all others in each argument.
func (o *overload) beats(list []overload, own int) bool {
	for i := range list {
		if i == own {
			continue
		}
		other, better := &list[i], false
		for j, f := range o.fits {
			p, q := &o.params[min(j, len(o.params)-1)], &other.params[min(j, len(other.params)-1)]
			switch {
			case p.Text == q.Text:
			case f == fitsBest && other.fits[j] < fitsBest, f >= fitsBoxed && isObject(q) && !isObject(p), below(p, q) && f >= fitsBoxed:
				better = true
			default:
				return false
			}
		}
		if !better {
			return false
		}
	}
	return true
}

// below reports whether the type of one parameter extends that of another.
func below(p, q *infer.Parameter) bool {
	if p.Kind != infer.Type || q.Kind != infer.Type || len(q.Types) == 0 {
		return p.Kind == infer.Outside && q.Kind == infer.Outside && hasBase(p.Name, q.Name)
	}
	for i := range p.Types {
		if p.Types[i].File.ID == q.Types[0].File.ID && p.Types[i].Ord == q.Types[0].Ord {
			return true
		}
	}
	return false
}

// SignaturesDiffer reports whether two methods of one name provably have other parameter types (in Go: or results), so
// that neither overrides or implements the other. An unknown type proves nothing.
func SignaturesDiffer(types *infer.Types, a, b *graph.Def) bool {
	if !infer.Overloads(a.File.Lang) {
		return a.File.Traits().ImplicitInterfaces && types.GoSignaturesDiffer(a, b)
	}
	own, ok := types.Parameters(a)
	other, known := types.Parameters(b)
	if !ok || !known {
		return false
	}
	if len(own) != len(other) {
		return true
	}
	for i := range own {
		if own[i].Text != other[i].Text && differs(&own[i], &other[i]) {
			return true
		}
	}
	return false
}

// differs reports whether two parameters provably have different types.
func differs(p, q *infer.Parameter) bool {
	switch {
	case p.Generic || q.Generic:
		return false
	case p.Kind == infer.Type && q.Kind == infer.Type && len(p.Types) > 0 && len(q.Types) > 0:
		return p.Types[0].File.ID != q.Types[0].File.ID || p.Types[0].Ord != q.Types[0].Ord
	case p.Kind == infer.Type || q.Kind == infer.Type:
		return isNamed(p) && isNamed(q)
	}
	return isNamed(p) && isNamed(q) && p.Name != q.Name
}

// isNamed reports whether the type of a parameter is known.
func isNamed(p *infer.Parameter) bool {
	return p.Kind == infer.Type || p.Kind == infer.Outside && p.Name != "" && p.Name != "-"
}

// fitsUse reports whether a reference can mean a definition in Rust, where macros have names of their own: name! means
// macros only, and an attribute a macro, function or trait.
func fitsUse(r *code.Ref, d *graph.Def) bool {
	switch {
	case r.Args == code.ArgsMacro:
		return d.Kind == code.KindMacro
	case r.Kind == code.RefDecorate && d.File.Traits().HasImplBlocks():
		return d.Kind == code.KindMacro || d.Kind == code.KindFunction || d.Kind == code.KindTrait
	}
	return true
}
