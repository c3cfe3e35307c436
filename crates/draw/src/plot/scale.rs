//! Scales of axes: where numbers lie, and which of them are written.

/// Least number of decades in which only the powers of ten are written.
const MANY_DECADES: f64 = 3.0;

/// Scale of an axis.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Scale {
    is_log: bool,
    low: f64,
    high: f64,
    /// Numbers that are written, with their texts.
    pub(super) ticks: Vec<(f64, String)>,
}

impl Scale {
    /// Returns a scale from the least to the greatest number, or a little further, so that it ends
    /// with a number that is written. About `most` numbers are written, whole ones if `is_whole`.
    pub(super) fn new(is_log: bool, is_whole: bool, numbers: &[f64], most: usize) -> Self {
        Self::between([is_log, is_whole, true], ends(is_log, numbers), most)
    }

    /// Returns a scale that ends with the numbers themselves; of `most` and fewer written numbers
    /// the most that fit.
    pub(super) fn fitting(
        is_log: bool,
        is_whole: bool,
        numbers: &[f64],
        most: usize,
        fits: impl Fn(&Self) -> bool,
    ) -> Self {
        let ends = ends(is_log, numbers);
        let scale = |most| Self::between([is_log, is_whole, false], ends, most);
        let mut scales = (2..=most).rev().map(scale);
        scales.find(fits).unwrap_or_else(|| scale(1))
    }

    /// Returns a scale with names instead of numbers.
    pub(super) fn named(numbers: &[f64], names: &[(f64, String)]) -> Self {
        let names = names.iter().cloned();
        Self { ticks: names.collect(), ..Self::between([false; 3], ends(false, numbers), 1) }
    }

    fn between(
        [is_log, is_whole, is_widened]: [bool; 3],
        [low, high]: [f64; 2],
        most: usize,
    ) -> Self {
        let round = || numbers([low, high], most, f64::from(is_whole));
        let mut numbers = if is_log { log_numbers([low, high], most) } else { round() };
        let inside = |number: &f64| *number >= low && *number <= high;
        if is_log && !is_widened && numbers.iter().filter(|number| inside(number)).count() < 2 {
            // A short axis lies between two powers of ten.
            numbers = round();
        }
        let near = if is_log { 1e-9 * low } else { 1e-9 * (high - low) };
        let first = numbers.iter().rposition(|&number| number <= low + near);
        let last = numbers.iter().position(|&number| number >= high - near);
        let (ends, shown) = match (is_widened, first, last) {
            (true, Some(first), Some(last)) => {
                ([numbers[first], numbers[last]], numbers[first..=last].to_vec())
            }
            _ => ([low, high], numbers.into_iter().filter(inside).collect()),
        };
        let ticks = shown.into_iter().map(|number| (number, number_text(number)));
        Self { is_log, low: ends[0], high: ends[1], ticks: ticks.collect() }
    }

    /// Returns the place of a number, from 0 at the low end to 1 at the high one; `None` if it has
    /// none.
    pub(super) fn place(&self, number: f64) -> Option<f64> {
        let place = if self.is_log {
            (number / self.low).ln() / (self.high / self.low).ln()
        } else {
            (number - self.low) / (self.high - self.low)
        };
        place.is_finite().then_some(place)
    }
}

/// Returns the least and the greatest finite number. They differ by more than their rounding.
fn ends(is_log: bool, numbers: &[f64]) -> [f64; 2] {
    let finite = || numbers.iter().copied().filter(|number| number.is_finite());
    let low = finite().fold(f64::INFINITY, f64::min);
    let high = finite().fold(f64::NEG_INFINITY, f64::max);
    if high - low > 1e-12 * low.abs().max(1e-9) {
        [low, high]
    } else if low <= high {
        [low, low + low.abs().max(1.0)]
    } else if is_log {
        [1.0, 10.0]
    } else {
        [0.0, 1.0]
    }
}

/// Returns multiples of 1, 2 or 5 times a power of ten, from the one before the low end to the one
/// behind the high end.
fn numbers([low, high]: [f64; 2], most: usize, least_step: f64) -> Vec<f64> {
    let least = ((high - low) / most as f64).max(least_step);
    let power = 10_f64.powf(least.log10().floor());
    let digits = [1.0, 2.0, 5.0, 10.0].into_iter();
    let mut steps = digits.map(|digit| digit * power);
    let step = steps.find(|&step| step >= least * (1.0 - 1e-9)).unwrap_or(10.0 * power);
    let [first, last] = [(low / step).floor(), (high / step).ceil()].map(|number| number as i64);
    // A step such as 0.1 is no sum of powers of two: 3 * 0.1 is 0.30000000000000004.
    let exact = |number: i64| {
        if step < 1.0 { number as f64 / (1.0 / step).round() } else { number as f64 * step }
    };
    (first..=last).map(exact).collect()
}

