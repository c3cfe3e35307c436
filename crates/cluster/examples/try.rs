#![allow(missing_docs, clippy::print_stdout)]
use hindsight_cluster::*;
use hindsight_core::*;
use hindsight_run::NoMonitor;
use std::sync::Arc;
struct V<'a>(&'a Cluster<'a>, String);
impl hindsight_rules::Visitor for V<'_> {
    type Output = ();
    fn visit<G: Notation + Send + 'static>(self, _: G) {}
    fn ranked<G: Retro + Notation + Send + 'static>(self, game: G) {
        match solve(&game, &self.1, self.0, &mut NoMonitor) {
            Ok(s) => { println!("{:?} n={} draws... {:?} {:?} {:?}", s.start, s.histogram.positions(), s.counts, s.traffic, s.time); },
            Err(e) => { println!("error {e}"); std::process::exit(1) }
        }
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (spec, n, p, w): (String, usize, usize, usize) = (a[1].clone(), a[2].parse().unwrap(), a[3].parse().unwrap(), a[4].parse().unwrap());
    let hosts = Hosts::parse(&Hosts::local_file(n, 19000)).unwrap();
    let c = Cluster { hosts: &hosts, process: p, threads: w, listen: None, wait: std::time::Duration::from_secs(30), version: "0.1", tell: Arc::new(|t| println!("[{t}]")) };
    hindsight_rules::by_name(&spec, &hindsight_rules::Setup::default(), V(&c, spec.clone())).unwrap();
}
