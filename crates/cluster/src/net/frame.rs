//! Frames, in which all bytes after the hellos go over a connection.
//!
//! | bytes | meaning |
//! |---|---|
//! | 4 | length of the payload, at most [`MAX_PAYLOAD`] |
//! | 4 | number of the frame in its direction, from 0, modulo 2^32 |
//! | 4 | CRC-32 of the payload |
//! | 4 | CRC-32 of the twelve bytes before |
//! | .. | the payload |
//!
//! Both sums begin with a number that belongs to the connection and the direction, so a frame of
//! another connection, or one that comes back, is damaged too. The head has a sum of its own, so
//! that nobody waits for the bytes of a length that was damaged.

use std::io::{self, IoSlice, Read, Write};
use std::ops::Range;

use crc32fast::Hasher;

/// Most bytes in a frame.
pub(super) const MAX_PAYLOAD: usize = 1 << 16;
/// Bytes before the payload.
const HEAD: usize = 16;

/// Reason why no frame could be read.
#[derive(Debug)]
pub(super) enum FrameFault {
    /// The connection has ended or failed.
    Lost,
    /// The bytes are not those that were sent.
    Damaged(String),
}

/// Maker of the frames of one direction of a connection.
#[derive(Debug)]
pub(super) struct FrameSender {
    seed: u32,
    next: u32,
    /// Bytes of frames that the connection has not taken in time. They go before all others.
    rest: Vec<u8>,
}

impl FrameSender {
    /// Begins a direction, which has the number `seed` at both ends.
    pub(super) fn new(seed: u32) -> Self {
        Self { seed, next: 0, rest: Vec::new() }
    }

    /// Sends a payload of at most [`MAX_PAYLOAD`] bytes. Returns the number of bytes of its frame.
    ///
    /// # Errors
    /// The connection does not take all. The rest is sent by the next call.
    pub(super) fn send(&mut self, payload: &[u8], out: &mut impl Write) -> io::Result<usize> {
        let mut head = [0; HEAD];
        let numbers = [payload.len() as u32, self.next, sum(self.seed, payload)];
        for (bytes, number) in head.chunks_exact_mut(4).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        let head_sum = sum(self.seed, &head[..HEAD - 4]);
        head[HEAD - 4..].copy_from_slice(&head_sum.to_le_bytes());
        self.next = self.next.wrapping_add(1);
        self.write([&head, payload], out)?;
        Ok(HEAD + payload.len())
    }

    /// Sends what the connection has not taken yet.
    ///
    /// # Errors
    /// As [`FrameSender::send`].
    pub(super) fn send_rest(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.write([&[]; 2], out)
    }

    /// Writes the rest and a frame, in one call of the system where it takes all.
    fn write(&mut self, frame: [&[u8]; 2], out: &mut impl Write) -> io::Result<()> {
        let earlier = std::mem::take(&mut self.rest);
        let mut slices = [&earlier, frame[0], frame[1]].map(IoSlice::new);
        let mut left = &mut slices[..];
        while left.iter().any(|slice| !slice.is_empty()) {
            let error = match out.write_vectored(left) {
                Ok(0) => io::ErrorKind::WriteZero.into(),
                Ok(n) => {
                    IoSlice::advance_slices(&mut left, n);
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => error,
            };
            self.rest = left.iter().flat_map(|slice| slice.iter().copied()).collect();
            return Err(error);
        }
        Ok(())
    }
}

/// Reader of the frames of one direction of a connection.
#[derive(Debug)]
pub(super) struct FrameReceiver {
    seed: u32,
    next: u32,
    /// Bytes that were read; empty until the first frame is wanted.
    buffer: Vec<u8>,
    /// Bytes of the buffer that belong to frames not taken yet.
    unread: Range<usize>,
}

impl FrameReceiver {
    /// Begins a direction, as [`FrameSender::new`].
    pub(super) fn new(seed: u32) -> Self {
        Self { seed, next: 0, buffer: Vec::new(), unread: 0..0 }
    }

    /// Waits for the next frame, and returns where its payload lies in the [`Self::bytes`].
    ///
    /// # Errors
    /// [`FrameFault`]; the connection is of no use after it.
    pub(super) fn receive(&mut self, from: &mut impl Read) -> Result<Range<usize>, FrameFault> {
        self.fill(HEAD, from)?;
        let start = self.unread.start;
        let mut numbers = [0; 4];
        for (number, bytes) in
            numbers.iter_mut().zip(self.buffer[start..start + HEAD].chunks_exact(4))
        {
            *number = bytes.try_into().map_or(0, u32::from_le_bytes);
        }
        let [length, number, payload_sum, head_sum] = numbers;
        let length = length as usize;
        if head_sum != sum(self.seed, &self.buffer[start..start + HEAD - 4]) || length > MAX_PAYLOAD
        {
            let text = format!("frame {} has no proper head", self.next);
            return Err(FrameFault::Damaged(text));
        }
        if number != self.next {
            let text = format!("frame {number} came where frame {} belongs", self.next);
            return Err(FrameFault::Damaged(text));
        }
        self.fill(HEAD + length, from)?;
        let begin = self.unread.start + HEAD;
        let payload = begin..begin + length;
        if payload_sum != sum(self.seed, &self.buffer[payload.clone()]) {
            let text = format!("frame {number} has a wrong checksum");
            return Err(FrameFault::Damaged(text));
        }
        self.next = self.next.wrapping_add(1);
        self.unread.start = payload.end;
        Ok(payload)
    }

