//! Audits of agents by known values.

use std::collections::HashSet;
use std::sync::Arc;

use hindsight_games::{
    AgentChoiceError, AgentSpec, AgentTurn, AnyAgent, AuditSource, AuditTask, Error, Method,
    Options, PlayQuality, SolverError, Values,
};

use crate::TestTable;

const GAMES: [&str; 4] = ["quoridor:3x3:1", "onitama:3x3:boar", "dodgem:3x3", "ostle:3x3:2:1"];

const BY_GAMES: AuditTask<'_> = AuditTask {
    source: AuditSource::Games { positions: 200, opening_plies: 2, max_plies: 40 },
    seed: 3,
    stop: None,
    exhausted: None,
};

fn agent(text: &str) -> AnyAgent<'static> {
    let spec: AgentSpec = text.parse().expect("an agent");
    spec.into()
}

fn judge(values: &Values, agent: &AnyAgent<'_>, task: &AuditTask<'_>) -> Result<Counts, Error> {
    values.audit(agent, task, &Options::default()).map(|quality| Counts::of(&quality))
}

/// Counts of an audit that do not depend on the time.
#[derive(PartialEq, Debug)]
struct Counts {
    choices: u64,
    critical: u64,
    blunders: u64,
    best_moves: u64,
    by_layer: Vec<(u32, u64)>,
}

impl Counts {
    fn of(quality: &PlayQuality) -> Self {
        let all = quality.all;
        let layers = quality.by_layer.iter();
        Self {
            choices: all.choices,
            critical: all.critical,
            blunders: all.blunders,
            best_moves: all.best_moves,
            by_layer: layers.map(|(&layer, tally)| (layer, tally.choices)).collect(),
        }
    }
}

#[test]
fn perfect_play_is_best_by_tables_and_by_solves() -> Result<(), Error> {
    for spec in GAMES {
        let table = TestTable::of(spec);
        let opened = hindsight_games::open(&table.path)?;
        let game = hindsight_games::game(spec)?;
        let solved = game.solve(Method::Reachable, &Options::default())?;
        for values in [opened.values(), solved.values()] {
            let drawn = values.draw_choices(150, 1, &Options::default())?;
            assert_eq!(drawn.iter().collect::<HashSet<_>>().len(), 150, "{spec}");
            let drawn = AuditTask { source: AuditSource::Positions(&drawn), ..BY_GAMES };
            let best = |turn: &AgentTurn<'_>| {
                let best = &values.rated_moves(turn.position)?[0].mv;
                let mut moves = turn.moves.iter();
                Ok(moves.position(|mv| mv == best).expect("a legal move"))
            };
            for task in [BY_GAMES, drawn] {
                for perfect in [agent("perfect"), AnyAgent::own("best", &best)] {
                    let counts = judge(values, &perfect, &task)?;
                    assert_eq!(counts.choices, task.source.positions(), "{spec}");
                    assert_eq!((counts.blunders, counts.best_moves), (0, counts.choices));
                }
                let random = judge(values, &agent("random"), &task)?;
                assert!(random.blunders > 0 && random.blunders <= random.critical);
            }
        }
    }
    Ok(())
}

#[test]
fn layers_are_those_of_the_table() -> Result<(), Error> {
    let table = TestTable::of("quoridor:3x3:1");
    let opened = hindsight_games::open(&table.path)?;
    let counts = judge(opened.values(), &agent("random"), &BY_GAMES)?;
    assert_eq!(counts.by_layer.len(), 3, "2, 1 and no fences on the board");
    assert_eq!(counts.by_layer.iter().map(|(_, n)| n).sum::<u64>(), 200);
    Ok(())
}

#[test]
fn threads_change_nothing() -> Result<(), Error> {
    let game = hindsight_games::game("quoridor:3x3:1")?;
    let solved = game.solve(Method::Auto, &Options::default())?;
    let values = solved.values();
    let drawn = values.draw_choices(100, 9, &Options::default())?;
    assert_eq!(drawn, values.draw_choices(100, 9, &Options::default())?);
    let own = |turn: &AgentTurn<'_>| Ok(turn.seed as usize % turn.moves.len());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.expect("a thread");
    for source in [BY_GAMES.source, AuditSource::Positions(&drawn)] {
        let task = AuditTask { source, ..BY_GAMES };
        for agent in [agent("mcts:playouts=20"), AnyAgent::own("own", &own)] {
            let one = pool.install(|| judge(values, &agent, &task))?;
            assert_eq!(judge(values, &agent, &task)?, one, "{agent}");
        }
    }
    Ok(())
}

#[test]
fn audits_end_with_errors_that_say_why() -> Result<(), Error> {
    let game = hindsight_games::game("tic-tac-toe")?;
    let solved = game.solve(Method::Reachable, &Options::default())?;
    let all_played = AuditTask {
        source: AuditSource::Games { positions: 10, opening_plies: 9, max_plies: 10 },
        ..BY_GAMES
    };
    let error = judge(solved.values(), &agent("random"), &all_played).expect_err("no choices");
    assert!(matches!(error, Error::Agent(AgentChoiceError::NothingToJudge { games: 1000, .. })));
    let options =
        Options { progress: Some(Arc::new(|progress| progress.done < 20)), ..Options::default() };
    let stopped = solved.values().audit(&agent("random"), &BY_GAMES, &options);
    assert!(matches!(stopped, Err(Error::Solve(SolverError::Stopped))));

    let proof = game.solve(Method::Proof, &Options::default())?;
    let error = judge(proof.values(), &agent("random"), &BY_GAMES).expect_err("no values");
    assert!(matches!(error, Error::NoValues | Error::Unknown { .. }), "{error}");
    Ok(())
}
