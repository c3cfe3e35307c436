//! Steps of all workers together, on timely dataflow.
//!
//! A worker is a thread that owns a part of the ranks. In a step every worker sends parcels to
//! others, handles those it gets, and answers each. A step ends everywhere at once: when no worker
//! has anything more to send, and all parcels are answered. A worker advances by portions of its
//! work, and one that waits for many answers advances no further until they come. The timestamp of
//! the dataflow is the number of the step, so its progress tracking finds the end.

mod gather;
mod mail;
mod parcel;
mod post;
mod step;

pub(crate) use parcel::ParcelHead;
pub(crate) use post::Post;
pub(crate) use step::{Step, Steps};
