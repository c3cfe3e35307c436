//! Objects as bytes: numbers, `None`, strings, bytes, and tuples of them.
//!
//! Bytes are a form and the bits of its numbers. A form is a shape, such as a tuple of ten numbers,
//! with the bits of each number. Forms are numbered as they are met: those of positions of random
//! games first, each wide enough for all of these that have its shape. An object has the first form
//! into which it fits, so that equal objects have equal bytes.
//!
//! The forms and letters of a game's first objects are *lasting* if these objects are the same in
//! each process: tables have objects of these alone.
//!
//! | byte | what |
//! |---|---|
//! | 0 | the form; 127 for an object that has none; + 128 if player 1 is to move |
//! | 1.. | the bits of the numbers; the number of the object for form 127, four bytes |

use std::collections::HashMap;
use std::ops::RangeInclusive;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use super::bits::{Bits, MOST_BITS};
use super::shape::{Alphabet, Node, Pieces};

/// Form of objects that have no other.
pub(super) const KEPT: u8 = 127;
/// Bit of the player to move in the first byte.
pub(super) const PLAYER: u8 = 128;
/// Least bytes: those of a kept object.
pub(super) const LEAST_BYTES: usize = 5;

/// Bits of a number.
#[derive(Clone, Copy, Default)]
struct Field {
    bits: u8,
    is_signed: bool,
    /// The number, if there are no bits.
    constant: i128,
}

impl Field {
    fn of(number: i128) -> Self {
        let mut field = Self { bits: 0, is_signed: number < 0, constant: 0 };
        field.bits = (128 - field.code(number).leading_zeros()) as u8;
        field
    }

    #[inline]
    fn code(self, number: i128) -> u128 {
        if self.is_signed { (number << 1 ^ number >> 127) as u128 } else { number as u128 }
    }

    fn number(self, code: u128) -> i128 {
        if self.bits == 0 {
            return self.constant;
        }
        if self.is_signed { (code >> 1) as i128 ^ -((code & 1) as i128) } else { code as i128 }
    }

    #[inline]
    fn fits(self, number: i128) -> bool {
        if self.bits == 0 {
            return number == self.constant;
        }
        if let (Ok(number), false) = (u64::try_from(number), self.is_signed) {
            return self.bits >= 64 || number >> self.bits == 0;
        }
        (self.is_signed || number >= 0) && self.code(number) >> self.bits == 0
    }

    /// Returns the least field for what fits into either.
    fn or(self, other: Self) -> Self {
        let is_signed = self.is_signed || other.is_signed;
        let bits = |field: Self| field.bits + u8::from(is_signed && !field.is_signed);
        Self { bits: bits(self).max(bits(other)), is_signed, constant: 0 }
    }
}

/// Returns the bits of some fields.
fn bits_of(fields: &[Field]) -> usize {
    fields.iter().map(|field| usize::from(field.bits)).sum()
}

/// Widths of the fields of a form that is to last, the widest first.
#[derive(Clone, Copy)]
enum Width {
    /// Letters have bits for all that were met, numbers for the greatest of any place and one more.
    Equal,
    /// Letters as above; numbers have bits for the greatest of their place and one more.
    Spare,
    /// Letters and numbers have bits for those of their place.
    Needed,
    /// Places that are the same in all objects have no bits, others as above.
    Varying,
}

impl Width {
    const ALL: [Self; 4] = [Self::Equal, Self::Spare, Self::Needed, Self::Varying];
}

/// Returns the node for each of its numbers.
fn leaves_of(node: Node) -> impl Iterator<Item = Node> {
    let count = match node {
        Node::Tuple(_) | Node::Nothing => 0,
        Node::Number => 1,
        Node::Text(length) | Node::Bytes(length) => length.into(),
    };
    std::iter::repeat_n(node, count)
}

struct Shape {
    nodes: Box<[Node]>,
    /// Class of each tuple, if it is a named one.
    makers: Vec<Option<Py<PyAny>>>,
    forms: Vec<u8>,
}

struct Form {
    shape: usize,
    fields: Box<[Field]>,
}

