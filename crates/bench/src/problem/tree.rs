//! Synthetic trees: binary decisions lead to leaves, each a parabola a little higher than the last
//! [Jenatton et al. 2017, §4.1 and supplement].
//!
//! Leaf a = 1 … L is worth (x − sₐ)² + 0.1a. A shared number r on each half of the tree adds r (linear) or (r − ½)²
//! (quadratic). In the papers sₐ = 0, the middle of the range, which flatters whoever imputes the middle; shifted trees
//! have sₐ = 0.7 sin 5a. The minimum is 0.1 always.
use super::{Problem, Reading};
use arbora_space::{Param, Space, Value};

/// What hangs on each half of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedParameters {
    /// Nothing.
    None,
    /// + r.
    Linear,
    /// + (r − ½)².
    Quadratic,
}

/// Which tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeShape {
    /// Number of leaves: 4 (small), 8 (large), or a chain of so many if unbalanced.
    pub leaves: usize,
    /// Two equal halves at every decision, or a chain of "here or further down"?
    pub is_balanced: bool,
    /// What hangs on each half.
    pub shared: SharedParameters,
    /// Are the optima of the leaves moved out of the middle?
    pub is_shifted: bool,
}

impl TreeShape {
    /// Small and large, with and without what is shared, in the papers' place and shifted, and chains of 4 and 8.
    pub fn all() -> Vec<Self> {
        let mut shapes = Vec::new();
        for is_balanced in [true, false] {
            for leaves in [4, 8] {
                for shared in [SharedParameters::None, SharedParameters::Linear, SharedParameters::Quadratic]
                {
                    for is_shifted in [false, true] {
                        shapes.push(Self { leaves, is_balanced, shared, is_shifted });
                    }
                }
            }
        }
        shapes
    }

    /// Such as `tree-large-shared-shifted`.
    pub fn name(&self) -> String {
        let size = if self.leaves == 4 { "small" } else { "large" };
        let shape = if self.is_balanced { "tree" } else { "chain" };
        let shared = match self.shared {
            SharedParameters::None => "",
            SharedParameters::Linear => "-shared",
            SharedParameters::Quadratic => "-quadratic",
        };
        format!("{shape}-{size}{shared}{}", if self.is_shifted { "-shifted" } else { "" })
    }

    fn place(&self, leaf: usize) -> f64 {
        if self.is_shifted { 0.7 * libm::sin(5.0 * leaf as f64) } else { 0.0 }
    }
}

/// The problem of a shape.
pub fn tree(shape: TreeShape) -> Problem {
    let mut plan = Grown { params: Vec::new(), paths: Vec::new() };
    if shape.is_balanced {
        plan.grow("", &[], shape.leaves);
    } else {
        plan.chain(shape.leaves);
    }
    let root = plan.params[0].name.clone();
    if shape.shared != SharedParameters::None {
        for side in 0..2 {
            plan.params.push(Param::real(format!("r{side}"), 0.0, 1.0).when(format!("{root} == {side}")));
        }
    }
    let space = Space::new(plan.params).expect("a tree of decisions is a space");
    let paths = plan.paths;
    Problem::new(shape.name(), space, 0.1, move |at: &Reading<'_>| {
        let found = paths.iter().enumerate().find_map(|(i, leaf)| Some((i, at.number_if_active(leaf)?)));
        let (i, x) = found.expect("exactly one leaf is active");
        let side = at.choice(&root).and_then(|v| Value::as_i64(&v)).unwrap_or(0);
        let shared = match shape.shared {
            SharedParameters::None => 0.0,
            SharedParameters::Linear => at.number(&format!("r{side}")),
            SharedParameters::Quadratic => (at.number(&format!("r{side}")) - 0.5).powi(2),
        };
        (x - shape.place(i + 1)).powi(2) + 0.1 * (i + 1) as f64 + shared
    })
}

/// Parameters in the order they are decided, and the leaves in the order of their height.
struct Grown {
    params: Vec<Param>,
    paths: Vec<String>,
}

impl Grown {
    fn add(&mut self, param: Param, when: &[String]) {
        self.params.push(if when.is_empty() { param } else { param.when(when.join(" and ")) });
    }

    fn leaf(&mut self, path: &str, when: &[String]) {
        let name = format!("leaf{path}");
        self.add(Param::real(name.clone(), -1.0, 1.0), when);
        self.paths.push(name);
    }

    fn decision(&mut self, name: &str, when: &[String]) {
        self.add(Param::choice(name, [0_i64, 1]), when);
    }

    fn grow(&mut self, path: &str, when: &[String], leaves: usize) {
        if leaves == 1 {
            return self.leaf(path, when);
        }
        let name = format!("n{path}");
        self.decision(&name, when);
        for side in 0..2 {
            let below = [when, &[format!("{name} == {side}")]].concat();
            self.grow(&format!("{path}{side}"), &below, leaves / 2);
        }
    }

    /// Decision k takes leaf k or goes on; the last one has two leaves.
    fn chain(&mut self, leaves: usize) {
        let mut when: Vec<String> = Vec::new();
        for k in 0..leaves - 1 {
            let name = format!("n{k}");
            self.decision(&name, &when);
            let here = [&when[..], &[format!("{name} == 0")]].concat();
            self.leaf(&k.to_string(), &here);
            when.push(format!("{name} == 1"));
        }
        self.leaf(&(leaves - 1).to_string(), &when);
    }
}
