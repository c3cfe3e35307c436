//! Letter box of a worker: the operators of the dataflow put parcels in and take answers out.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::{Capability, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::scheduling::Activator;
use timely::worker::Worker;

use super::parcel::{ByAddress, Parcel};

/// Parcels that came, and answers that wait.
#[derive(Default)]
pub(super) struct Mail {
    /// Parcels to be handled, with the right to answer in their step.
    pub(super) arrived: VecDeque<(Capability<u64>, Parcel)>,
    /// Answers to be sent.
    pub(super) answers: Vec<(Capability<u64>, Parcel)>,
    /// Answers that came.
    pub(super) answered: VecDeque<Parcel>,
}

/// Ends of the dataflow in a worker.
pub(super) struct MailEnds {
    pub(super) input: InputHandle<u64, NoopBuilder<Parcel>>,
    pub(super) probe: ProbeHandle<u64>,
    pub(super) mail: Rc<RefCell<Mail>>,
    /// Makes the operator send the answers.
    pub(super) activator: Activator,
}

/// Builds the dataflow: parcels go to their workers, answers back.
pub(super) fn build(worker: &mut Worker) -> MailEnds {
    let mail = Rc::new(RefCell::new(Mail::default()));
    let probe = ProbeHandle::new();
    let (input, activator) = worker.dataflow::<u64, _, _>(|scope| {
        let mut input = InputHandle::<u64, NoopBuilder<Parcel>>::new_with_builder();
        let parcels = input.to_stream(scope);
        let (inbox, answered) = (mail.clone(), mail.clone());
        let mut activator = None;
        let answers = parcels.unary::<NoopBuilder<Parcel>, _, _, _>(
            DistributorPact(|_| ByAddress),
            "parcels",
            |_, info| {
                activator = Some(scope.activator_for(info.address));
                move |input, output| {
                    let mut mail = inbox.borrow_mut();
                    input.for_each(|time, parcel| {
                        let capability = time.retain(output.output_index());
                        mail.arrived.push_back((capability, std::mem::take(parcel)));
                    });
                    for (capability, mut answer) in mail.answers.drain(..) {
                        let mut session = output.session_with_builder(&capability);
                        session.give_container(&mut answer);
                    }
                }
            },
        );
        answers
            .unary::<NoopBuilder<Parcel>, _, _, _>(
                DistributorPact(|_| ByAddress),
                "answers",
                |_, _| {
                    move |input, _| {
                        let mut mail = answered.borrow_mut();
                        input.for_each(|_, answer| {
                            mail.answered.push_back(std::mem::take(answer));
                        });
                    }
                },
            )
            .probe_with(&probe);
        (input, activator.expect("the operator was built"))
    });
    MailEnds { input, probe, mail, activator }
}
