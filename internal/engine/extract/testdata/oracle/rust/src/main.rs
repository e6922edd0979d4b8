//! Prints the declarations of Rust files as `syn` sees them, one JSON object a
//! line. It exists to check ken's extractor and shares nothing with it.
//!
//! Reads file names from stdin. A line is {"path","kind","name","qualified",
//! "start","end","line","end_line","name_start"}, with byte offsets and 1-based
//! lines; a file syn cannot parse gives one {"path","error":true}.

use proc_macro2::{LineColumn, Span};
use quote::ToTokens;
use std::io::{BufRead, Write};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};

struct Printer<'a, W: Write> {
    out: W,
    path: &'a str,
    lines: Vec<usize>, // byte offset of each line
    text: &'a str,
    names: Vec<String>,
    in_type: bool, // inside a trait or an impl: functions are methods
}

impl<W: Write> Printer<'_, W> {
    fn offset(&self, at: LineColumn) -> usize {
        let start = self.lines[at.line - 1];
        let line = &self.text[start..];
        start + line.char_indices().nth(at.column).map_or(line.len(), |(i, _)| i)
    }

    fn emit(&mut self, kind: &str, name: &syn::Ident, start: Span, end: Span) {
        let text = name.unraw().to_string();
        let mut qualified = self.names.clone();
        qualified.push(text.clone());
        let (s, e) = (start.start(), end.end());
        let line = format!(
            "{{\"path\":{:?},\"kind\":\"{kind}\",\"name\":{text:?},\"qualified\":{:?},\"start\":{},\"end\":{},\"line\":{},\"end_line\":{},\"name_start\":{}}}",
            self.path,
            qualified.join("."),
            self.offset(s),
            self.offset(e),
            s.line,
            e.line,
            self.offset(name.span().start()),
        );
        writeln!(self.out, "{line}").unwrap();
    }

    /// Emits `node` without its attributes: it starts at its first other token.
    fn item(&mut self, kind: &str, name: &syn::Ident, node: &impl ToTokens, attrs: &[syn::Attribute], descend: impl FnOnce(&mut Self)) {
        // `const _` declares nothing that could be referred to.
        if name == "_" {
            return descend(self);
        }
        let (start, end) = bare(node, attrs);
        self.emit(kind, name, start, end);
        self.names.push(name.unraw().to_string());
        descend(self);
        self.names.pop();
    }

    fn function(&mut self, name: &syn::Ident, node: &impl ToTokens, attrs: &[syn::Attribute], body: Option<&syn::Block>) {
        let kind = if self.in_type { "method" } else { "function" };
        let was = std::mem::replace(&mut self.in_type, false);
        self.item(kind, name, node, attrs, |p| {
            if let Some(b) = body {
                p.visit_block(b)
            }
        });
        self.in_type = was;
    }
}

/// The spans of the first and last token of node once its own attributes are
/// passed over.
fn bare(node: &impl ToTokens, attrs: &[syn::Attribute]) -> (Span, Span) {
    let mut outer = 0;
    for a in attrs {
        if matches!(a.style, syn::AttrStyle::Outer) {
            outer += a.to_token_stream().into_iter().count();
        }
    }
    let tokens: Vec<_> = node.to_token_stream().into_iter().collect();
    let first = match &tokens[outer] {
        proc_macro2::TokenTree::Group(g) => g.span_open(),
        t => t.span(),
    };
    let last = match tokens.last().unwrap() {
        proc_macro2::TokenTree::Group(g) => g.span_close(),
        t => t.span(),
    };
    (first, last)
}

fn type_name(t: &syn::Type) -> Option<String> {
    match t {
        syn::Type::Path(p) => p.path.segments.last().map(|s| s.ident.to_string()),
        syn::Type::Reference(r) => type_name(&r.elem),
        syn::Type::Ptr(r) => type_name(&r.elem),
        syn::Type::Group(g) => type_name(&g.elem),
        syn::Type::Paren(g) => type_name(&g.elem),
        syn::Type::TraitObject(o) => o.bounds.iter().find_map(|b| match b {
            syn::TypeParamBound::Trait(t) => t.path.segments.last().map(|s| s.ident.to_string()),
            _ => None,
        }),
        syn::Type::Slice(r) => type_name(&r.elem),
        syn::Type::Array(r) => type_name(&r.elem),
        _ => None,
    }
}