/// Returns powers of ten, and 2 and 5 times such powers if these are few.
fn log_numbers([low, high]: [f64; 2], most: usize) -> Vec<f64> {
    let [first, last] = [low.log10().floor(), high.log10().ceil()];
    let every = ((last - first) / most as f64).ceil().max(1.0) as usize;
    let digits = if (high / low).log10() * 3.0 <= most as f64 && (high / low).log10() < MANY_DECADES
    {
        &[1.0, 2.0, 5.0][..]
    } else {
        &[1.0]
    };
    let powers = (first as i32..=last as i32 + every as i32 - 1).step_by(every);
    let numbers = powers.flat_map(|power| {
        digits.iter().map(move |digit| {
            if power < 0 { digit / 10_f64.powi(-power) } else { digit * 10_f64.powi(power) }
        })
    });
    numbers.collect()
}

/// Returns a number with separators of thousands.
pub(super) fn number_text(number: f64) -> String {
    let text = number.to_string();
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let digits = whole.trim_start_matches('-').len();
    let mut grouped = whole[..whole.len() - digits].to_string();
    for (index, digit) in whole[whole.len() - digits..].chars().enumerate() {
        if index > 0 && (digits - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + rest
}

#[cfg(test)]
mod tests {
    use super::{Scale, number_text};

    fn texts(scale: &Scale) -> Vec<&str> {
        scale.ticks.iter().map(|tick| tick.1.as_str()).collect()
    }

    #[test]
    fn steps_are_one_two_or_five() {
        let new = |numbers: &[f64], is_whole| Scale::new(false, is_whole, numbers, 6);
        let scale = new(&[0.0, 0.87], false);
        assert_eq!(texts(&scale), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(scale.place(0.25), Some(0.25));
        let scale = new(&[0.0, 3_410.0], false);
        assert_eq!(texts(&scale), ["0", "1,000", "2,000", "3,000", "4,000"]);
        assert_eq!(texts(&new(&[0.0, 2.0], true)), ["0", "1", "2"]);
        assert_eq!(texts(&new(&[-1.0, 1.0], false)), ["-1", "-0.5", "0", "0.5", "1"]);
        assert_eq!(
            texts(&new(&[0.05, 0.35], false)),
            ["0.05", "0.1", "0.15", "0.2", "0.25", "0.3", "0.35"]
        );
        assert_eq!(texts(&new(&[], false)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(texts(&new(&[7.0], false)), ["6", "8", "10", "12", "14"]);
        let odd = [f64::NAN, f64::INFINITY, 0.0, 1.0, f64::NEG_INFINITY];
        assert_eq!(texts(&new(&odd, false)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(texts(&new(&[0.0, 5e-324], true)), ["0", "1"]);
    }

    #[test]
    fn logarithmic_scales_have_powers_of_ten() {
        let scale = Scale::new(true, true, &[4.0, 195_444.0], 8);
        let powers = ["1", "10", "100", "1,000", "10,000", "100,000", "1,000,000"];
        assert_eq!(texts(&scale), powers);
        assert!((scale.place(1000.0).expect("a place") - 0.5).abs() < 1e-9);
        assert_eq!(scale.place(0.0), None);
        let few = Scale::new(true, true, &[4.0, 195_444.0], 3);
        assert_eq!(texts(&few), ["1", "100", "10,000", "1,000,000"]);
        let small = Scale::fitting(true, true, &[1.0, 100.0], 8, |_| true);
        assert_eq!(texts(&small), ["1", "2", "5", "10", "20", "50", "100"]);
        let short = Scale::fitting(true, true, &[300.0, 400.0], 8, |_| true);
        assert_eq!(texts(&short), ["300", "320", "340", "360", "380", "400"]);
        let wide = Scale::new(true, true, &[1.0, 3e12], 20);
        assert_eq!(wide.place(1.0), Some(0.0));
        let tenths = Scale::new(true, false, &[0.02, 0.3], 6);
        assert_eq!(texts(&tenths), ["0.02", "0.05", "0.1", "0.2", "0.5"]);
    }

    #[test]
    fn fewer_numbers_are_written_where_there_is_no_room() {
        let fits = |scale: &Scale| scale.ticks.len() <= 3;
        let scale = Scale::fitting(false, true, &[0.0, 25.0], 12, fits);
        assert_eq!(texts(&scale), ["0", "10", "20"]);
        assert_eq!(scale.place(25.0), Some(1.0));
    }

    #[test]
    fn thousands_are_separated() {
        let texts = [0.0, -1234.5, 999.0, 1e6].map(number_text);
        assert_eq!(texts, ["0", "-1,234.5", "999", "1,000,000"]);
    }
}
