use game::*; use games::*;
use solve::forward::*;
struct V(Way); impl Visitor for V { type Output=(); fn visit<G: Game+Notation>(self, game:G){
 let t=std::time::Instant::now();
 let s=solve::forward::solve(&game, self.0, solve::Limits::default(), &mut solve::Silent).unwrap();
 let e=t.elapsed();
 println!("{} {:?} {:?} start {:?} {:?}", game.spec(), self.0, s.summary(), s.start(), e);
}}
fn main(){ let a:Vec<String>=std::env::args().collect(); 
 let sym = if a[1]=="1" {Symmetry::Swap} else if a[1]=="2" {Symmetry::All} else {Symmetry::None};
 let setup=Setup{symmetry:sym,..Setup::default()};
 for spec in &a[2..] {
   for w in [Way::Program, Way::Printed] { by_name_as_published(spec,&setup,V(w)).unwrap(); }
   for o in [Order::AsListed,Order::Reversed,Order::FewestReplies,Order::MostReplies] {by_name(spec,&setup,V(Way::Best(o))).unwrap();}
 }}