impl<'ast, W: Write> Visit<'ast> for Printer<'_, W> {
    fn visit_item_fn(&mut self, i: &'ast syn::ItemFn) {
        self.function(&i.sig.ident, i, &i.attrs, Some(&i.block));
    }
    fn visit_impl_item_fn(&mut self, i: &'ast syn::ImplItemFn) {
        self.function(&i.sig.ident, i, &i.attrs, Some(&i.block));
    }
    fn visit_trait_item_fn(&mut self, i: &'ast syn::TraitItemFn) {
        self.function(&i.sig.ident, i, &i.attrs, i.default.as_ref());
    }
    fn visit_foreign_item_fn(&mut self, i: &'ast syn::ForeignItemFn) {
        self.function(&i.sig.ident, i, &i.attrs, None);
    }
    fn visit_item_struct(&mut self, i: &'ast syn::ItemStruct) {
        self.item("struct", &i.ident, i, &i.attrs, |p| visit::visit_fields(p, &i.fields));
    }
    fn visit_item_union(&mut self, i: &'ast syn::ItemUnion) {
        self.item("union", &i.ident, i, &i.attrs, |p| visit::visit_fields_named(p, &i.fields));
    }
    fn visit_item_enum(&mut self, i: &'ast syn::ItemEnum) {
        self.item("enum", &i.ident, i, &i.attrs, |p| i.variants.iter().for_each(|v| p.visit_variant(v)));
    }
    fn visit_variant(&mut self, v: &'ast syn::Variant) {
        self.item("enum_member", &v.ident, v, &v.attrs, |p| visit::visit_variant(p, v));
    }
    fn visit_field(&mut self, f: &'ast syn::Field) {
        if let Some(name) = &f.ident {
            self.item("field", name, f, &f.attrs, |_| {});
        }
    }
    fn visit_item_trait(&mut self, i: &'ast syn::ItemTrait) {
        let was = std::mem::replace(&mut self.in_type, true);
        self.item("trait", &i.ident, i, &i.attrs, |p| i.items.iter().for_each(|x| p.visit_trait_item(x)));
        self.in_type = was;
    }
    fn visit_item_trait_alias(&mut self, i: &'ast syn::ItemTraitAlias) {
        self.item("trait", &i.ident, i, &i.attrs, |_| {});
    }
    fn visit_item_impl(&mut self, i: &'ast syn::ItemImpl) {
        let was = std::mem::replace(&mut self.in_type, true);
        let name = type_name(&i.self_ty);
        let named = name.is_some();
        self.names.extend(name);
        i.items.iter().for_each(|x| self.visit_impl_item(x));
        if named {
            self.names.pop();
        }
        self.in_type = was;
    }
    fn visit_item_mod(&mut self, i: &'ast syn::ItemMod) {
        if let Some((_, items)) = &i.content {
            let was = std::mem::replace(&mut self.in_type, false);
            self.item("module", &i.ident, i, &i.attrs, |p| items.iter().for_each(|x| p.visit_item(x)));
            self.in_type = was;
        }
    }
    fn visit_item_const(&mut self, i: &'ast syn::ItemConst) {
        self.item("constant", &i.ident, i, &i.attrs, |p| p.visit_expr(&i.expr));
    }
    fn visit_impl_item_const(&mut self, i: &'ast syn::ImplItemConst) {
        self.item("constant", &i.ident, i, &i.attrs, |p| p.visit_expr(&i.expr));
    }
    fn visit_trait_item_const(&mut self, i: &'ast syn::TraitItemConst) {
        self.item("constant", &i.ident, i, &i.attrs, |p| {
            if let Some((_, e)) = &i.default {
                p.visit_expr(e)
            }
        });
    }
    fn visit_item_static(&mut self, i: &'ast syn::ItemStatic) {
        self.item("variable", &i.ident, i, &i.attrs, |p| p.visit_expr(&i.expr));
    }
    fn visit_foreign_item_static(&mut self, i: &'ast syn::ForeignItemStatic) {
        self.item("variable", &i.ident, i, &i.attrs, |_| {});
    }
    fn visit_item_type(&mut self, i: &'ast syn::ItemType) {
        self.item("type", &i.ident, i, &i.attrs, |_| {});
    }
    fn visit_impl_item_type(&mut self, i: &'ast syn::ImplItemType) {
        self.item("type", &i.ident, i, &i.attrs, |_| {});
    }
    fn visit_trait_item_type(&mut self, i: &'ast syn::TraitItemType) {
        self.item("type", &i.ident, i, &i.attrs, |_| {});
    }
    fn visit_foreign_item_type(&mut self, i: &'ast syn::ForeignItemType) {
        self.item("type", &i.ident, i, &i.attrs, |_| {});
    }
    fn visit_item_macro(&mut self, i: &'ast syn::ItemMacro) {
        if let (Some(name), true) = (&i.ident, i.mac.path.is_ident("macro_rules")) {
            self.item("macro", name, i, &i.attrs, |_| {});
        }
    }
}

fn main() {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for path in std::io::stdin().lock().lines() {
        let path = path.unwrap();
        let text = std::fs::read(&path).ok().and_then(|b| String::from_utf8(b).ok());
        // syn drops a byte order mark and a #! line before it counts; such files are left out.
        let text = text.filter(|t| !t.starts_with('\u{feff}') && (!t.starts_with("#!") || t.starts_with("#![")));
        match text.as_ref().and_then(|t| syn::parse_file(t).ok().map(|f| (t, f))) {
            None => writeln!(out, "{{\"path\":{path:?},\"error\":true}}").unwrap(),
            Some((text, file)) => {
                let mut lines = vec![0];
                lines.extend(text.match_indices('\n').map(|(i, _)| i + 1));
                Printer { out: &mut out, path: &path, lines, text, names: vec![], in_type: false }.visit_file(&file);
            }
        }
    }
}