/// Forms of a game's objects.
#[derive(Default)]
pub(super) struct Codec {
    /// Bits of a position after its first byte.
    room: usize,
    shapes: Vec<Shape>,
    by_nodes: HashMap<Box<[Node]>, usize>,
    forms: Vec<Form>,
    alphabet: Alphabet,
    pieces: Pieces,
    /// Shape that was met last.
    last: usize,
    /// Numbers of lasting forms and letters.
    lasting: (usize, usize),
}

/// Bytes of an object.
pub(super) enum Encoded {
    /// Object that was written.
    Written {
        /// True if the parts are equal to those that the bytes make, but of other classes.
        is_exotic: bool,
    },
    /// Object without a form.
    Formless,
}

impl Codec {
    /// Makes forms for objects; returns the bytes that most of them need. Forms that are to last
    /// have room for more than these objects need.
    pub(super) fn learn(
        &mut self,
        objects: &[Bound<'_, PyAny>],
        are_to_last: bool,
    ) -> PyResult<usize> {
        let mut ranges: Vec<Vec<RangeInclusive<i128>>> = Vec::new();
        for object in objects {
            if !self.pieces.take(object, &mut self.alphabet, true)? {
                continue;
            }
            let own = self.pieces.leaves.iter().map(|&leaf| usize::from(Field::of(leaf).bits));
            if !are_to_last && own.sum::<usize>() > MOST_BITS {
                continue;
            }
            let Some(shape) = self.shape(object.py(), true) else { continue };
            if shape == ranges.len() {
                ranges.push(self.pieces.leaves.iter().map(|&leaf| leaf..=leaf).collect());
            }
            for (range, &leaf) in ranges[shape].iter_mut().zip(&self.pieces.leaves) {
                *range = leaf.min(*range.start())..=leaf.max(*range.end());
            }
        }
        let mut most = 0;
        for (shape, ranges) in ranges.iter().enumerate() {
            let widths = if are_to_last { &Width::ALL[..] } else { &[Width::Needed] };
            let mut forms = widths.iter().map(|&width| self.fields(shape, ranges, width));
            if let Some(fields) = forms.find(|fields| bits_of(fields) <= MOST_BITS) {
                most = most.max(bits_of(&fields));
                self.add_form(shape, fields);
            }
        }
        if are_to_last {
            self.lasting = (self.forms.len(), self.alphabet.len());
        }
        Ok(1 + most.div_ceil(8))
    }

    /// Returns fields for the numbers of a shape, each in a range.
    fn fields(&self, shape: usize, ranges: &[RangeInclusive<i128>], width: Width) -> Box<[Field]> {
        let needed =
            |range: &RangeInclusive<i128>| Field::of(*range.start()).or(Field::of(*range.end()));
        let leaves = self.shapes[shape].nodes.iter().flat_map(|&node| leaves_of(node));
        let leaves: Vec<(Node, &RangeInclusive<i128>)> = leaves.zip(ranges).collect();
        let numbers = leaves.iter().filter(|(node, _)| matches!(node, Node::Number));
        let widest = numbers.fold(Field::default(), |widest, (_, range)| widest.or(needed(range)));
        let letter = Field::of(self.alphabet.len().saturating_sub(1) as i128);
        let wide = |node: Node, number: Field| match node {
            Node::Text(_) => letter,
            Node::Bytes(_) => Field::of(255),
            _ => Field { bits: number.bits + 1, ..number },
        };
        let field = |(node, range): (Node, &RangeInclusive<i128>)| match width {
            Width::Equal => wide(node, widest),
            Width::Spare => wide(node, needed(range)),
            Width::Varying if range.start() == range.end() => {
                Field { constant: *range.start(), ..Field::default() }
            }
            Width::Needed | Width::Varying => needed(range),
        };
        leaves.into_iter().map(field).collect()
    }

    /// Returns bytes that are the same in processes whose lasting bytes are the same. Numbers are
    /// little-endian.
    ///
    /// | bytes | what |
    /// |---|---|
    /// | 4 | bits of a position after its first byte |
    /// | 4 | number of letters |
    /// | 4 each | the letters |
    /// | 4 for each form, and .. | number of nodes |
    /// | 1 + 2 each | the nodes: kind and length |
    /// | 1 + 1 + 16 each | fields of the numbers: bits, 1 if signed, the constant |
    pub(super) fn bytes_of_lasting(&self) -> Vec<u8> {
        let (forms, letters) = self.lasting;
        let mut bytes = Vec::new();
        let count = |count: usize| (count as u32).to_le_bytes();
        bytes.extend(count(self.room));
        bytes.extend(count(letters));
        let letters = (0..letters).filter_map(|number| self.alphabet.letter(number));
        bytes.extend(letters.flat_map(|letter| u32::from(letter).to_le_bytes()));
        for form in &self.forms[..forms] {
            let nodes = &self.shapes[form.shape].nodes;
            bytes.extend(count(nodes.len()));
            for (kind, length) in nodes.iter().map(|node| node.code()) {
                bytes.push(kind);
                bytes.extend(length.to_le_bytes());
            }
            for field in &form.fields {
                bytes.extend([field.bits, field.is_signed.into()]);
                bytes.extend(field.constant.to_le_bytes());
            }
        }
        bytes
    }

    /// Sets the bytes of a position.
    pub(super) fn set_bytes(&mut self, bytes: usize) {
        self.room = 8 * (bytes - 1);
    }

    /// Returns the number of the shape of the pieces; a new one if it learns, and `None` if it does
    /// not or there are too many.
    fn shape(&mut self, py: Python<'_>, learns: bool) -> Option<usize> {
        let nodes = &self.pieces.nodes;
        let is_last = self.shapes.get(self.last).is_some_and(|shape| *shape.nodes == **nodes);
        let known = if is_last { Some(self.last) } else { self.by_nodes.get(&**nodes).copied() };
        let shape = match known {
            Some(shape) => shape,
            None if !learns || self.shapes.len() >= usize::from(KEPT) => return None,
            None => {
                let nodes: Box<[Node]> = nodes.as_slice().into();
                let tuples = nodes.iter().filter(|node| matches!(node, Node::Tuple(_))).count();
                let makers = (0..tuples).map(|_| None).collect();
                self.by_nodes.insert(nodes.clone(), self.shapes.len());
                self.shapes.push(Shape { nodes, makers, forms: Vec::new() });
                self.shapes.len() - 1
            }
        };
        self.last = shape;
        // A mere look-up does not set the classes of tuples.
        for (tuple, maker) in self.pieces.makers.iter().filter(|_| learns) {
            self.shapes[shape].makers[*tuple].get_or_insert_with(|| maker.clone_ref(py));
        }
        Some(shape)
    }

    fn add_form(&mut self, shape: usize, fields: Box<[Field]>) -> Option<u8> {
        let number = u8::try_from(self.forms.len()).ok().filter(|&number| number < KEPT)?;
        self.shapes[shape].forms.push(number);
        self.forms.push(Form { shape, fields });
        Some(number)
    }

    /// Returns the first form into which the pieces fit; a new one if it learns.
    fn form(&mut self, shape: usize, learns: bool) -> Option<u8> {
        let leaves = &self.pieces.leaves;
        let fits = |&form: &u8| {
            let fields = &self.forms[usize::from(form)].fields;
            fields.iter().zip(leaves).all(|(field, &leaf)| field.fits(leaf))
        };
        let forms = &self.shapes[shape].forms;
        if let Some(form) = forms.iter().copied().find(fits) {
            return Some(form);
        }
        if !learns {
            return None;
        }
        let own: Vec<Field> = leaves.iter().map(|&leaf| Field::of(leaf)).collect();
        let wider = forms.last().map(|&last| {
            let fields = self.forms[usize::from(last)].fields.iter().zip(&own);
            fields.map(|(&field, &own)| field.or(own)).collect::<Vec<_>>()
        });
        let fields = wider.filter(|wider| bits_of(wider) <= self.room).unwrap_or(own);
        if bits_of(&fields) > self.room {
            return None;
        }
        self.add_form(shape, fields.into())
    }

    /// Writes an object, with player 0 to move. `learns` says if what is new gets a form.
    pub(super) fn encode(
        &mut self,
        object: &Bound<'_, PyAny>,
        bytes: &mut [u8],
        learns: bool,
    ) -> PyResult<Encoded> {
        let has_pieces = self.pieces.take(object, &mut self.alphabet, learns)?;
        let shape = if has_pieces { self.shape(object.py(), learns) } else { None };
        let Some(form) = shape.and_then(|shape| self.form(shape, learns)) else {
            return Ok(Encoded::Formless);
        };
        let mut bits = Bits::default();
        let fields = &self.forms[usize::from(form)].fields;
        for (field, &leaf) in fields.iter().zip(&self.pieces.leaves) {
            if field.bits > 0 {
                bits.put(field.code(leaf), field.bits);
            }
        }
        bytes[0] = form;
        bits.write(&mut bytes[1..]);
        Ok(Encoded::Written { is_exotic: self.pieces.is_exotic })
    }

    /// True if form and letters of an object with some bytes are lasting.
    pub(super) fn lasts(&self, bytes: &[u8]) -> bool {
        let (forms, letters) = self.lasting;
        let Some(form) = self.forms[..forms].get(usize::from(bytes[0])) else { return false };
        let mut bits = Bits::of_bytes(&bytes[1..]);
        let nodes = self.shapes[form.shape].nodes.iter().flat_map(|&node| leaves_of(node));
        nodes.zip(&form.fields).all(|(node, field)| {
            let number = field.number(bits.take(field.bits));
            !matches!(node, Node::Text(_)) || number < letters as i128
        })
    }

    /// Returns the object of some bytes, if they are of one.
    pub(super) fn decode<'py>(
        &self,
        py: Python<'py>,
        bytes: &[u8],
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(form) = self.forms.get(usize::from(bytes[0] & !PLAYER)) else { return Ok(None) };
        let shape = &self.shapes[form.shape];
        let mut reader = Reader {
            nodes: shape.nodes.iter(),
            makers: shape.makers.iter(),
            fields: form.fields.iter(),
            bits: Bits::of_bytes(&bytes[1..]),
            alphabet: &self.alphabet,
        };
        reader.object(py)
    }
}

