//! Instructions of x86-64 processors that came between 2017 and 2022: AVX-512 with VBMI, VBMI2 and VPOPCNTDQ.

use core::arch::x86_64::*;

use crate::simd::avx2::Avx2;
use crate::simd::byte_permutation::BytePermutation;
use crate::simd::chunk::Chunk;
use crate::simd::lane_codec::{CODEC_BYTES, LaneCodec};
use crate::simd::token::{Kernel, Simd};

/// A processor with them and with those of [`Avx2`].
///
/// Invariant: [`Avx512::detect`] makes the only values, where the processor has the instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Avx512(Avx2);

impl Avx512 {
    /// The instructions, if the processor has them.
    pub(crate) fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx512vpopcntdq");
        Avx2::detect().filter(|_| has_all).map(Self)
    }

    /// Does work that is compiled for these instructions.
    pub(crate) fn run<W: Kernel>(self, work: W) -> W::Output {
        // SAFETY: the processor has what `detect` looked for.
        unsafe { run(self, work) }
    }

    /// Where the words begin that fields come from, from the word of each field.
    #[inline(always)]
    fn word_of(self, fields: &[u8; CODEC_BYTES], words: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_slli_epi32::<2>(_mm512_permutexvar_epi8(self.load_bytes(fields), words)) }
    }

    /// Bits of `a` where `mask` has ones, of `b` elsewhere.
    #[inline(always)]
    fn select(self, mask: u32, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_ternarylogic_epi32::<0xCA>(self.splat(mask), a, b) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq")]
fn run<W: Kernel>(simd: Avx512, work: W) -> W::Output {
    work.run(simd)
}

impl Simd for Avx512 {
    type Wide = __m512i;
    type Codec = Avx512LaneCodec;

    #[inline(always)]
    fn load_bytes(self, bytes: &[u8; 64]) -> __m512i {
        // SAFETY: the instructions are there, and the array has 64 bytes.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store_bytes(self, wide: __m512i, bytes: &mut [u8; 64]) {
        // SAFETY: the instructions are there, and the array has 64 bytes.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), wide) }
    }

    #[inline(always)]
    fn min_u8(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_min_epu8(a, b) }
    }

    #[inline(always)]
    fn pred_value(self, a: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let before = _mm512_sub_epi8(_mm512_set1_epi8(-2), a);
            let large = _mm512_movepi8_mask(a);
            _mm512_mask_add_epi8(before, large, before, _mm512_set1_epi8(1))
        }
    }

    #[inline(always)]
    fn blend_open(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let less = _mm512_sub_epi8(a, _mm512_set1_epi8(1));
            let changes = _mm512_cmplt_epu8_mask(less, _mm512_set1_epi8(-2));
            _mm512_mask_blend_epi8(changes, a, b)
        }
    }

    #[inline(always)]
    fn differs(self, a: __m512i, b: __m512i) -> bool {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_cmpneq_epi64_mask(a, b) != 0 }
    }

    /// Bytes come from two chunks an instruction.
    #[inline(always)]
    fn permute_bytes(self, bytes: &[Chunk], order: &BytePermutation, to: &mut [Chunk]) {
        let mut steps = order.steps.iter();
        for (to, &count) in to.iter_mut().zip(&order.steps_per_chunk) {
            let mut all = self.splat(0);
            for step in steps.by_ref().take(count) {
                let [one, other] = step.from.map(|from| self.load_bytes(&bytes[from].0));
                let order = self.load_bytes(&step.indices.0);
                let found =
                    // SAFETY: `self` proves that the instructions are there.
                    unsafe { _mm512_maskz_permutex2var_epi8(step.mask, one, order, other) };
                all = self.or(all, found);
            }
            self.store_bytes(all, &mut to.0);
        }
    }

    #[inline(always)]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        self.0.deposit(bits, mask)
    }

    #[inline(always)]
    fn extract(self, bits: u64, mask: u64) -> u64 {
        self.0.extract(bits, mask)
    }

    #[inline(always)]
    fn load(self, words: &[u32; 16]) -> __m512i {
        // SAFETY: the instructions are there, and the array has 64 bytes.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, wide: __m512i, words: &mut [u32; 16]) {
        // SAFETY: the instructions are there, and the array has 64 bytes.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), wide) }
    }

    #[inline(always)]
    fn splat(self, word: u32) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_set1_epi32(word as i32) }
    }

    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_or_si512(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn and_not(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_andnot_si512(b, a) }
    }

    #[inline(always)]
    fn nonzero_words(self, a: __m512i) -> u32 {
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_test_epi32_mask(a, a).into() }
    }

    #[inline(always)]
    fn prefetch(self, bytes: &[u8]) {
        self.0.prefetch(bytes);
    }

    #[inline(always)]
    fn prefetch_line(self, bytes: &[u8], at: usize) {
        self.0.prefetch_line(bytes, at);
    }

    #[inline(always)]
    fn shift(self, a: __m512i, by: i32) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let count = _mm_cvtsi32_si128(by.abs());
            if by >= 0 {
                _mm512_srl_epi32(a, count)
            } else {
                _mm512_sll_epi32(a, count)
            }
        }
    }
}

