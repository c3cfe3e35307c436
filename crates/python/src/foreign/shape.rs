//! Shapes of objects: what they consist of, and the numbers in them.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyString, PyTuple};

/// Most numbers of an object.
const MOST_LEAVES: usize = 2 * super::bits::MOST_BITS;
/// Most tuples in tuples.
const MOST_DEPTH: usize = 8;

/// Part of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// Tuple, with the number of its parts, which follow.
    Tuple(u16),
    Number,
    Nothing,
    /// String, with the number of its letters.
    Text(u16),
    Bytes(u16),
}

impl Node {
    /// Returns the kind as a number, and the length.
    pub(super) fn code(self) -> (u8, u16) {
        match self {
            Self::Tuple(length) => (0, length),
            Self::Number => (1, 0),
            Self::Nothing => (2, 0),
            Self::Text(length) => (3, length),
            Self::Bytes(length) => (4, length),
        }
    }
}

/// Object taken to pieces.
#[derive(Default)]
pub(super) struct Pieces {
    pub(super) nodes: Vec<Node>,
    /// Numbers: those of the object, the bytes, and the numbers of the letters.
    pub(super) leaves: Vec<i128>,
    /// Classes of named tuples, with the number of the tuple.
    pub(super) makers: Vec<(usize, Py<PyAny>)>,
    /// True if a part is equal to what the pieces make, but of another class.
    pub(super) is_exotic: bool,
    tuples: usize,
}

/// Letters of strings, numbered as they are met.
#[derive(Default)]
pub(super) struct Alphabet {
    letters: Vec<char>,
    numbers: std::collections::HashMap<char, u32>,
}

impl Alphabet {
    fn number(&mut self, letter: char, learns: bool) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&letter) {
            return Some(number);
        }
        let number = self.letters.len() as u32;
        learns.then(|| {
            self.letters.push(letter);
            self.numbers.insert(letter, number);
            number
        })
    }

    pub(super) fn len(&self) -> usize {
        self.letters.len()
    }

    pub(super) fn letter(&self, number: usize) -> Option<char> {
        self.letters.get(number).copied()
    }
}

impl Pieces {
    fn clear(&mut self) {
        self.nodes.clear();
        self.leaves.clear();
        self.makers.clear();
        self.is_exotic = false;
        self.tuples = 0;
    }

    /// Takes an object to pieces; returns false if it has none. `learns` says if new letters get
    /// numbers.
    pub(super) fn take(
        &mut self,
        object: &Bound<'_, PyAny>,
        alphabet: &mut Alphabet,
        learns: bool,
    ) -> PyResult<bool> {
        self.clear();
        self.part(object, alphabet, learns, 0)
    }

    fn part(
        &mut self,
        object: &Bound<'_, PyAny>,
        alphabet: &mut Alphabet,
        learns: bool,
        depth: usize,
    ) -> PyResult<bool> {
        if object.is_exact_instance_of::<PyInt>() {
            return Ok(self.number(object));
        }
        if let Ok(tuple) = object.cast::<PyTuple>() {
            return self.tuple(tuple, alphabet, learns, depth);
        }
        if object.is_none() {
            self.nodes.push(Node::Nothing);
            return Ok(true);
        }
        if let Ok(flag) = object.cast_exact::<PyBool>() {
            self.leaf(flag.is_true().into());
            return Ok(true);
        }
        if let Ok(text) = object.cast::<PyString>() {
            self.is_exotic |= !object.is_exact_instance_of::<PyString>();
            return self.text(text, alphabet, learns);
        }
        if let Ok(bytes) = object.cast_exact::<PyBytes>() {
            let bytes = bytes.as_bytes();
            if bytes.len() > MOST_LEAVES {
                return Ok(false);
            }
            self.nodes.push(Node::Bytes(bytes.len() as u16));
            self.leaves.extend(bytes.iter().map(|&byte| i128::from(byte)));
            return Ok(true);
        }
        if object.is_instance_of::<PyInt>() {
            self.is_exotic = true;
            return Ok(self.number(&object.call_method0("__int__")?));
        }
        if let Ok(float) = object.cast::<PyFloat>() {
            let value = float.value();
            let is_whole = value.fract() == 0.0 && value.abs() < 1e15;
            if is_whole {
                self.leaf(value as i128);
            }
            return Ok(is_whole);
        }
        // Numbers of NumPy, which are equal to those of Python.
        if !object.hasattr("__index__")? || !object.hasattr("dtype")? {
            return Ok(false);
        }
        // An array is no number.
        Ok(object.call_method0("__index__").is_ok_and(|number| self.number(&number)))
    }

    fn leaf(&mut self, number: i128) {
        self.nodes.push(Node::Number);
        self.leaves.push(number);
    }

    fn number(&mut self, object: &Bound<'_, PyAny>) -> bool {
        let number = object.extract::<i64>().map(i128::from);
        let number = number.or_else(|_| object.extract::<i128>());
        // The zigzag of a greater one has more than 128 bits.
        let number = number.ok().filter(|number| number.unsigned_abs() < 1 << 120);
        if let Some(number) = number {
            self.leaf(number);
        }
        number.is_some() && self.leaves.len() <= MOST_LEAVES
    }

    fn tuple(
        &mut self,
        tuple: &Bound<'_, PyTuple>,
        alphabet: &mut Alphabet,
        learns: bool,
        depth: usize,
    ) -> PyResult<bool> {
        if depth == MOST_DEPTH || tuple.len() > MOST_LEAVES {
            return Ok(false);
        }
        let number = self.tuples;
        self.tuples += 1;
        if !tuple.is_exact_instance_of::<PyTuple>() {
            let class = tuple.get_type();
            if !class.hasattr("_make")? {
                return Ok(false);
            }
            self.makers.push((number, class.into_any().unbind()));
        }
        self.nodes.push(Node::Tuple(tuple.len() as u16));
        for item in tuple.iter_borrowed() {
            if !self.part(&item, alphabet, learns, depth + 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn text(
        &mut self,
        text: &Bound<'_, PyString>,
        alphabet: &mut Alphabet,
        learns: bool,
    ) -> PyResult<bool> {
        if text.len()? > MOST_LEAVES {
            return Ok(false);
        }
        // Half a surrogate pair is in no string of Rust.
        let Ok(letters) = text.to_cow() else { return Ok(false) };
        let begin = self.leaves.len();
        for letter in letters.chars() {
            match alphabet.number(letter, learns) {
                Some(number) => self.leaves.push(number.into()),
                None => return Ok(false),
            }
        }
        self.nodes.push(Node::Text((self.leaves.len() - begin) as u16));
        Ok(true)
    }
}
