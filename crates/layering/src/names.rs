//! Every path that a source names, as written: in `use` trees, in types and expressions, inside macros and in
//! attributes such as `#[serde(default = "crate::a::b")]`. Items under `#[cfg(test)]` are left out.
//!
//! Items and `use` trees are parsed; the rest is read as tokens, because the inside of a macro is nothing else.
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;

/// A path as written: its segments, and the module inside the file that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    /// Inline modules of the file around the path, outermost first.
    pub(crate) within: Vec<String>,
    pub(crate) path: Vec<String>,
    /// For a `use`: the name it binds, or `*`. Nothing for any other path.
    pub(crate) binds: Option<String>,
}

/// What one file says, apart from its tests.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) named: Vec<Named>,
    /// Items that the file defines, each with the inline modules around it.
    pub(crate) defined: Vec<(Vec<String>, String)>,
    within: Vec<String>,
}

impl Names {
    pub(crate) fn of(file: &syn::File) -> Self {
        let mut names = Self::default();
        names.push_items(&file.items);
        names
    }

    fn push_items(&mut self, items: &[syn::Item]) {
        for item in items.iter().filter(|item| !attributes(item).iter().any(is_test)) {
            match item {
                syn::Item::Mod(module) => {
                    self.within.push(module.ident.to_string());
                    self.push_items(module.content.as_ref().map_or(&[], |(_, items)| items));
                    self.within.pop();
                    continue;
                }
                syn::Item::Use(item) => {
                    self.push_use(&item.tree, &[]);
                    continue;
                }
                _ => self.define(item),
            }
            self.push_tokens(item.to_token_stream(), false);
        }
    }

    fn define(&mut self, item: &syn::Item) {
        let name = match item {
            syn::Item::Struct(item) => &item.ident,
            syn::Item::Enum(item) => &item.ident,
            syn::Item::Trait(item) => &item.ident,
            syn::Item::Fn(item) => &item.sig.ident,
            syn::Item::Const(item) => &item.ident,
            syn::Item::Static(item) => &item.ident,
            syn::Item::Type(item) => &item.ident,
            _ => return,
        };
        self.defined.push((self.within.clone(), name.to_string()));
    }

    fn push(&mut self, path: Vec<String>, binds: Option<String>) {
        self.named.push(Named { within: self.within.clone(), path, binds });
    }

    fn push_use(&mut self, tree: &syn::UseTree, before: &[String]) {
        let joined = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.push_use(&path.tree, &joined(&path.ident)),
            syn::UseTree::Name(name) if name.ident == "self" => {
                self.push(before.to_vec(), before.last().cloned());
            }
            syn::UseTree::Name(name) => self.push(joined(&name.ident), Some(name.ident.to_string())),
            syn::UseTree::Rename(rename) => {
                let path = if rename.ident == "self" { before.to_vec() } else { joined(&rename.ident) };
                self.push(path, Some(rename.rename.to_string()));
            }
            syn::UseTree::Glob(_) => self.push(before.to_vec(), Some("*".to_owned())),
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.push_use(tree, before);
                }
            }
        }
    }

    /// Paths in tokens, `a :: b :: c`; in an attribute also strings that are paths.
    fn push_tokens(&mut self, tokens: TokenStream, is_attribute: bool) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        let mut before = String::new();
        let mut tokens = tokens.into_iter();
        while let Some(token) = tokens.next() {
            match &token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                // A function may import for itself.
                TokenTree::Ident(ident) if *ident == "use" => {
                    let rest = tokens.by_ref().take_while(|token| token.to_string() != ";");
                    if let Ok(tree) = syn::parse2::<syn::UseTree>(rest.collect()) {
                        self.push_use(&tree, &[]);
                    }
                }
                TokenTree::Ident(ident) if colons == 2 => path.push(ident.to_string()),
                TokenTree::Ident(ident) => {
                    self.push_path(std::mem::replace(&mut path, vec![ident.to_string()]));
                }
                other => {
                    self.push_path(std::mem::take(&mut path));
                    self.push_group_or_literal(other, &before, is_attribute);
                }
            }
            colons = 0;
            before = token.to_string();
        }
        self.push_path(path);
    }

    fn push_group_or_literal(&mut self, token: &TokenTree, before: &str, is_attribute: bool) {
        match token {
            // `pub(in crate::a)` says who may look here, not where this looks.
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis && before == "pub" => {}
            TokenTree::Group(group) => {
                let begins_one = before == "#" && group.delimiter() == Delimiter::Bracket;
                self.push_tokens(group.stream(), is_attribute || begins_one);
            }
            TokenTree::Literal(literal) if is_attribute => self.push_literal(&literal.to_string()),
            _ => {}
        }
    }

    fn push_literal(&mut self, literal: &str) {
        let text = literal.trim_matches('"');
        if text.starts_with("crate::") || text.starts_with("super::") {
            self.push_path(text.split("::").map(str::to_owned).collect());
        }
    }

    fn push_path(&mut self, path: Vec<String>) {
        if path.len() > 1 {
            self.push(path, None);
        }
    }
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn is_test(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("test")
        || attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(code: &str) -> Vec<String> {
        let file = syn::parse_file(code).unwrap();
        Names::of(&file).named.iter().map(|named| named.path.join("::")).collect()
    }

    #[test]
    fn groups_are_seen_also_when_nested_and_over_several_lines() {
        let code = "use crate::{\n    alpha,\n    beta::{self, B as C, inner::{D, *}},\n};";
        let seen =
            ["crate::alpha", "crate::beta", "crate::beta::B", "crate::beta::inner::D", "crate::beta::inner"];
        assert_eq!(paths(code), seen);
        assert_eq!(paths("use {crate::a, super::b};"), ["crate::a", "super::b"]);
    }

    #[test]
    fn comments_strings_and_tests_name_nothing() {
        let code = "// crate::a\n/* use crate::b; */\nconst S: &str = \"crate::c\";\n\
                    #[cfg(test)]\nmod tests { use crate::d; }\n#[cfg(test)]\nuse crate::e;";
        assert_eq!(paths(code), Vec::<String>::new());
    }

    #[test]
    fn paths_inside_macros_and_attributes_are_seen() {
        let code = "fn f() { assert!(crate::a::g(1) > x, \"{}\", super::b::C); }\n\
                    #[derive(D)] struct S { #[serde(default = \"crate::c::d\")] x: i32 }";
        assert_eq!(paths(code), ["crate::a::g", "super::b::C", "crate::c::d"]);
    }

    #[test]
    fn a_function_that_imports_for_itself_is_seen() {
        assert_eq!(
            paths("fn f() { use crate::{a::A, b}; A::new(b::c()) }"),
            ["crate::a::A", "crate::b", "A::new", "b::c"]
        );
    }

    #[test]
    fn visibility_is_no_import() {
        assert_eq!(paths("pub(in crate::a) fn f() {}"), Vec::<String>::new());
    }
}