/// Free squares of lanes that are folded: with fewer more than two rows may share a byte, with more lanes are longer
/// than a wide.
const LENS: std::ops::RangeInclusive<usize> = 8..=22;

/// Squares that are not free are left out in so many steps, the n-th by 2^n squares.
const STEPS: usize = 4;

/// How lanes with some free squares are folded.
///
/// A row is a field of as many bits as there are free squares. Unfolding takes the four bytes that a field is in, moves it to their
/// lowest bits, and spreads these; folding closes up the bits of a row and moves them to their place in a byte, then
/// puts together the bytes of the fields that begin before or with them, and those of fields that begin in them. Up to sixteen
/// fields are unfolded and folded in one wide, in their order, and are put in the order of rows by themselves.
///
/// # Source
/// The steps are those of H. S. Warren, *Hacker's Delight*, sections 7-4 and 7-5 (compress and expand).
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Avx512LaneCodec {
    simd: Avx512,
    /// Whether there are at most sixteen fields.
    narrow: bool,
    /// For each field, if there are so few, and else for each row, the four bytes of its field, and how far in them it begins.
    windows: [__m512i; 2],
    shifts: [__m512i; 2],
    /// For each row its field, and the other way round.
    field_of: [__m512i; 2],
    row_of: __m512i,
    /// For each byte which byte of the rows it gets: of the first field in it, and of the next.
    fields: [__m512i; 2],
    of_byte: [u64; 2],
    /// Where bits move in each step, before it when they are spread, after it when they are closed up.
    spread: [u32; STEPS],
    close: [u32; STEPS],
    free: u32,
    /// The rows that are not 0 when they are unfolded.
    rows: [u16; 2],
    /// Whether the last step moves anything.
    far: bool,
    /// The bits of a field.
    field: u32,
}

/// What is below each square.
static BELOW: [u32; 32] = {
    let mut below = [0; 32];
    let mut square = 0;
    while square < 32 {
        below[square] = (1 << square) - 1;
        square += 1;
    }
    below
};

/// Where the fields of a lane are.
struct Fields {
    /// For each byte of the lane the first field in it, and which of its bytes.
    first: [u8; CODEC_BYTES],
    byte: [u8; CODEC_BYTES],
    /// The field after that, and in which bytes it begins.
    second: [u8; CODEC_BYTES],
    begins: u64,
    /// The four bytes of each of the first sixteen fields, and how far in them it begins.
    windows: [u8; CODEC_BYTES],
    shifts: [u32; 16],
}

