//! Messages between workers.

use std::io::Write;
use std::ops::Deref;

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};

const HEAD_BYTES: usize = 24;

/// A message from one worker to another, or the answer to one.
#[derive(Clone, Default)]
pub(crate) struct Parcel {
    /// `None` in an empty parcel, which is never sent.
    pub(crate) head: Option<ParcelHead>,
    pub(crate) body: ParcelBody,
}

/// Address of a parcel, and what it is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ParcelHead {
    pub(crate) to: u32,
    pub(crate) from: u32,
    /// Meaning of the body, known to the step.
    pub(crate) kind: u32,
    /// Length of the body; in an answer, the length of the body that is answered.
    pub(crate) length: u32,
    /// Number by which the sender knows the answer.
    pub(crate) tag: u64,
}

/// Bytes of a parcel, made here or received.
#[derive(Clone)]
pub(crate) enum ParcelBody {
    Own(Vec<u8>),
    Received(Bytes),
}

impl Default for ParcelBody {
    fn default() -> Self {
        Self::Own(Vec::new())
    }
}

impl Deref for ParcelBody {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Own(bytes) => bytes,
            Self::Received(bytes) => bytes,
        }
    }
}

impl Accountable for Parcel {
    fn record_count(&self) -> i64 {
        self.head.is_some().into()
    }
}

impl ContainerBytes for Parcel {
    fn from_bytes(mut bytes: Bytes) -> Self {
        let head = bytes.extract_to(HEAD_BYTES.min(bytes.len()));
        let number = |i: usize| head.get(i..i + 4).map_or(0, le_u32);
        let length = number(12);
        let body_bytes = number(16) as usize;
        let body = bytes.extract_to(body_bytes.min(bytes.len()));
        Self {
            head: Some(ParcelHead {
                to: number(0),
                from: number(4),
                kind: number(8) & 0xFF,
                length,
                tag: u64::from(number(8) >> 8) << 32 | u64::from(number(20)),
            }),
            body: ParcelBody::Received(body),
        }
    }

    fn length_in_bytes(&self) -> usize {
        (HEAD_BYTES + self.body.len()).next_multiple_of(8)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let head = self.head.expect("an empty parcel is never sent");
        let mut bytes = [0; HEAD_BYTES];
        let numbers = [
            head.to,
            head.from,
            head.kind | ((head.tag >> 32) as u32) << 8,
            head.length,
            self.body.len() as u32,
            head.tag as u32,
        ];
        for (bytes, number) in bytes.chunks_exact_mut(4).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        let padding = self.length_in_bytes() - HEAD_BYTES - self.body.len();
        let parts: [&[u8]; 3] = [&bytes, &self.body, &[0; 8][..padding]];
        for part in parts {
            writer.write_all(part).expect("the engine made room");
        }
    }
}

fn le_u32(bytes: &[u8]) -> u32 {
    bytes.try_into().map_or(0, u32::from_le_bytes)
}

/// Sends each parcel to its worker.
pub(crate) struct ByAddress;

impl Distributor<Parcel> for ByAddress {
    fn partition<T: Clone, P: Push<Message<T, Parcel>>>(
        &mut self,
        parcel: &mut Parcel,
        time: &T,
        workers: &mut [P],
    ) {
        if let Some(head) = parcel.head {
            Message::push_at(parcel, time.clone(), &mut workers[head.to as usize]);
        }
        *parcel = Parcel::default();
    }

    fn flush<T: Clone, P: Push<Message<T, Parcel>>>(&mut self, _: &T, _: &mut [P]) {}
}

#[cfg(test)]
mod tests {
    use timely::bytes::arc::BytesMut;
    use timely::dataflow::channels::ContainerBytes as _;

    use super::{Parcel, ParcelBody, ParcelHead};

    #[test]
    fn a_parcel_is_read_back() {
        for length in [0, 1, 7, 8, 1000] {
            let parcel = Parcel {
                head: Some(ParcelHead {
                    to: 70_000,
                    from: 3,
                    kind: 200,
                    length: 55,
                    tag: 0xAB_1234_5678,
                }),
                body: ParcelBody::Own((0..length).map(|i| i as u8).collect()),
            };
            let mut bytes = Vec::new();
            parcel.into_bytes(&mut bytes);
            assert_eq!(bytes.len(), parcel.length_in_bytes());
            let read = Parcel::from_bytes(BytesMut::from(bytes).freeze());
            assert_eq!(read.head, parcel.head);
            assert_eq!(read.body[..], parcel.body[..]);
        }
    }
}
