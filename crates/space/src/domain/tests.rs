use super::*;
use crate::spec::Param;
use proptest::prelude::*;

fn build(param: impl std::borrow::Borrow<Param>) -> Domain {
    Domain::build(param.borrow()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn decimals_show_as_written() {
    let d = build(Param::real("x", 0.0, 1.0).step(0.1));
    let shown: Vec<String> = (0..11).map(|i| d.level(i).to_string()).collect();
    assert_eq!(shown.join(" "), "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0");
    assert_eq!(d.canonical(&Value::Real(0.1 + 0.2)), Some(Value::Real(0.3)));
    assert_eq!(d.canonical(&Value::Real(0.35)), None);
}

#[test]
fn integer_cells_have_equal_mass() {
    let d = build(Param::integer("k", 3, 7));
    let mut counts = [0; 5];
    for i in 0..1000 {
        counts[(d.decode((f64::from(i) + 0.5) / 1000.0).as_i64().unwrap() - 3) as usize] += 1;
    }
    assert_eq!(counts, [200; 5]);
}

#[test]
fn log_integers_follow_the_half_cells() {
    // On ln(lo − ½) … ln(hi + ½), rounded.
    let d = build(Param::integer("k", 1, 100).log());
    let u = d.encode(&Value::Int(1));
    assert!((u - (2f64.ln() / 201f64.ln())).abs() < 1e-12);
    for k in 1..=100 {
        assert_eq!(d.decode(d.encode(&Value::Int(k))), Value::Int(k));
    }
}

#[test]
fn quantised_log_grid_round_trips() {
    let d = build(Param::real("nhid", 16.0, 1024.0).step(16.0).log());
    assert_eq!(d.levels(), Some(64));
    for i in 0..64 {
        assert_eq!(d.decode(d.encode(&d.level(i))), d.level(i));
    }
    assert_eq!(d.decode(0.0), Value::Real(16.0));
    assert_eq!(d.decode(1.0), Value::Real(1024.0));
}

#[test]
fn single_values_stand_in_the_middle() {
    for d in [
        build(Param::real("x", 2.0, 2.0)),
        build(Param::integer("k", 5, 5)),
        build(Param::choice("c", ["only"])),
        build(Param::constant("v", 1.5)),
    ] {
        assert_eq!(d.encode(&d.middle()), 0.5);
        assert_eq!(d.levels(), Some(1));
        for u in [0.0, 0.3, 1.0] {
            assert_eq!(d.decode(u), d.middle());
        }
    }
}

#[test]
fn kinds_are_canonical() {
    assert_eq!(build(Param::real("x", 0.0, 5.0)).canonical(&Value::Int(3)), Some(Value::Real(3.0)));
    assert_eq!(build(Param::integer("k", 0, 5)).canonical(&Value::Real(3.0)), Some(Value::Int(3)));
    assert_eq!(build(Param::integer("k", 0, 5)).canonical(&Value::Real(3.5)), None);
    assert_eq!(build(Param::integer("k", 0, 5)).canonical(&"3".into()), None);
    assert_eq!(build(Param::choice("c", [1, 2])).canonical(&Value::Real(2.0)), Some(Value::Int(2)));
    assert_eq!(build(Param::real("x", 0.0, 1.0)).canonical(&Value::Real(f64::NAN)), None);
}

proptest! {
    #[test]
    fn decoded_values_belong_and_come_back(
        low in -1e6..1e6f64, width in 0.0..1e6f64, u in -0.5..1.5f64, log: bool,
    ) {
        let low = if log { low.abs() + 1e-3 } else { low };
        let mut param = Param::real("x", low, low + width);
        if log { param = param.log(); }
        let d = build(param);
        let v = d.decode(u);
        prop_assert_eq!(d.canonical(&v), Some(v.clone()));
        let again = d.decode(d.encode(&v));
        let (a, b) = (v.as_f64().unwrap(), again.as_f64().unwrap());
        prop_assert!((a - b).abs() <= 1e-9 * (1.0 + a.abs()));
        prop_assert!((0.0..=1.0).contains(&d.encode(&v)));
    }

    #[test]
    fn lattices_round_trip(low in -500i64..500, count in 1i64..300, step in 1i64..9, log: bool, u in 0.0..=1.0f64) {
        let low = if log { low.abs() + 1 } else { low };
        let mut param = Param::integer("k", low, low + (count - 1) * step).step(step as f64);
        if log { param = param.log(); }
        let d = build(param);
        prop_assert_eq!(d.levels(), Some(count as u64));
        for i in 0..count as u64 {
            prop_assert_eq!(d.decode(d.encode(&d.level(i))), d.level(i));
        }
        prop_assert_eq!(d.snap(d.snap(u)), d.snap(u));
    }

    #[test]
    fn decimal_lattices_hold_what_text_says(places in 0i32..6, low in -1000i64..1000, step in 1i64..500, count in 1u64..200) {
        let ten = 10f64.powi(places);
        let text = |whole: i64| (whole as f64 / ten).to_string();
        let (a, s): (f64, f64) = (text(low).parse().unwrap(), text(step).parse().unwrap());
        let b: f64 = text(low + step * (count as i64 - 1)).parse().unwrap();
        let d = build(Param::real("x", a, b).step(s));
        for i in 0..count {
            let expected: f64 = text(low + step * i as i64).parse().unwrap();
            prop_assert_eq!(d.level(i), Value::from(expected));
        }
    }
}
