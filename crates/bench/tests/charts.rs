//! Charts are well-formed and draw inside their sheet, whatever they are given.
#![allow(clippy::unwrap_used)]
use arbora_bench::chart::{
    ChartLine, Curves, ProcessChart, Ranked, critical_difference, heat, process, shares,
};

/// The value of an attribute in every element that has it.
fn numbers(svg: &str, attribute: &str) -> Vec<f64> {
    let before = format!(" {attribute}=\"");
    let parts = svg.split(&before).skip(1).map(|rest| rest.split('"').next().unwrap());
    parts.flat_map(|list| list.split([' ', ',']).map(|n| n.parse().unwrap()).collect::<Vec<f64>>()).collect()
}

fn check(svg: &str) {
    let sheet = numbers(svg, "viewBox");
    let (width, height) = (sheet[2], sheet[3]);
    for (attribute, most) in
        [("x", width), ("x1", width), ("x2", width), ("y", height), ("y1", height), ("y2", height)]
    {
        for at in numbers(svg, attribute) {
            assert!((0.0..=most).contains(&at), "{attribute} = {at} of {most}");
        }
    }
    for pair in numbers(svg, "points").chunks(2) {
        assert!((0.0..=width).contains(&pair[0]) && (0.0..=height).contains(&pair[1]), "{pair:?}");
    }
    let (mut open, mut closed) = (0, 0);
    for tag in svg.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        open += usize::from(!tag.starts_with('/') && !tag.ends_with('/'));
        closed += usize::from(tag.starts_with('/'));
    }
    assert_eq!(open, closed);
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
}

#[test]
fn curves_of_all_sorts() {
    let line = |name: &str, points: Vec<(f64, f64, f64, f64)>| ChartLine { name: name.to_owned(), points };
    let falling = (0..50).map(f64::from).map(|x| (x, -x - 1.0, -x, 1.0 - x)).collect();
    for lines in [
        Vec::new(),
        vec![line("nothing", Vec::new())],
        vec![line("one <point> & \"more\"", vec![(1.0, 2.0, 2.0, 2.0)])],
        vec![line("flat", vec![(0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)]), line("falling", falling)],
    ] {
        check(&Curves { title: "a < b", across: "trials", upwards: "log₁₀ regret", lines }.svg());
    }
}

#[test]
fn ranks_from_two_to_fourteen() {
    for count in 2..=14 {
        let entries = (0..count).map(|i| (format!("method {i}"), 1.0 + i as f64)).collect();
        let ranked = Ranked {
            title: "ranks",
            entries,
            difference: 0.7 * count as f64,
            bars: vec![(0, 1), (1, count - 1)],
        };
        check(&critical_difference(&ranked));
    }
}

#[test]
fn matrices_shares_and_processes() {
    check(&heat("identity", &[vec![1.0, 0.0], vec![0.0, 1.0]]));
    check(&heat("empty", &[]));
    let kinds: Vec<String> = (0..11).map(|i| format!("kind {i}")).collect();
    check(&shares("chosen", &kinds, &[("a".to_owned(), (0..11).collect()), ("b".to_owned(), vec![0; 11])]));
    let flat = [0.0; 20];
    check(&process(&ProcessChart {
        title: "flat",
        truth: &flat,
        mean: &flat,
        deviation: &flat,
        wish: &flat,
        seen: &[(0.0, 0.0), (1.0, 0.0)],
    }));
}
