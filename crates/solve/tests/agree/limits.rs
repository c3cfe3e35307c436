//! Solves that end before they are done.

use game::{Game, Notation};
use games::{Setup, Visitor, by_name};
use solve::forward::{self, Way};
use solve::{Error, Limits, Monitor, Progress, Silent, graph};

struct Try<'a>(Limits, &'a mut dyn Monitor);

impl Visitor for Try<'_> {
    type Output = [Option<Error>; 2];

    fn visit<G: Game + Notation>(self, game: G) -> Self::Output {
        let graph = graph::solve(&game, self.0, self.1).err();
        let forward = forward::solve(&game, Way::Program, self.0, self.1).err();
        [graph, forward]
    }
}

#[test]
fn limits_end_a_solve_with_what_was_reached() {
    let attempt = |limits, monitor: &mut dyn Monitor| {
        by_name("onitama:3x4:boar", &Setup::default(), Try(limits, monitor)).unwrap()
    };
    let limit = 4 << 20;
    for error in attempt(
        Limits {
            memory: limit,
            time: None,
        },
        &mut Silent,
    ) {
        match error {
            Some(Error::Memory {
                positions,
                needed,
                limit: reported,
                ..
            }) => {
                assert!(positions > 1000 && needed > limit && reported == limit);
            }
            other => panic!("{other:?}"),
        }
    }
    for error in attempt(
        Limits {
            memory: u64::MAX,
            time: Some(std::time::Duration::ZERO),
        },
        &mut Silent,
    ) {
        assert!(matches!(error, Some(Error::Time { .. })), "{error:?}");
    }
    struct Never;
    impl Monitor for Never {
        fn report(&mut self, _: Progress) -> bool {
            false
        }
    }
    for error in attempt(Limits::default(), &mut Never) {
        assert!(matches!(error, Some(Error::Stopped)), "{error:?}");
    }
}
