//! Lines of a file or of standard input, as they come.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Builder;

use anyhow::{Context as _, Result, bail};

use crate::output::is_stdout_file;

/// Most bytes of a line. The longest position, on 64 squares with own cards, has fewer.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 14;

/// Bytes that are read at once.
const BLOCK_BYTES: usize = 1 << 16;

/// Most blocks that wait to be cut into lines.
const WAITING_BLOCKS: usize = 16;

/// Input that is not yet read, checked by [`OpenInput::open`].
#[derive(Debug)]
pub(crate) struct OpenInput {
    file: File,
    /// Path as the user typed it.
    path: PathBuf,
}

impl OpenInput {
    /// Opens a file, a pipe, a device or, as `-`, standard input. Opening a named pipe waits for
    /// its writer.
    ///
    /// # Errors
    /// When there is no such file, when it is a folder or the file to which the answer goes, or
    /// when it cannot be read.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = if path == Path::new("-") {
            io::stdin().as_fd().try_clone_to_owned().map(File::from)
        } else {
            File::open(path)
        };
        let file = match file {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                bail!("there is no file '{}'", path.display())
            }
            file => file.with_context(|| cannot_read(path))?,
        };
        let metadata = file.metadata().with_context(|| cannot_read(path))?;
        if metadata.is_dir() {
            bail!("{} is a folder; name a file", name(path));
        }
        if metadata.is_file() && is_stdout_file(&metadata) {
            bail!("{} is also the file to which the answer goes", name(path));
        }
        Ok(Self { file, path: path.to_owned() })
    }

    /// Starts a thread that reads ahead, about a mebibyte at most.
    ///
    /// # Errors
    /// When the thread cannot be made.
    pub(crate) fn lines(self) -> Result<LineReader> {
        let (sender, blocks) = sync_channel(WAITING_BLOCKS);
        let Self { file, path } = self;
        let thread = Builder::new().name(String::from("input"));
        thread.spawn(move || read_blocks(file, &sender)).context("cannot make a thread")?;
        Ok(LineReader { path, blocks, block: Vec::new(), next: 0, line: Vec::new(), number: 0 })
    }
}

/// Name of an input in messages.
fn name(path: &Path) -> String {
    if path == Path::new("-") {
        String::from("standard input")
    } else {
        format!("'{}'", path.display())
    }
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", name(path))
}

/// Sends a file in blocks, until its end, an error, or the end of the receiver.
fn read_blocks(mut file: File, sender: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut block = vec![0; BLOCK_BYTES];
        let read = match file.read(&mut block) {
            Ok(0) => return,
            Ok(length) => {
                block.truncate(length);
                Ok(block)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let is_error = read.is_err();
        if sender.send(read).is_err() || is_error {
            return;
        }
    }
}

/// A line without its end, which is `\n`, `\r\n` or the end of the input.
#[derive(Debug)]
pub(crate) struct InputLine {
    /// Number of the line, from 1.
    pub(crate) number: u64,
    /// Bytes of the line; of one that is too long, the first [`MAX_LINE_BYTES`] and one more.
    bytes: Vec<u8>,
}

impl InputLine {
    /// Returns the text; of the first line without its byte order mark.
    ///
    /// # Errors
    /// The fault of a line that is too long, that is no text, or that is empty.
    pub(crate) fn text(&self) -> Result<&str, String> {
        if self.bytes.len() > MAX_LINE_BYTES {
            return Err(format!("the line has more than {MAX_LINE_BYTES} bytes"));
        }
        let Ok(text) = std::str::from_utf8(&self.bytes) else {
            return Err(String::from("the line is no text in UTF-8"));
        };
        let text = match self.number {
            1 => crate::inputs::input::strip_byte_order_mark(text),
            _ => text,
        };
        if text.is_empty() {
            Err(String::from("the line is empty; a line has a position"))
        } else {
            Ok(text)
        }
    }
}

/// Lines of an input, in bounded memory.
#[derive(Debug)]
pub(crate) struct LineReader {
    path: PathBuf,
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Vec<u8>,
    /// First byte of the block that is not yet in a line.
    next: usize,
    /// Beginning of the current line, from earlier blocks.
    line: Vec<u8>,
    /// Number of complete lines.
    number: u64,
}

impl LineReader {
    /// Returns the next lines, none at the end of the input. Waits for the first line only, and
    /// returns at most `max` lines.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub(crate) fn next_lines(&mut self, max: usize) -> Result<Vec<InputLine>> {
        let mut lines = Vec::new();
        while lines.len() < max {
            if self.next < self.block.len() {
                lines.extend(self.cut_line());
                continue;
            }
            let block = if lines.is_empty() {
                self.blocks.recv().ok()
            } else {
                match self.blocks.try_recv() {
                    Ok(block) => Some(block),
                    Err(_) => break,
                }
            };
            let Some(block) = block else {
                // The last line may have no line break.
                lines.extend((!self.line.is_empty()).then(|| self.complete_line()));
                break;
            };
            self.block = block.with_context(|| cannot_read(&self.path))?;
            self.next = 0;
        }
        Ok(lines)
    }

    /// Moves bytes of the block to the line; returns it if they complete it.
    fn cut_line(&mut self) -> Option<InputLine> {
        let rest = &self.block[self.next..];
        let end = rest.iter().position(|&byte| byte == b'\n');
        let bytes = &rest[..end.unwrap_or(rest.len())];
        // One byte more than a line may have, and `\r`.
        let room = (MAX_LINE_BYTES + 2).saturating_sub(self.line.len());
        self.line.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.next += bytes.len() + usize::from(end.is_some());
        end.map(|_| self.complete_line())
    }

    fn complete_line(&mut self) -> InputLine {
        let mut bytes = std::mem::take(&mut self.line);
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        self.number += 1;
        InputLine { number: self.number, bytes }
    }
}
