//! A parabola with a second variable that appears beyond a threshold  [Zaefferer & Horn 2018, §5].
//!
//! f(x) = (x₁ − d)² + [x₁ > c]·((x₂ − ½)² + b), x₂ active only where x₁ > c; 40 settings of (b, c, d) in five situations.
use super::{Problem, Reading};
use arbora_space::{Param, Space};

/// Where the optimum lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// d < c, b = 0: where x₂ is inactive, and the other side joins on smoothly.
    A,
    /// d < c, b = 0.1: the same with a step.
    B,
    /// d > c, b = 0: where x₂ is active.
    C,
    /// d > c, 0.1 < (c − d)²: active in spite of the step.
    D,
    /// d > c, 0.1 > (c − d)²: at the threshold, where x₂ is inactive still.
    E,
}

/// (b, c, d).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Height of the step.
    pub b: f64,
    /// The threshold.
    pub c: f64,
    /// Where the parabola is lowest.
    pub d: f64,
}

impl Situation {
    /// All of them.
    pub const ALL: [Situation; 5] = [Situation::A, Situation::B, Situation::C, Situation::D, Situation::E];

    /// Such as `zaefferer-a`.
    pub fn name(self) -> String {
        format!("zaefferer-{}", format!("{self:?}").to_lowercase())
    }

    /// One setting in the middle of the situation.
    pub fn typical(self) -> Setting {
        let (b, c, d) = match self {
            Situation::A => (0.0, 0.6, 0.3),
            Situation::B => (0.1, 0.6, 0.3),
            Situation::C => (0.0, 0.4, 0.7),
            Situation::D => (0.1, 0.2, 0.9),
            Situation::E => (0.1, 0.4, 0.7),
        };
        Setting { b, c, d }
    }
}

impl Setting {
    /// Such as `zaefferer b=0.1 c=0.4 d=0.7`.
    pub fn name(&self) -> String {
        format!("zaefferer b={} c={} d={}", self.b, self.c, self.d)
    }

    /// Which situation it is.
    pub fn situation(&self) -> Situation {
        let Self { b, c, d } = *self;
        match (d < c, b > 0.0) {
            (true, false) => Situation::A,
            (true, true) => Situation::B,
            (false, false) => Situation::C,
            (false, true) if b < (c - d).powi(2) => Situation::D,
            (false, true) => Situation::E,
        }
    }

    fn optimum(&self) -> f64 {
        match self.situation() {
            Situation::A | Situation::B | Situation::C => 0.0,
            Situation::D => self.b,
            Situation::E => (self.c - self.d).powi(2),
        }
    }
}

/// The 40 settings of the paper.
pub fn zaefferer_grid() -> Vec<Setting> {
    let mut settings = Vec::new();
    for b in [0.0, 0.1] {
        for c in [0.2, 0.4, 0.6, 0.8] {
            for d in [0.1, 0.3, 0.5, 0.7, 0.9] {
                settings.push(Setting { b, c, d });
            }
        }
    }
    settings
}

/// The problem of one setting.
pub fn zaefferer(setting: Setting) -> Problem {
    let Setting { b, c, d } = setting;
    let params = [Param::real("x1", 0.0, 1.0), Param::real("x2", 0.0, 1.0).when(format!("x1 > {c}"))];
    let space = Space::new(params).expect("a threshold inside the range is a condition");
    Problem::new(setting.situation().name(), space, setting.optimum(), move |at: &Reading<'_>| {
        let beyond = at.number_if_active("x2").map_or(0.0, |x2| (x2 - 0.5).powi(2) + b);
        (at.number("x1") - d).powi(2) + beyond
    })
}
