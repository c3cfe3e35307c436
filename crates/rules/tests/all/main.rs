//! All tests of the rules in one program.

mod drawn_moves;
mod game_lists;
mod named_cards;
mod onitama;
mod ostle;
mod packing;
mod quoridor;
mod table_bytes;
mod whole_playouts;