/// Reader of the parts of an object.
struct Reader<'a> {
    nodes: std::slice::Iter<'a, Node>,
    makers: std::slice::Iter<'a, Option<Py<PyAny>>>,
    fields: std::slice::Iter<'a, Field>,
    bits: Bits,
    alphabet: &'a Alphabet,
}

impl Reader<'_> {
    fn leaf(&mut self) -> i128 {
        let field = self.fields.next().expect("a field for each number");
        field.number(self.bits.take(field.bits))
    }

    /// Returns the next object; `None` if the bytes are of none.
    fn object<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let object = match *self.nodes.next().expect("a node for each part") {
            Node::Nothing => py.None().into_bound(py),
            Node::Number => {
                let number = self.leaf();
                match i64::try_from(number) {
                    Ok(number) => number.into_pyobject(py)?.into_any(),
                    Err(_) => number.into_pyobject(py)?.into_any(),
                }
            }
            Node::Text(letters) => {
                let letters = (0..letters).map(|_| {
                    let number = self.leaf();
                    self.alphabet.letter(number as usize)
                });
                match letters.collect::<Option<String>>() {
                    Some(text) => PyString::new(py, &text).into_any(),
                    None => return Ok(None),
                }
            }
            Node::Bytes(length) => {
                let bytes: Vec<u8> = (0..length).map(|_| self.leaf() as u8).collect();
                PyBytes::new(py, &bytes).into_any()
            }
            Node::Tuple(length) => {
                let maker = self.makers.next().expect("a class for each tuple");
                let mut items = Vec::with_capacity(length.into());
                for _ in 0..length {
                    match self.object(py)? {
                        Some(item) => items.push(item),
                        None => return Ok(None),
                    }
                }
                let tuple = PyTuple::new(py, items)?;
                match maker {
                    Some(class) => class.bind(py).call_method1("_make", (tuple,))?,
                    None => tuple.into_any(),
                }
            }
        };
        Ok(Some(object))
    }
}
