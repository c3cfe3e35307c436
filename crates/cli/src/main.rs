use game::*; use games::*;
struct V; impl Visitor for V { type Output=(); fn visit<G: Game+Notation>(self, game:G){
 let t=std::time::Instant::now();
 let s=solve::graph::solve(&game, solve::Limits::default(), &mut solve::Silent).unwrap();
 let e=t.elapsed();
 println!("{} {:?} start {:?} {:?}", game.spec(), s.summary(), s.value(0), e);
 let vm=std::fs::read_to_string("/proc/self/status").unwrap(); let l=vm.lines().find(|l|l.starts_with("VmHWM")).unwrap(); 
 let kb:f64=l.split_whitespace().nth(1).unwrap().parse().unwrap(); println!("{l} {:.1} B/state", kb*1024.0/s.summary().positions as f64);
}}
fn main(){ for a in std::env::args().skip(1){ by_name(&a,&Setup::default(),V).unwrap(); } }
