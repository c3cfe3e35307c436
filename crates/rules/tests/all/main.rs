//! All tests of the rules in one program.

mod drawn_moves;
mod onitama;
mod ostle;
mod quoridor;
mod whole_playouts;
