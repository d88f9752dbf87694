//! The space with the share of an evaluation as one more column.
use crate::error::SearchError;
use arbora_space::{Configuration, Encoding, Param, Points, Space};

/// A space of configurations and shares.
pub(crate) struct Widened {
    space: Space,
    share: String,
}

impl Widened {
    /// Adds a number from nothing to the whole, under a name that is free.
    pub(crate) fn new(space: &Space) -> Result<Self, SearchError> {
        let mut share = "share of an evaluation".to_owned();
        while space.id(&share).is_some() {
            share.push('\'');
        }
        let mut spec = space.spec().clone();
        spec.parameters.push(Param::real(&share, 0.0, 1.0));
        Ok(Self { space: Space::new(spec)?, share })
    }

    pub(crate) fn space(&self) -> &Space {
        &self.space
    }

    /// The name of the column of shares.
    pub(crate) fn share(&self) -> &str {
        &self.share
    }

    pub(crate) fn width(&self) -> usize {
        self.space.layout().width()
    }

    /// Encoded rows of configurations of `space` with their shares.
    pub(crate) fn points<'a>(
        &self,
        space: &Space,
        rows: impl Iterator<Item = (&'a Configuration, f64)>,
    ) -> Result<Points, SearchError> {
        let wide = |(configuration, share): (&Configuration, f64)| {
            let mut named = space.named(configuration);
            named.extend([(self.share.as_str(), share.clamp(0.0, 1.0))]);
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
        let widened = Widened::new(&space).unwrap();
        let mut rng = Rng::new(1);
        for _ in 0..20 {
            let drawn = space.sample(&mut rng).unwrap();
            let plain = space.encode([&drawn], &Encoding::default());
            let wide = widened.points(&space, [(&drawn, 0.1)].into_iter()).unwrap();
            let (plain, wide) = (plain.row(0).x().to_vec(), wide.row(0).x().to_vec());
            assert_eq!(wide.len(), plain.len() + 1);
            assert_eq!(wide.iter().filter(|u| plain.contains(u)).count(), plain.len());
            assert!(wide.iter().any(|u| (u - 0.1).abs() < 1e-12), "a share stands as it is");
        }
    }
}
