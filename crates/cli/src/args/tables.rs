use std::path::PathBuf;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight info q552.table
  hindsight info q552.table --json

Reads only the header, which has a checksum of its own; `hindsight verify` checks the rest.
Positions are counted as `solve` does, so the signature is the one that `solve` printed.")]
pub(crate) struct InfoArgs {
    /// A table, as `hindsight solve SPEC --out FILE` writes it
    pub(crate) file: PathBuf,
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hindsight verify q552.table
  hindsight verify q552.table --threads 8 --memory 32G
  hindsight verify q552.table --json

Checks every checksum, recomputes the value of every position from those of its successors,
and compares what the header says with what is there. A layer and those it leads to are in
memory meanwhile, a byte a rank. Symmetric positions are checked once.
Exit code 0: all is well; 1: a fault was found, be it that the file is cut, or no table at
all; 2: there is no such file, or the check could not be done.")]
pub(crate) struct VerifyArgs {
    /// The table to check
    pub(crate) file: PathBuf,
}
