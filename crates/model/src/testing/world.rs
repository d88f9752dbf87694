//! Random conditional layouts and points in them, without a `Space`.
use arbora_space::{BranchKey, Column, ColumnKind, ColumnPlace, Layout, Points, Rng};

/// A layout and the rule for which columns are active.
///
/// Column 0 is a categorical decider; column 1 is a number whose upper half is a decision. Every
/// other column is a number or a category that is active for one category, in the upper half, or
/// always.
#[derive(Clone, Debug)]
pub struct World {
    /// What a kernel sees of it.
    pub layout: Layout,
    labels: usize,
    needs: Vec<Need>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Need {
    Nothing,
    Label(usize),
    UpperHalf,
}

impl Need {
    /// Each category occurs with both halves, so no column belongs to a single branch.
    fn place(self) -> ColumnPlace {
        let group = match self {
            Need::Nothing => 0,
            Need::UpperHalf => 1,
            Need::Label(label) => 2 + label,
        };
        ColumnPlace { group, is_shared: true, beside: 0 }
    }
}

impl World {
    /// A random world with up to seven columns.
    pub fn random(rng: &mut Rng) -> Self {
        let labels = 2 + rng.below(3);
        let mut columns =
            vec![column("kind", ColumnKind::Categories(labels)), column("depth", ColumnKind::Numeric)];
        for column in &mut columns {
            column.is_decider = true;
        }
        let mut needs = vec![Need::Nothing, Need::Nothing];
        for i in 0..rng.below(6) {
            let kind = if rng.below(3) == 0 {
                ColumnKind::Categories(2 + rng.below(3))
            } else {
                ColumnKind::Numeric
            };
            let need = [Need::Nothing, Need::Label(rng.below(labels)), Need::UpperHalf][rng.below(3)];
            let is_conditional = need != Need::Nothing;
            columns.push(Column {
                is_conditional,
                place: need.place(),
                is_fixed: rng.below(8) == 0,
                ..column(&format!("p{i}"), kind)
            });
            needs.push(need);
        }
        Self { layout: Layout { columns }, labels, needs }
    }

    /// Random points; inactive coordinates are ½.
    pub fn points(&self, count: usize, rng: &mut Rng) -> Points {
        let mut points = Points::new(self.layout.width());
        for _ in 0..count {
            let label = rng.below(self.labels);
            let is_upper = rng.below(2) == 1;
            let mut x = vec![0.5; self.layout.width()];
            x[0] = label as f64 / (self.labels - 1) as f64;
            x[1] = 0.5 * (rng.unit() + f64::from(is_upper));
            let active: Vec<bool> = self
                .needs
                .iter()
                .map(|need| match *need {
                    Need::Nothing => true,
                    Need::Label(needed) => needed == label,
                    Need::UpperHalf => is_upper,
                })
                .collect();
            for i in 2..x.len() {
                if active[i] {
                    x[i] = self.coordinate(i, rng);
                }
            }
            let chosen = BranchKey::ROOT.then(0, label as u64);
            points.push_decided(&x, &active, &[chosen, chosen.then(1, u64::from(is_upper))]);
        }
        points
    }

    /// The same points with different values in inactive columns.
    #[must_use]
    pub fn disguised(&self, points: &Points, rng: &mut Rng) -> Points {
        let mut disguised = Points::new(points.width());
        for i in 0..points.len() {
            let row = points.row(i);
            let active: Vec<bool> =
                (0..points.width()).map(|column| row.active().is_active(column)).collect();
            let place = |column: usize| if active[column] { row.x()[column] } else { rng.unit() };
            let x: Vec<f64> = (0..points.width()).map(place).collect();
            disguised.push_decided(&x, &active, row.path());
        }
        disguised
    }

    fn coordinate(&self, column: usize, rng: &mut Rng) -> f64 {
        match self.layout.columns[column].kind {
            _ if self.layout.columns[column].is_fixed => 0.5,
            ColumnKind::Numeric => rng.unit(),
            ColumnKind::Categories(count) => rng.below(count) as f64 / (count - 1) as f64,
        }
    }
}

fn column(name: &str, kind: ColumnKind) -> Column {
    let (is_fixed, is_decider, is_conditional) = (false, false, false);
    let place = ColumnPlace::default();
    Column {
        name: name.into(),
        kind,
        is_fixed,
        is_decider,
        is_conditional,
        levels: None,
        default: 0.5,
        place,
    }
}