/// By bits of a field.
static FIELDS: [Fields; 23] = {
    let mut all = [const {
        Fields {
            first: [0; CODEC_BYTES],
            byte: [0; CODEC_BYTES],
            second: [0; CODEC_BYTES],
            begins: 0,
            windows: [0; CODEC_BYTES],
            shifts: [0; 16],
        }
    }; 23];
    let mut len = *LENS.start();
    while len <= *LENS.end() {
        let mut byte = 0;
        while byte < CODEC_BYTES {
            let field = 8 * byte / len;
            all[len].first[byte] = field as u8;
            all[len].byte[byte] = (byte - ((field * len) >> 3)) as u8;
            all[len].second[byte] = field as u8 + 1;
            if field + 1 < len && (field + 1) * len < 8 * byte + 8 {
                all[len].begins |= 1 << byte;
            }
            // A field beyond the last may begin anywhere.
            all[len].windows[byte] = (((byte / 4 * len) >> 3) + byte % 4) as u8;
            all[len].shifts[byte / 4] = ((byte / 4 * len) & 7) as u32;
            byte += 1;
        }
        len += 1;
    }
    all
};

static NUMBERS: [u8; CODEC_BYTES] = {
    let mut numbers = [0; CODEC_BYTES];
    let mut n = 0;
    while n < CODEC_BYTES {
        numbers[n] = n as u8;
        n += 1;
    }
    numbers
};

/// The lowest bits; `n` is from 1 to 64.
#[inline(always)]
fn lowest(n: usize) -> u64 {
    u64::MAX >> (64 - n)
}

/// A mask of so many words, at most sixteen.
#[inline(always)]
fn first_words(n: usize) -> __mmask16 {
    ((1_u32 << n.min(16)) - 1) as __mmask16
}

impl Avx512LaneCodec {
    /// The fields of half of the words from a bit on, and what follows them.
    #[inline(always)]
    fn fields_from(&self, packed: __m512i, half: usize, bit: u32) -> __m512i {
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let window = _mm512_permutexvar_epi8(self.windows[half], packed);
            let shift = _mm512_add_epi32(self.shifts[half], self.simd.splat(bit));
            _mm512_srlv_epi32(window, shift)
        }
    }

    /// The bits of fields at their squares.
    #[inline(always)]
    fn spread(&self, fields: __m512i) -> __m512i {
        let mut row = fields;
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            if self.far {
                row = self
                    .simd
                    .select(self.spread[3], _mm512_slli_epi32::<8>(row), row);
            }
            row = self
                .simd
                .select(self.spread[2], _mm512_slli_epi32::<4>(row), row);
            row = self
                .simd
                .select(self.spread[1], _mm512_slli_epi32::<2>(row), row);
            row = self
                .simd
                .select(self.spread[0], _mm512_slli_epi32::<1>(row), row);
        }
        self.simd.and(row, self.simd.splat(self.free))
    }

    /// The other way round, and where they are in their bytes.
    #[inline(always)]
    fn closed(&self, rows: __m512i, half: usize) -> __m512i {
        let mut bits = self.simd.and(rows, self.simd.splat(self.free));
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            bits = self
                .simd
                .select(self.close[0], _mm512_srli_epi32::<1>(bits), bits);
            bits = self
                .simd
                .select(self.close[1], _mm512_srli_epi32::<2>(bits), bits);
            bits = self
                .simd
                .select(self.close[2], _mm512_srli_epi32::<4>(bits), bits);
            if self.far {
                bits = self
                    .simd
                    .select(self.close[3], _mm512_srli_epi32::<8>(bits), bits);
            }
            let field = _mm512_and_si512(bits, self.simd.splat(self.field));
            _mm512_sllv_epi32(field, self.shifts[half])
        }
    }

    /// Fields in the order of rows, if there are at most sixteen.
    #[inline(always)]
    fn rows_of(&self, fields: __m512i) -> [__m512i; 2] {
        let ([a, b], [low, high]) = (self.rows, self.field_of);
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            [
                _mm512_maskz_permutexvar_epi32(a, low, fields),
                _mm512_maskz_permutexvar_epi32(b, high, fields),
            ]
        }
    }
}

