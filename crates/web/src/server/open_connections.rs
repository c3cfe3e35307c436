//! The open connections: their number is limited, in all and for each client.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, oneshot};

use super::request_state::RequestState;
use crate::clients::Client;

/// The open connections of a server. Where there are too many, those without a request make room,
/// the oldest of the client with the most first.
#[derive(Debug)]
pub(super) struct OpenConnections {
    most: usize,
    /// Most of a client; `None` for no limit.
    most_of_client: Option<usize>,
    open: Mutex<OpenLists>,
    /// Notified when a connection is closed, or has no request any more.
    changed: Arc<Notify>,
}

#[derive(Default, Debug)]
struct OpenLists {
    /// Connections of each client by their numbers, which grow.
    of_clients: HashMap<Client, BTreeMap<u64, ListedConnection>>,
    number: usize,
    numbered: u64,
}

#[derive(Debug)]
struct ListedConnection {
    request: RequestState,
    end: oneshot::Sender<()>,
}

/// Answer to the wish for a connection.
pub(super) enum Admission {
    /// There is room.
    Open(ConnectionPlace),
    /// The client has too many, all with requests.
    Refused,
    /// All connections have requests: one of these must end first.
    Full,
}

/// Place of a connection, given back when it is dropped.
#[derive(Debug)]
pub(super) struct ConnectionPlace {
    all: Arc<OpenConnections>,
    client: Client,
    number: u64,
    /// Message that the connection should make room.
    pub(super) should_end: oneshot::Receiver<()>,
}

impl OpenLists {
    fn of(&self, client: Client) -> usize {
        self.of_clients.get(&client).map_or(0, BTreeMap::len)
    }

    /// Ends the oldest connection of a client that has no request.
    fn end_idle_of(&mut self, client: Client) -> bool {
        let connections = self.of_clients.get(&client).into_iter().flatten();
        let idle = connections.into_iter();
        let idle = idle.filter(|(_, connection)| !connection.request.is_busy());
        let Some(number) = idle.map(|(number, _)| *number).next() else {
            return false;
        };
        if let Some(connection) = self.remove(client, number) {
            // A connection that ends by itself does not hear it.
            let _ = connection.end.send(());
        }
        true
    }

    /// Ends a connection without a request, of the client that has the most connections.
    fn end_idle(&mut self) -> bool {
        let clients = self.of_clients.iter();
        let mut clients: Vec<_> = clients.map(|(client, open)| (open.len(), *client)).collect();
        clients.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
        clients.into_iter().any(|(_, client)| self.end_idle_of(client))
    }

    fn remove(&mut self, client: Client, number: u64) -> Option<ListedConnection> {
        let connections = self.of_clients.get_mut(&client)?;
        let removed = connections.remove(&number);
        if connections.is_empty() {
            self.of_clients.remove(&client);
        }
        self.number -= usize::from(removed.is_some());
        removed
    }
}

impl OpenConnections {
    pub(super) fn new(most: usize, most_of_client: Option<usize>) -> Self {
        Self { most, most_of_client, open: Mutex::default(), changed: Arc::default() }
    }

    fn open(&self) -> MutexGuard<'_, OpenLists> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the state of a connection that may be admitted.
    pub(super) fn new_state(&self) -> RequestState {
        RequestState::new(self.changed.clone())
    }

    /// Takes a place for a connection of a client.
    pub(super) fn admit(self: &Arc<Self>, client: Client, request: &RequestState) -> Admission {
        let mut open = self.open();
        let has_many = self.most_of_client.is_some_and(|most| open.of(client) >= most);
        if has_many && !open.end_idle_of(client) {
            return Admission::Refused;
        }
        if open.number >= self.most && !open.end_idle() {
            return Admission::Full;
        }
        let (end, should_end) = oneshot::channel();
        open.number += 1;
        open.numbered += 1;
        let number = open.numbered;
        let request = request.clone();
        let connections = open.of_clients.entry(client).or_default();
        connections.insert(number, ListedConnection { request, end });
        Admission::Open(ConnectionPlace { all: self.clone(), client, number, should_end })
    }

    /// Waits until a connection is closed, or has no request any more.
    pub(super) async fn one_changed(&self) {
        self.changed.notified().await;
    }

    /// Waits until all connections are closed.
    pub(super) async fn all_closed(&self) {
        while self.open().number > 0 {
            self.one_changed().await;
        }
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.all.open().remove(self.client, self.number);
        self.all.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Version;

    use super::*;

    fn client(last: u8) -> Client {
        Client::of([203, 0, 113, last].into())
    }

    fn place(connections: &Arc<OpenConnections>, last: u8) -> ConnectionPlace {
        match connections.admit(client(last), &RequestState::default()) {
            Admission::Open(place) => place,
            _ => panic!("there is room"),
        }
    }

    fn is_ended(place: &mut ConnectionPlace) -> bool {
        place.should_end.try_recv().is_ok()
    }

    #[test]
    fn the_oldest_idle_connection_of_the_greediest_client_makes_room() {
        let connections = Arc::new(OpenConnections::new(4, None));
        let mut modest = place(&connections, 1);
        let mut greedy = [(); 3].map(|()| place(&connections, 2));
        let mut other = place(&connections, 3);
        let ended = greedy.each_mut().map(is_ended);
        assert_eq!(ended, [true, false, false]);
        assert!(!is_ended(&mut modest) && !is_ended(&mut other));
        drop(greedy);
        assert_eq!(connections.open().number, 2);
    }

    #[test]
    fn connections_with_requests_stay_and_a_client_has_its_most() {
        let connections = Arc::new(OpenConnections::new(3, Some(2)));
        let busy = RequestState::default();
        let requests = [(); 2].map(|()| busy.begin(Version::HTTP_11));
        let admit = |last| connections.admit(client(last), &busy);
        let _first = [admit(1), admit(1)];
        assert!(matches!(admit(1), Admission::Refused));
        let _second = admit(2);
        assert!(matches!(admit(3), Admission::Full));
        drop(requests);
        assert!(matches!(admit(3), Admission::Open(_)));
        assert!(matches!(admit(1), Admission::Open(_)));
    }
}
