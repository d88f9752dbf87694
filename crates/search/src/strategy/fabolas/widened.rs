//! The space with the share of an evaluation as one more column.
use crate::error::SearchError;
use arbora_space::{Configuration, Encoding, Param, Points, Space, Value};

/// A space of configurations and shares.
pub(crate) struct Widened {
    space: Space,
    share: String,
}

impl Widened {
    /// Adds a logarithmic number from the smallest share to one, under a name that is free.
    pub(crate) fn new(space: &Space, smallest: f64) -> Result<Self, SearchError> {
        let mut share = "share of an evaluation".to_owned();
        while space.id(&share).is_some() {
            share.push('\'');
        }
        let mut spec = space.spec().clone();
        spec.parameters.push(Param::real(&share, smallest, 1.0).log());
        Ok(Self { space: Space::new(spec)?, share })
    }

    pub(crate) fn space(&self) -> &Space {
        &self.space
    }

    pub(crate) fn width(&self) -> usize {
        self.space.layout().width()
    }

    /// Encoded rows of configurations of `space` with their shares; shares below the smallest count as it.
    pub(crate) fn points<'a>(
        &self,
        space: &Space,
        rows: impl Iterator<Item = (&'a Configuration, f64)>,
    ) -> Result<Points, SearchError> {
        let wide = |(configuration, share): (&Configuration, f64)| {
            let mut named: Vec<(&str, Value)> = space.named(configuration);
            let id = self.space.id(&self.share).expect("it was added under this name");
            let (low, high) = self.space.parameter(id).domain().range().expect("shares are numbers");
            named.push((&self.share, Value::from(share.clamp(low, high))));
            self.space.configuration(named)
        };
        let all: Vec<Configuration> = rows.map(wide).collect::<Result<_, _>>()?;
        Ok(self.space.encode(&all, &Encoding::default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbora_space::Rng;

    #[test]
    fn rows_are_those_of_the_space_and_the_share_beside_them() {
        let space = Space::new([
            Param::choice("a", ["x", "y"]),
            Param::integer("k", 1, 9).or_none().when("a == 'x'"),
            Param::real("share of an evaluation", 0.0, 1.0),
        ])
        .unwrap();
        let widened = Widened::new(&space, 0.01).unwrap();
        let mut rng = Rng::new(1);
        for _ in 0..20 {
            let drawn = space.sample(&mut rng).unwrap();
            let plain = space.encode([&drawn], &Encoding::default());
            let wide = widened.points(&space, [(&drawn, 0.1)].into_iter()).unwrap();
            let (plain, wide) = (plain.row(0).x().to_vec(), wide.row(0).x().to_vec());
            assert_eq!(wide.len(), plain.len() + 1);
            assert_eq!(wide.iter().filter(|u| plain.contains(u)).count(), plain.len());
            assert!(wide.iter().any(|u| (u - 0.5).abs() < 1e-12), "0.1 is half-way from 0.01 to 1");
        }
    }
}
