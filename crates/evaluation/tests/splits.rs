//! Laws of splits and plans (P21): disjoint, exhaustive, stratified, and test rows are never
//! touched.
#![allow(clippy::unwrap_used)]
use arbora_evaluation::{EvaluationError, Plan, PlanSpec, ResampleSpec, Reshuffle, Rows, Split};
use proptest::prelude::*;
use std::collections::HashSet;

fn kinds() -> impl Strategy<Value = ResampleSpec> {
    prop_oneof![
        (0.1..0.9).prop_map(|share| ResampleSpec::HoldOut { share }),
        (2_usize..6, 1_usize..3).prop_map(|(count, times)| ResampleSpec::Folds { count, times }),
        (1_usize..5).prop_map(|count| ResampleSpec::Ordered { count }),
    ]
}

fn reshuffles() -> impl Strategy<Value = Reshuffle> {
    prop_oneof![
        Just(Reshuffle::Never),
        Just(Reshuffle::EachTrial),
        (1_u64..4).prop_map(|size| Reshuffle::EachGeneration { size }),
    ]
}

fn is_sorted_set(rows: &[usize]) -> bool {
    rows.windows(2).all(|pair| pair[0] < pair[1])
}

fn assert_split(split: &Split, search: &[usize], resample: ResampleSpec) {
    assert!(is_sorted_set(&split.train) && is_sorted_set(&split.valid));
    assert!(!split.train.is_empty() && !split.valid.is_empty());
    let train: HashSet<_> = split.train.iter().collect();
    assert!(split.valid.iter().all(|row| !train.contains(row)), "disjoint");
    let both: HashSet<_> = split.train.iter().chain(&split.valid).collect();
    assert!(both.iter().all(|row| search.binary_search(row).is_ok()), "only rows of the search");
    match resample {
        ResampleSpec::Ordered { .. } => assert!(split.train.last() < split.valid.first(), "the past teaches"),
        _ => assert_eq!(both.len(), search.len(), "exhaustive"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn splits_divide_the_search_rows(
        resample in kinds(), reshuffle in reshuffles(), seed in any::<u64>(), rows in 60_usize..150,
        test in prop::option::of(0.1..0.5), selection in prop::option::of(0.1..0.4), classes in 1_u32..4,
    ) {
        let spec = PlanSpec { seed, test, selection, resample, reshuffle, cap: None };
        let known = |i: usize| (i as u32 * 7 + 3) % classes;
        let described = Rows::new(rows).with_classes((0..rows).map(known).collect()).unwrap();
        let plan = Plan::new(spec, described.clone()).unwrap();
        let mut all: Vec<usize> = [plan.test(), plan.selection(), plan.search()].concat();
        all.sort_unstable();
        prop_assert_eq!(all, (0..rows).collect::<Vec<_>>(), "the three parts are everything, once");
        if matches!(resample, ResampleSpec::Ordered { .. }) {
            prop_assert!(is_sorted_set(&[plan.search(), plan.selection(), plan.test()].concat()), "in the order of time");
        }
        for trial in 0..5 {
            let splits = plan.splits(trial).unwrap();
            for split in &splits {
                assert_split(split, plan.search(), resample);
            }
            let again = Plan::new(spec, described.clone()).unwrap();
            prop_assert_eq!(&splits, &again.splits(trial).unwrap(), "a function of (seed, trial)");
            prop_assert_eq!(plan.splits(trial).unwrap() == plan.splits(0).unwrap(),
                plan.round(trial) == 0 || matches!(resample, ResampleSpec::Ordered { .. }));
        }
    }

    #[test]
    fn folds_validate_every_row_once_and_keep_proportions(seed in any::<u64>(), count in 2_usize..6) {
        let rows = 97;
        let classes: Vec<u32> = (0..rows).map(|i| u32::from(i % 5 == 0)).collect();
        let spec = PlanSpec { seed, resample: ResampleSpec::Folds { count, times: 1 }, ..PlanSpec::default() };
        let plan = Plan::new(spec, Rows::new(rows).with_classes(classes.clone()).unwrap()).unwrap();
        let splits = plan.splits(3).unwrap();
        let mut validated: Vec<usize> = splits.iter().flat_map(|s| s.valid.clone()).collect();
        validated.sort_unstable();
        prop_assert_eq!(validated, (0..rows).collect::<Vec<_>>());
        for class in 0..2 {
            let members = |split: &Split| split.valid.iter().filter(|&&row| classes[row] == class).count();
            let (least, most) = (splits.iter().map(members).min().unwrap(), splits.iter().map(members).max().unwrap());
            prop_assert!(most - least <= 1, "class {}: {} to {}", class, least, most);
        }
    }

    #[test]
    fn groups_are_never_torn_apart(seed in any::<u64>(), size in 2_usize..7, hold_out in any::<bool>()) {
        let rows = 84;
        let groups: Vec<u32> = (0..rows).map(|i| (i / size) as u32).collect();
        let resample = if hold_out { ResampleSpec::HoldOut { share: 0.3 } } else { ResampleSpec::default() };
        let spec = PlanSpec { seed, resample, test: Some(0.2), reshuffle: Reshuffle::EachTrial, ..PlanSpec::default() };
        let plan = Plan::new(spec, Rows::new(rows).with_groups(groups.clone()).unwrap()).unwrap();
        let of = |rows: &[usize]| rows.iter().map(|&row| groups[row]).collect::<HashSet<u32>>();
        prop_assert!(of(plan.test()).is_disjoint(&of(plan.search())));
        for split in plan.splits(1).unwrap() {
            prop_assert!(of(&split.train).is_disjoint(&of(&split.valid)));
        }
    }

    #[test]
    fn whole_groups_of_one_class_each_keep_its_share(seed in any::<u64>(), trial in 0_u64..100) {
        // Twenty groups of four rows, half of them in each class: folds and shares come out even.
        let groups: Vec<u32> = (0..80).map(|i| i / 4).collect();
        let classes: Vec<u32> = groups.iter().map(|group| group % 2).collect();
        let rows = Rows::new(80).with_classes(classes.clone()).unwrap().with_groups(groups).unwrap();
        let spec = PlanSpec { seed, test: Some(0.2), reshuffle: Reshuffle::EachTrial,
            resample: ResampleSpec::Folds { count: 4, times: 1 }, ..PlanSpec::default() };
        let plan = Plan::new(spec, rows).unwrap();
        let ones = |rows: &[usize]| rows.iter().filter(|row| classes[**row] == 1).count();
        prop_assert_eq!((plan.test().len(), ones(plan.test())), (16, 8));
        for split in plan.splits(trial).unwrap() {
            prop_assert_eq!((split.valid.len(), ones(&split.valid)), (16, 8));
        }
    }
}

#[test]
fn a_share_of_groups_leaves_no_side_empty() {
    for (share, sizes) in [(0.2, vec![5, 5]), (0.9, vec![1, 30]), (0.1, vec![30, 1]), (0.5, vec![2, 2, 2])] {
        let groups: Vec<u32> = sizes.iter().enumerate().flat_map(|(g, &n)| vec![g as u32; n]).collect();
        let rows = Rows::new(groups.len()).with_groups(groups.clone()).unwrap();
        let spec = PlanSpec { resample: ResampleSpec::HoldOut { share }, ..PlanSpec::default() };
        let split = &Plan::new(spec, rows).unwrap().splits(0).unwrap()[0];
        assert!(!split.train.is_empty() && !split.valid.is_empty(), "{share} of {sizes:?}");
    }
}

#[test]
fn every_group_is_tested_as_often_as_another_of_its_size() {
    let groups: Vec<u32> = (0..40).map(|i| i / 4).collect();
    let mut tested = [0_u32; 10];
    for seed in 0..1000 {
        let rows = Rows::new(40).with_groups(groups.clone()).unwrap();
        let plan = Plan::new(PlanSpec { seed, test: Some(0.2), ..PlanSpec::default() }, rows).unwrap();
        assert_eq!(plan.test().len(), 8);
        plan.test().iter().for_each(|&row| tested[groups[row] as usize] += 1);
    }
    // 4·200 rows expected for each; the standard deviation of the number of groups is
    // √(1000·0.2·0.8) = 12.6, times four rows.
    assert!(tested.iter().all(|count| (600..1000).contains(count)), "{tested:?}");
}

#[test]
fn reshuffling_never_touches_the_rows_held_back() {
    let spec = PlanSpec { test: Some(0.3), selection: Some(0.2), seed: 5, ..PlanSpec::default() };
    let fixed = Plan::new(spec, Rows::new(50)).unwrap();
    let reshuffled = Plan::new(PlanSpec { reshuffle: Reshuffle::EachTrial, ..spec }, Rows::new(50)).unwrap();
    assert_eq!((fixed.test(), fixed.selection()), (reshuffled.test(), reshuffled.selection()));
    assert_ne!(reshuffled.splits(0).unwrap(), reshuffled.splits(1).unwrap());
    assert_ne!(reshuffled.fresh_splits(0).unwrap(), reshuffled.fresh_splits(1).unwrap());
    assert!((0..50).all(|trial| reshuffled.splits(trial).unwrap() != reshuffled.fresh_splits(0).unwrap()));
}

#[test]
fn a_cap_moves_the_surplus_to_validation_and_time_only_forgets() {
    let spec =
        PlanSpec { cap: Some(10), resample: ResampleSpec::HoldOut { share: 0.2 }, ..PlanSpec::default() };
    let split = &Plan::new(spec, Rows::new(50)).unwrap().splits(0).unwrap()[0];
    assert_eq!((split.train.len(), split.valid.len()), (10, 40));
    let spec = PlanSpec { resample: ResampleSpec::Ordered { count: 4 }, ..spec };
    let splits = Plan::new(spec, Rows::new(50)).unwrap().splits(0).unwrap();
    assert_eq!(splits[3].train, (30..40).collect::<Vec<_>>(), "the latest rows before the block");
    assert_eq!(splits[3].valid, (40..50).collect::<Vec<_>>());
}

#[test]
fn a_set_that_brings_its_own_test_rows_keeps_them() {
    let plan = Plan::with_test_rows(
        PlanSpec { test: Some(0.5), ..PlanSpec::default() },
        Rows::new(20),
        vec![19, 3, 3],
    );
    let plan = plan.unwrap();
    assert_eq!(plan.test(), [3, 19]);
    assert_eq!(plan.search().len(), 18);
}

#[test]
fn mistakes_are_named() {
    let error = |spec: PlanSpec, rows: Rows| Plan::new(spec, rows).err().unwrap();
    let base = PlanSpec::default();
    let few = error(base, Rows::new(3));
    assert_eq!(few, EvaluationError::TooFew { parts: 5, of: "rows", have: 3 });
    let share = error(PlanSpec { test: Some(1.0), ..base }, Rows::new(30));
    assert!(share.to_string().contains("the test share = 1 of 30 rows"), "{share}");
    let groups = Rows::new(6).with_groups(vec![0, 0, 0, 1, 1, 1]).unwrap();
    assert_eq!(error(base, groups.clone()), EvaluationError::TooFew { parts: 5, of: "groups", have: 2 });
    let ordered = PlanSpec { resample: ResampleSpec::Ordered { count: 2 }, ..base };
    assert_eq!(error(ordered, groups), EvaluationError::OrderedGroups);
    let beyond = Plan::with_test_rows(base, Rows::new(20), vec![3, 20]).err().unwrap();
    assert_eq!(beyond.to_string(), "there is no row 20: the 20 rows are counted from 0");
    let generation = PlanSpec { reshuffle: Reshuffle::EachGeneration { size: 0 }, ..base };
    assert!(matches!(error(generation, Rows::new(30)), EvaluationError::TooSmall { least: 1, given: 0, .. }));
    let length = Rows::new(4).with_classes(vec![0, 1]).unwrap_err();
    assert_eq!(length.to_string(), "classes has 2 entries for 4 rows; give one per row");
    assert!(serde_json::from_str::<PlanSpec>(r#"{"tests": 0.2}"#).unwrap_err().to_string().contains("tests"));
}
