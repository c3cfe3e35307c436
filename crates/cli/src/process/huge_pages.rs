//! Allocator of large blocks in pages of 2 MiB. Without memory, the process ends with one line and
//! the exit code of a failure.
//!
//! Solvers read tables of many megabytes at random; with pages of 4 KiB nearly every read also
//! walks the page table. Measured gain: 8 % of the time of `solve onitama:4x3:boar`
//! (`runs/2026-11-21-xeon-2c`).

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use hindsight_bots::kill_bots;

use crate::process::temporary::remove_temporaries;

/// Bytes from which a block is worth a system call.
const LARGE_BLOCK: usize = 1 << 22;

/// The system's allocator, with huge pages requested for large blocks.
#[derive(Debug)]
pub struct HugePages;

/// Requests huge pages for a block of at least [`LARGE_BLOCK`] bytes.
fn advise(block: *mut u8, size: usize) {
    const PAGE: usize = 4096;
    if size >= LARGE_BLOCK {
        let first = block.addr().next_multiple_of(PAGE);
        let length = (block.addr() + size).saturating_sub(first) / PAGE * PAGE;
        // SAFETY: the range lies inside a block that was just allocated, and the advice changes
        // neither its contents nor its addresses. A refusal changes nothing.
        #[cfg(target_os = "linux")]
        unsafe {
            libc::madvise(block.with_addr(first).cast(), length, libc::MADV_HUGEPAGE);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (first, length);
    }
}

/// Removes temporary files and ends the process after the system refused `bytes` bytes.
/// An allocator cannot return an error, and the standard library would end the process by a signal.
#[cold]
fn exit_out_of_memory(bytes: usize) -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if !ENDING.swap(true, Ordering::SeqCst) {
        let _ = writeln!(
            stderr(),
            "hindsight: out of memory: {bytes} bytes more were refused by the system; \
             give a smaller --memory, or more to the process (see ulimit -v)"
        );
        // The removal may itself run out of memory; then the process ends in the nested call.
        remove_temporaries();
        kill_bots();
    } else {
        // Reached by another thread, or by the removal; the pause lets the first call finish.
        thread::sleep(Duration::from_millis(100));
    }
    // SAFETY: ends the process and touches no memory of it.
    unsafe { libc::_exit(crate::process::exit::FAILURE.into()) }
}

// SAFETY: every call goes to the system's allocator unchanged; a refused block ends the process.
unsafe impl GlobalAlloc for HugePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() {
            exit_out_of_memory(layout.size());
        }
        advise(block, layout.size());
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        let block = unsafe { System.alloc_zeroed(layout) };
        if block.is_null() {
            exit_out_of_memory(layout.size());
        }
        advise(block, layout.size());
        block
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        let block = unsafe { System.realloc(block, layout, size) };
        if block.is_null() {
            exit_out_of_memory(size);
        }
        advise(block, size);
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Bytes from which a block is mapped by itself, and so returned to the system when it is freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MMAP_THRESHOLD: libc::c_int = 1 << 17;

/// Makes the allocator return freed blocks of [`MMAP_THRESHOLD`] bytes or more to the system.
/// By default glibc raises the threshold and keeps ever larger blocks, with gaps between them.
/// Measured gain: 14 % of the memory of `solve onitama:5x4:boar --solver planes`, for 0 to 14 % of
/// the time (`docs/decisions/0011-onward.md`).
pub(crate) fn return_freed_blocks() {
    // SAFETY: the call only sets a parameter of the allocator.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MMAP_THRESHOLD);
    }
}
