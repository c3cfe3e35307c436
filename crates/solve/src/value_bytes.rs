//! Values as bytes of a checkpoint.

use hindsight_core::Value;
use hindsight_engine::Palette;
use hindsight_engine::checkpoint::Damage;
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};

/// Appends a value: 0 for a draw, `1 + 2 * n` for `Loss(n)`, `2 + 2 * n` for `Win(n)`.
pub fn put_value(out: &mut Vec<u8>, value: Value) {
    let number = match value {
        Value::Draw => 0,
        Value::Loss(plies) => 1 + 2 * u64::from(plies),
        Value::Win(plies) => 2 + 2 * u64::from(plies),
    };
    put_varint(out, number);
}

/// Reads the bytes of [`put_value`].
///
/// # Errors
/// [`Damage`] if they are none.
pub fn take_value(cursor: &mut Cursor<'_>) -> Result<Value, Damage> {
    let Some(number) = cursor.varint()?.checked_sub(1) else {
        return Ok(Value::Draw);
    };
    // A win steps back to a loss a ply longer, which must be a value too.
    let plies = u16::try_from(number / 2).ok().filter(|&n| n < u16::MAX);
    let plies = plies.ok_or_else(|| cursor.fail("a value of more than 65,534 plies"))?;
    Ok(if number % 2 == 0 { Value::Loss(plies) } else { Value::Win(plies) })
}

/// Appends a palette: the number of its codes, then a byte and a value each.
pub fn put_palette(out: &mut Vec<u8>, palette: &Palette) {
    put_varint(out, palette.len() as u64);
    for value in palette {
        out.push(value.is_some().into());
        if let Some(value) = *value {
            put_value(out, value);
        }
    }
}

/// Reads the bytes of [`put_palette`].
///
/// # Errors
/// [`Damage`] if they are none.
pub fn take_palette(cursor: &mut Cursor<'_>) -> Result<Palette, Damage> {
    let count = cursor.count()?;
    if count > 256 {
        return Err(cursor.fail("too many codes"));
    }
    let value = |cursor: &mut Cursor<'_>| match cursor.byte()? {
        0 => Ok(None),
        _ => take_value(cursor).map(Some),
    };
    (0..count).map(|_| value(cursor)).collect()
}

#[cfg(test)]
mod tests {
    use hindsight_core::Value;
    use hindsight_engine::checkpoint::bytes::Cursor;

    use super::{put_value, take_value};

    #[test]
    fn values_are_read_back() {
        for value in [
            Value::Draw,
            Value::Loss(0),
            Value::Win(1),
            Value::Loss(u16::MAX - 1),
            Value::Win(u16::MAX - 1),
        ] {
            let mut bytes = Vec::new();
            put_value(&mut bytes, value);
            let mut cursor = Cursor::new(&bytes, "a test");
            assert_eq!(take_value(&mut cursor), Ok(value));
            cursor.end().expect("nothing left");
        }
        let mut bytes = Vec::new();
        put_value(&mut bytes, Value::Loss(u16::MAX));
        assert!(take_value(&mut Cursor::new(&bytes, "a test")).is_err());
    }
}
