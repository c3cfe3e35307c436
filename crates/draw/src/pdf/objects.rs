//! Objects of a PDF.

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::Ref;

/// Level of the compression, of ten.
const COMPRESSION: u8 = 9;

pub(super) fn compressed(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec_zlib(bytes, COMPRESSION)
}

/// Numbers of the objects of a PDF, from 1.
#[derive(Default)]
pub(super) struct ObjectNumbers(i32);

impl ObjectNumbers {
    pub(super) fn next(&mut self) -> Ref {
        self.0 += 1;
        Ref::new(self.0)
    }
}