impl LaneCodec<Avx512> for Avx512LaneCodec {
    #[inline(always)]
    fn new(simd: Avx512, free: u32) -> Option<Self> {
        let len = free.count_ones() as usize;
        let last = 32 - free.leading_zeros() as usize;
        if !LENS.contains(&len) || last - len >= 1 << STEPS {
            return None;
        }
        let (mut spread, mut close) = ([0; STEPS], [0; STEPS]);
        let (mut set, mut odd) = (free, !free << 1);
        for n in 0..STEPS {
            // Whether there is an odd number of them up to each square.
            let mut parity = odd;
            for by in [1, 2, 4, 8, 16] {
                parity ^= parity << by;
            }
            let moved = parity & set;
            set = (set ^ moved) | moved >> (1 << n);
            odd &= !parity;
            spread[n] = moved;
            close[n] = moved >> (1 << n);
        }
        let fields = &FIELDS[len];
        let narrow = len <= 16;
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let four = _mm512_broadcast_i32x4(_mm_set_epi64x(
                0x0C0C_0C0C_0808_0808,
                0x0404_0404_0000_0000,
            ));
            let next = _mm512_set1_epi32(0x0302_0100);
            let mut windows = [simd.load_bytes(&fields.windows); 2];
            let mut shifts = [simd.load(&fields.shifts); 2];
            let mut field_of = shifts;
            for half in 0..2 {
                let below = BELOW[16 * half..].first_chunk().expect("half of them");
                let below = _mm512_and_si512(simd.load(below), simd.splat(free));
                field_of[half] = _mm512_popcnt_epi32(below);
                if !narrow {
                    let bit = _mm512_madd_epi16(field_of[half], simd.splat(len as u32));
                    let byte = _mm512_shuffle_epi8(_mm512_srli_epi32::<3>(bit), four);
                    windows[half] = _mm512_add_epi8(byte, next);
                    shifts[half] = _mm512_and_si512(bit, simd.splat(7));
                }
            }
            let rows = _mm512_maskz_compress_epi8(free.into(), simd.load_bytes(&NUMBERS));
            // Fields are folded in their order, or as rows.
            let words = if narrow {
                simd.load_bytes(&NUMBERS)
            } else {
                rows
            };
            let first = _mm512_add_epi8(
                simd.word_of(&fields.first, words),
                simd.load_bytes(&fields.byte),
            );
            let lane = lowest((len * len).div_ceil(8));
            Some(Self {
                simd,
                narrow,
                windows,
                shifts,
                field_of,
                row_of: _mm512_cvtepu8_epi32(_mm512_castsi512_si128(rows)),
                fields: [first, simd.word_of(&fields.second, words)],
                of_byte: [lane, fields.begins & lane],
                spread,
                close,
                free,
                rows: [free as u16, (free >> 16) as u16],
                far: last - len >= 1 << (STEPS - 1),
                field: lowest(len) as u32,
            })
        }
    }

    #[inline(always)]
    fn with_line_order(&self, rows: &[u32; 32]) -> Self {
        let mut new = *self;
        let low = self.simd.load(rows.first_chunk().expect("half of them"));
        let high = self.simd.load(rows.last_chunk().expect("half of them"));
        for (half, order) in [low, high].into_iter().enumerate() {
            // SAFETY: `self` proves that the instructions are there.
            unsafe {
                if self.narrow {
                    let [a, b] = self.field_of;
                    new.field_of[half] = _mm512_permutex2var_epi32(a, order, b);
                } else {
                    let [a, b] = self.windows;
                    new.windows[half] = _mm512_permutex2var_epi32(a, order, b);
                    let [a, b] = self.shifts;
                    new.shifts[half] = _mm512_permutex2var_epi32(a, order, b);
                }
                let free = _mm512_srlv_epi32(self.simd.splat(self.free), order);
                new.rows[half] = _mm512_test_epi32_mask(free, self.simd.splat(1));
            }
        }
        new
    }

    #[inline(always)]
    fn unpack(&self, packed: &[u8; CODEC_BYTES]) -> [__m512i; 2] {
        let packed = self.simd.load_bytes(packed);
        if self.narrow {
            let fields = self.spread(self.fields_from(packed, 0, 0));
            return self.rows_of(fields);
        }
        let mut out = [packed; 2];
        for (half, out) in out.iter_mut().enumerate() {
            let row = self.spread(self.fields_from(packed, half, 0));
            // SAFETY: `self` proves that the instructions are there.
            *out = unsafe { _mm512_maskz_mov_epi32(self.rows[half], row) };
        }
        out
    }

    #[inline(always)]
    fn column(&self, packed: &[u8; CODEC_BYTES], column: u32) -> [__m512i; 2] {
        let (packed, one) = (self.simd.load_bytes(packed), self.simd.splat(1));
        if self.narrow {
            let fields = self.simd.and(self.fields_from(packed, 0, column), one);
            return self.rows_of(fields);
        }
        let mut out = [packed; 2];
        for (half, out) in out.iter_mut().enumerate() {
            let row = self.fields_from(packed, half, column);
            // SAFETY: `self` proves that the instructions are there.
            *out = unsafe { _mm512_maskz_and_epi32(self.rows[half], row, one) };
        }
        out
    }

    #[inline(always)]
    fn pack(&self, rows: [__m512i; 2], out: &mut [u8; CODEC_BYTES]) {
        let ([low, high], [first, second]) = (rows, self.fields);
        let [of_first, of_second] = self.of_byte;
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let (first, second) = if self.narrow {
                let fields = _mm512_permutex2var_epi32(low, self.row_of, high);
                let fields = self.closed(fields, 0);
                (
                    _mm512_maskz_permutexvar_epi8(of_first, first, fields),
                    _mm512_maskz_permutexvar_epi8(of_second, second, fields),
                )
            } else {
                let (low, high) = (self.closed(low, 0), self.closed(high, 1));
                (
                    _mm512_maskz_permutex2var_epi8(of_first, low, first, high),
                    _mm512_maskz_permutex2var_epi8(of_second, low, second, high),
                )
            };
            _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_or_si512(first, second));
        }
    }

    #[inline(always)]
    fn store_words(&self, wide: __m512i, out: &mut [u32]) {
        if let Some(four) = four(out) {
            // SAFETY: `self` proves that the instructions are there.
            unsafe { _mm_storeu_si128(four.as_mut_ptr().cast(), _mm512_castsi512_si128(wide)) };
            return;
        }
        let words = first_words(out.len());
        // SAFETY: `self` proves that the instructions are there.
        unsafe { _mm512_mask_storeu_epi32(out.as_mut_ptr().cast(), words, wide) }
    }

    #[inline(always)]
    fn or_words(&self, wide: __m512i, out: &mut [u32]) {
        if let Some(four) = four(out) {
            let out = four.as_mut_ptr().cast();
            // SAFETY: `self` proves that the instructions are there.
            unsafe {
                let all = _mm_or_si128(_mm_loadu_si128(out), _mm512_castsi512_si128(wide));
                _mm_storeu_si128(out, all);
            }
            return;
        }
        let words = first_words(out.len());
        let out = out.as_mut_ptr().cast();
        // SAFETY: `self` proves that the instructions are there.
        unsafe {
            let all = _mm512_or_si512(_mm512_maskz_loadu_epi32(words, out), wide);
            _mm512_mask_storeu_epi32(out, words, all);
        }
    }
}

/// Four words: what is written with a mask cannot be read again at once, and neither what lies around it.
#[inline(always)]
fn four(out: &mut [u32]) -> Option<&mut [u32; 4]> {
    out.try_into().ok()
}
