//! Large blocks of memory: in pages of two megabytes, and given back when they are freed. Where there is no
//! memory left the process ends with one line and the exit code of a failure.
//!
//! Solvers read tables of many megabytes at random; with pages of four kilobytes every read also looks
//! up where its page is. Measured gain: 8 % of the time of `solve onitama:4x3:boar`
//! (`runs/2026-11-21-xeon-2c`).

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::temporary::remove_temporaries;

/// Blocks from this size on are worth a system call.
const LARGE_BLOCK: usize = 1 << 22;

/// The system's allocator, which asks for huge pages under large blocks.
pub(crate) struct HugePages;

fn advise(block: *mut u8, size: usize) {
    const PAGE: usize = 4096;
    if size >= LARGE_BLOCK {
        let first = block.addr().next_multiple_of(PAGE);
        let length = (block.addr() + size).saturating_sub(first) / PAGE * PAGE;
        // SAFETY: the range lies inside a block that was just allocated, and the advice changes neither
        // its contents nor its addresses. A refusal changes nothing.
        #[cfg(target_os = "linux")]
        unsafe {
            libc::madvise(block.with_addr(first).cast(), length, libc::MADV_HUGEPAGE);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (first, length);
    }
}

/// Ends the process where a block of memory cannot be had, after removing its temporary files. An error
/// cannot be handed on from here, and the standard library would end the process by a signal.
#[cold]
fn exit_out_of_memory(bytes: usize) -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if !ENDING.swap(true, Ordering::SeqCst) {
        let _ = writeln!(
            stderr(),
            "hindsight: out of memory: {bytes} bytes more were refused by the system; \
             give a smaller --memory, or more to the process (see ulimit -v)"
        );
        // It may need memory itself; then the process ends below, by the next call.
        remove_temporaries();
    } else {
        // Another thread, or the sweep itself.
        thread::sleep(Duration::from_millis(100));
    }
    // SAFETY: ends the process and touches no memory of it.
    unsafe { libc::_exit(crate::exit::FAILURE.into()) }
}

// SAFETY: every call is handed to the system's allocator unchanged, and a block that it does not give ends
// the process.
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

/// Blocks of this size or more.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MMAP_THRESHOLD: libc::c_int = 1 << 17;

/// Makes a solve that allocates and frees blocks of all sizes take no more memory than is in use: else glibc keeps ever larger ones, with
/// gaps between them. Measured gain: 14 % of the
/// memory of `solve onitama:5x4:boar --solver planes`, for 0 to 14 % of the time (`docs/decisions/0011-onward.md`).
pub(crate) fn return_freed_blocks() {
    // SAFETY: sets a number that the allocator reads.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MMAP_THRESHOLD);
    }
}
