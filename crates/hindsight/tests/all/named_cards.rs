//! Names of own cards: the game of a spec with them is that of the spec without.

use std::fs;
use std::path::Path;

use hindsight_games::{
    AgentResources, AgentSpec, AnalysisCache, AnyGame, Error, MatchTask, Method, Options, PlayTask,
    Player, Symmetry,
};
use tempfile::TempDir;

use crate::TestTable;

const NAMELESS: &str = "onitama:3x3:boar,(0,1)(1,1),(0,1)(1,1),ox,boar";
const NAMED: &str = "onitama:3x3:boar,wolf=(0,1)(1,1),hound=(0,1)(1,1),ox,boar";

fn games() -> Result<[AnyGame; 2], Error> {
    Ok([hindsight_games::game(NAMED)?, hindsight_games::game(NAMELESS)?])
}

#[test]
fn positions_and_moves_of_one_are_those_of_the_other() -> Result<(), Error> {
    let [named, nameless] = games()?;
    assert_eq!([named.spec(), named.rules_spec()], [NAMED, NAMELESS]);
    assert_eq!([nameless.spec(), nameless.rules_spec()], [NAMELESS; 2]);
    assert_eq!(named.start(), nameless.start());
    let start = named.start();
    assert_eq!(named.moves(&start)?, nameless.moves(&start)?);
    let mv = named.parse_move(&start, "a3a2:wolf")?;
    assert_eq!(nameless.format_move(&start, &mv)?, "a3a2:(0,1)(1,1)");
    assert_eq!(named.parse_move(&start, "a3a2:(0,1)(1,1)")?, mv);
    let next = nameless.play(&start, &mv)?;
    assert_eq!(named.format(&next)?, "1Rr/r2/bBb boar,wolf boar,ox wolf blue");
    let other = hindsight_games::game("onitama:3x3:boar,wolf=(0,1),wolf,ox,boar")?;
    assert!(!other.has_rules_of(&named));
    assert!(other.format(&next).is_err());
    Ok(())
}

#[test]
fn a_table_keeps_names_and_serves_both() -> Result<(), Error> {
    let [named, nameless] = games()?;
    let files = [NAMED, NAMELESS].map(TestTable::of);
    let [first, second] = files.each_ref().map(|file| &file.path);
    let tables = [hindsight_games::open(first)?, hindsight_games::open(second)?];
    assert_eq!(tables[0].game().spec(), NAMED);
    assert_eq!(tables[0].info().start, tables[1].info().start);
    assert_eq!(tables[0].stats(), tables[1].stats());
    let comparison = tables[0].compare(&tables[1], &Options::default())?;
    assert_eq!(comparison.different, 0);
    assert!(comparison.positions > 1_000);
    assert!(!tables[0].has_same_bytes(&tables[1])?);
    // The header is longer by the names, and all bytes behind it are the same.
    let [longer, bytes] = [first, second].map(|path| fs::read(path).expect("a table"));
    assert_eq!(longer.len() - bytes.len(), NAMED.len() - NAMELESS.len());
    let pairs = longer.iter().rev().zip(bytes.iter().rev());
    let same = pairs.take_while(|(one, other)| one == other).count();
    assert!(same > bytes.len() - 2_000 && bytes.len() > 10_000, "{same}");

    let renamed = tables[1].with_names_of(&named)?;
    assert_eq!(renamed.game().spec(), NAMED);
    assert_eq!(renamed.info().spec, NAMELESS);
    assert!(renamed.verify(&Options::default())?.faults.is_empty());
    let start = nameless.start();
    for table in [&tables[0], &tables[1], &renamed] {
        assert_eq!(table.probe(&start)?, tables[0].probe(&start)?);
        assert_eq!(table.line(&start)?, tables[0].line(&start)?);
    }
    let row = renamed.rows(0, |_| true)?.flatten().next().expect("a row");
    assert!(row.position.contains("wolf"), "{}", row.position);
    let other = hindsight_games::game("onitama:3x3:boar")?;
    assert!(matches!(tables[0].with_names_of(&other), Err(Error::OtherGame { .. })));
    Ok(())
}

#[test]
fn agents_take_values_of_either() -> Result<(), Box<dyn std::error::Error>> {
    let [named, nameless] = games()?;
    let file = TestTable::of(NAMELESS);
    let table = hindsight_games::open(&file.path)?;
    let perfect: AgentSpec = "perfect".parse()?;
    let values = table.values().for_agents();
    let resources = AgentResources::default();
    let mut player = Player::new(&named, &perfect, Some(&values), resources, &[0])?;
    let choice = player.choose(&named.start())?;
    let best = &table.rated_moves(&nameless.start())?[0];
    assert_eq!(
        table.probe(&choice.to)?,
        table.probe(&nameless.play(&nameless.start(), &best.mv)?)?
    );
    let task = MatchTask {
        games: 2,
        play: PlayTask { values: Some(table.values()), ..PlayTask::default() },
        ..MatchTask::new(perfect, "random".parse::<AgentSpec>()?)
    };
    let played = named.play_match(&task, &Options::default())?;
    assert_eq!(played.game, NAMED);
    let moves = played.records.iter().flat_map(|record| &record.moves);
    assert!(moves.clone().any(|mv| mv.ends_with(":wolf")));
    assert!(!moves.clone().any(|mv| mv.contains('(')));
    Ok(())
}

#[test]
fn the_cache_keeps_one_table_for_both() -> Result<(), Error> {
    let [named, nameless] = games()?;
    let folder = tempfile::tempdir().expect("a folder");
    let cache = AnalysisCache::open(folder.path())?;
    let file = TestTable::of(NAMED);
    cache.add_table(&hindsight_games::open(&file.path)?)?;
    assert_eq!(cache.files()?.len(), 1);
    for game in [&named, &nameless] {
        let values = cache.values(game).expect("the table");
        assert_eq!(values.game().spec(), game.spec());
    }
    Ok(())
}

#[test]
fn a_deck_is_an_ordinary_file() -> Result<(), Error> {
    let folder = TempDir::new().expect("a folder");
    let deck = folder.path().join("d.toml");
    fs::write(&deck, "[[card]]\nname = 'wolf'\noffsets = [[0, 1]]\n").expect("a deck");
    let spec = |path: &Path| format!("onitama:3x3:wolf:deck={}", path.display());
    let game = hindsight_games::game(&spec(&deck))?;
    assert_eq!(game.spec(), "onitama:3x3:wolf=(0,1)");
    hindsight_games::game_without_files(game.spec(), Symmetry::None)?;

    let fault = hindsight_games::read_deck(&folder.path().display().to_string());
    assert!(
        fault.expect_err("a folder").ends_with("is no ordinary file; a deck is a file of TOML")
    );
    #[cfg(unix)]
    {
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        let fault = hindsight_games::game(&spec(&pipe)).expect_err("a pipe");
        assert!(fault.to_string().contains("is no ordinary file"), "{fault}");
    }
    Ok(())
}

#[test]
fn a_solve_has_the_names_of_its_spec() -> Result<(), Error> {
    let [named, nameless] = games()?;
    for method in [Method::Tiered, Method::Reachable] {
        let solved = [&named, &nameless].map(|game| game.solve(method, &Options::default()));
        let [named_solve, solve] = solved;
        let (named_solve, solve) = (named_solve?, solve?);
        assert_eq!(named_solve.values().game().spec(), NAMED);
        assert_eq!(named_solve.probe(&nameless.start())?, solve.probe(&named.start())?);
        assert_eq!(named_solve.summary().positions, solve.summary().positions);
    }
    Ok(())
}
