#![allow(missing_docs, clippy::print_stdout)]
use hindsight_cluster::*;
use hindsight_core::*;
use hindsight_run::NoMonitor;
use hindsight_tablebase::{CheckpointDir, Layout};
use std::sync::Arc;
struct V<'a>(
    &'a Cluster<'a>,
    String,
    Option<String>,
    Option<String>,
    bool,
);
impl hindsight_rules::Visitor for V<'_> {
    type Output = ();
    fn visit<G: Notation + Send + 'static>(self, _: G) {}
    fn ranked<G: Retro + Notation + Send + 'static>(self, game: G) {
        go(&game, self, |g, c, t| {
            Ok(Box::new(ClusterPlan::retro(g, c, t)?))
        })
    }
    fn pawn_pairs<G: PawnPairs + Subgames + Retro + Notation + Send + 'static>(self, game: G) {
        if std::env::var("RETRO").is_ok() {
            return go(&game, self, |g, c, t| {
                Ok(Box::new(ClusterPlan::retro(g, c, t)?))
            });
        }
        go(&game, self, |g, c, t| {
            Ok(Box::new(ClusterPlan::pairs(g, c, t)?))
        })
    }
}
fn go<G: Ranked>(
    game: &G,
    v: V<'_>,
    make: for<'x> fn(
        &'x G,
        &'x Cluster<'x>,
        ClusterTask<'x>,
    ) -> Result<Box<dyn RunClusterPlan + 'x>, ClusterError>,
) {
    let V(c, spec, out, ck, resume) = v;
    let folder = ck.as_ref().map(|d| {
        ProcessFolder::open(
            d.as_ref(),
            c.process,
            c.hosts.processes(),
            CheckpointOf {
                spec: &spec,
                layout: Layout::Full,
                resume,
            },
        )
        .unwrap()
    });
    let own = match (&folder, &out) {
        (None, Some(o)) if c.process == 0 => {
            let d = format!("{o}.dir");
            let _ = std::fs::remove_dir_all(&d);
            Some(CheckpointDir::create(d.as_ref(), &spec, Layout::Full).unwrap())
        }
        _ => None,
    };
    let layers = if out.is_none() || c.process > 0 {
        None
    } else {
        own.as_ref().or(folder.as_ref().map(|f| f.own()))
    };
    let task = ClusterTask {
        spec: &spec,
        layout: Layout::Full,
        memory: 20 << 30,
        checkpoint: folder.as_ref(),
        checkpoint_use: match (&folder, resume) {
            (None, _) => CheckpointUse::Nothing,
            (_, false) => CheckpointUse::Begin,
            _ => CheckpointUse::Resume,
        },
        has_table: out.is_some(),
        layers,
    };
    let plan = make(game, c, task).unwrap();
    println!("needs {:?}", plan.needs());
    match plan.run(
        &mut NoMonitor,
        PlanEnds {
            refusal: None,
            last: &mut |_| Ok(()),
        },
    ) {
        Ok(s) => {
            let e: u64 = s.work.iter().map(|w| w.edges).sum();
            let aw: u64 = s.work.iter().map(|w| w.edges_away).sum();
            let t = std::fs::read_to_string("/proc/self/status").unwrap();
            let rss = t
                .lines()
                .find(|l| l.starts_with("VmHWM"))
                .unwrap()
                .to_string();
            println!(
                "{:?} {} edges {e} away {aw} {:?} {:?} table {:?} {rss}",
                s.solution.start,
                s.solution.summary.signature(Some(&s.solution.histogram)),
                s.traffic,
                s.time,
                s.table_time
            );
            if let (Some(l), Some(o)) = (layers, &out) {
                let _ = std::fs::remove_file(o);
                l.finish_to(o.as_ref()).unwrap();
            }
        }
        Err(e) => {
            println!("error {e}");
            std::process::exit(1)
        }
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (spec, n, p, w): (String, usize, usize, usize) = (
        a[1].clone(),
        a[2].parse().unwrap(),
        a[3].parse().unwrap(),
        a[4].parse().unwrap(),
    );
    let opt = |i: usize| a.get(i).filter(|x| *x != "-").cloned();
    let hosts = Hosts::parse(&Hosts::local_file(n, 19000)).unwrap();
    let c = Cluster {
        hosts: &hosts,
        process: p,
        threads: w,
        listen: None,
        wait: std::time::Duration::from_secs(30),
        version: "0.1",
        tell: Arc::new(|t| println!("[{t}]")),
    };
    hindsight_rules::by_name(
        &spec,
        &hindsight_rules::Setup::default(),
        V(&c, spec.clone(), opt(5), opt(6), opt(7).is_some()),
    )
    .unwrap();
}