    /// Bytes that were read; those of the frame received last are there until the next.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer
    }

    /// Reads until this number of bytes of the next frame is there.
    fn fill(&mut self, bytes: usize, from: &mut impl Read) -> Result<(), FrameFault> {
        if self.buffer.is_empty() {
            self.buffer = vec![0; 2 * (HEAD + MAX_PAYLOAD)];
        }
        while self.unread.len() < bytes {
            if self.unread.start + bytes > self.buffer.len() || self.unread.is_empty() {
                self.buffer.copy_within(self.unread.clone(), 0);
                self.unread = 0..self.unread.len();
            }
            match from.read(&mut self.buffer[self.unread.end..]) {
                Ok(0) => return Err(FrameFault::Lost),
                Ok(n) => self.unread.end += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(FrameFault::Lost),
            }
        }
        Ok(())
    }
}

fn sum(seed: u32, bytes: &[u8]) -> u32 {
    let mut hasher = Hasher::new_with_initial(seed);
    hasher.update(bytes);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use super::{FrameFault, FrameReceiver, FrameSender, HEAD, MAX_PAYLOAD};

    /// Payloads of some lengths, and the bytes of their frames.
    fn sent(seed: u32) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
        let lengths = [5, 0, MAX_PAYLOAD, 1, 1000, 16, MAX_PAYLOAD - 1];
        let payload = |length: usize| (0..length).map(|i| (i * i / 7) as u8).collect();
        let payloads: Vec<Vec<u8>> = lengths.map(payload).into();
        let mut sender = FrameSender::new(seed);
        let frames = payloads.iter().map(|payload| {
            let mut frame = Vec::new();
            let written = sender.send(payload, &mut frame).expect("memory");
            assert_eq!(written, frame.len());
            frame
        });
        let frames = frames.collect();
        (payloads, frames)
    }

    /// Reads frames until a fault.
    fn receive(seed: u32, mut bytes: &[u8]) -> (Vec<Vec<u8>>, FrameFault) {
        let (mut receiver, mut found) = (FrameReceiver::new(seed), Vec::new());
        loop {
            match receiver.receive(&mut bytes) {
                Ok(payload) => found.push(receiver.bytes()[payload].to_vec()),
                Err(fault) => return (found, fault),
            }
        }
    }

    #[test]
    fn frames_are_read_back() {
        let (payloads, frames) = sent(7);
        let (found, fault) = receive(7, &frames.concat());
        assert_eq!(found, payloads);
        assert!(matches!(fault, FrameFault::Lost));
    }

    /// Connection that takes some bytes, and no more for the time being.
    struct Narrow {
        room: usize,
        taken: Vec<u8>,
    }

    impl Write for Narrow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let length = bytes.len().min(self.room);
            if length == 0 && !bytes.is_empty() {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            self.room -= length;
            self.taken.extend_from_slice(&bytes[..length]);
            Ok(length)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn frames_stay_whole_where_a_write_ends_in_their_middle() {
        let (payloads, frames) = sent(7);
        for room in [0, 1, HEAD, HEAD + 3, frames[0].len() + 7] {
            let (mut sender, taken) = (FrameSender::new(7), Vec::new());
            let mut connection = Narrow { room, taken };
            for payload in &payloads[..2] {
                let _ = sender.send(payload, &mut connection);
            }
            assert!(sender.send_rest(&mut connection).is_err(), "{room}");
            connection.room = usize::MAX;
            sender.send_rest(&mut connection).expect("room");
            for payload in &payloads[2..] {
                sender.send(payload, &mut connection).expect("room");
            }
            let (found, fault) = receive(7, &connection.taken);
            assert_eq!(found, payloads, "{room}");
            assert!(matches!(fault, FrameFault::Lost));
        }
    }

    #[test]
    fn a_flipped_bit_is_found_before_any_byte_of_its_frame_is_used() {
        let (payloads, frames) = sent(7);
        let bytes = frames.concat();
        let mut begin = 0;
        for (i, frame) in frames.iter().enumerate() {
            let step = (frame.len() / 50).max(1);
            for at in (0..frame.len().min(40)).chain((40..frame.len()).step_by(step)) {
                let mut damaged = bytes.clone();
                damaged[begin + at] ^= 1 << (at % 8);
                let (found, fault) = receive(7, &damaged);
                assert_eq!(found, payloads[..i], "frame {i}, byte {at}");
                assert!(matches!(fault, FrameFault::Damaged(_)), "{fault:?}");
            }
            begin += frame.len();
        }
    }

    #[test]
    fn frames_that_are_lost_doubled_swapped_or_of_another_connection_are_found() {
        let (_, frames) = sent(7);
        let mut lost = frames.clone();
        lost.remove(1);
        let mut doubled = frames.clone();
        doubled.insert(2, frames[1].clone());
        let mut swapped = frames.clone();
        swapped.swap(2, 3);
        let mut cut = frames.clone();
        cut[4].drain(HEAD + 3..HEAD + 9);
        for damaged in [lost, doubled, swapped, cut] {
            let (_, fault) = receive(7, &damaged.concat());
            assert!(matches!(fault, FrameFault::Damaged(_)), "{fault:?}");
        }
        let (found, fault) = receive(8, &frames.concat());
        assert!(found.is_empty() && matches!(fault, FrameFault::Damaged(_)));
    }
}
