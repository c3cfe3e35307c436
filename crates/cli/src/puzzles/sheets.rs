//! Files of printed sheets: pages of puzzles, and pages of their solutions.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use hindsight_draw::{PUZZLES_PER_PAGE, Picture, Sheet, SheetPages};

use crate::args::PuzzlesArgs;
use crate::output::{NamedFile, Output};
use crate::shown::picture_format::PictureFormat;

const MOST_PUZZLES: usize = 1000;

/// Pixels of a PNG page for each pixel of 1/96 inch: 200 in an inch.
const PNG_SCALE: f32 = 200.0 / 96.0;

/// Form of a sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SheetForm {
    /// A file for each page.
    Svg,
    /// A file for each page.
    Png,
    /// All pages in one file.
    Pdf,
}

impl SheetForm {
    const ALL: [Self; 3] = [Self::Svg, Self::Png, Self::Pdf];

    fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
        }
    }

    fn option(self) -> &'static str {
        match self {
            Self::Svg => "--svg",
            Self::Png => "--png",
            Self::Pdf => "--pdf",
        }
    }

    /// Returns true if the program can draw the form.
    fn is_built_in(self) -> bool {
        match self {
            Self::Svg => true,
            Self::Png => cfg!(feature = "png"),
            Self::Pdf => cfg!(feature = "pdf"),
        }
    }

    /// Returns the file that the options name.
    fn file(self, args: &PuzzlesArgs) -> Option<&Path> {
        let file = match self {
            Self::Svg => &args.svg,
            Self::Png => &args.png,
            Self::Pdf => &args.pdf,
        };
        file.as_deref()
    }
}

/// Names of the files of a sheet, in the order of its pages.
pub(super) struct SheetNames {
    form: SheetForm,
    /// Pages of puzzles, or the only file.
    puzzles: Vec<PathBuf>,
    /// Pages of solutions.
    solutions: Vec<PathBuf>,
}

impl SheetNames {
    /// Returns the names of the files of all sheets that the options ask for.
    ///
    /// # Errors
    /// When a name has another ending, the form is not built in, or a sheet has too many pages.
    pub(super) fn of_options(args: &PuzzlesArgs) -> Result<Vec<Self>> {
        let mut sheets = Vec::new();
        for form in SheetForm::ALL {
            let Some(file) = form.file(args) else {
                continue;
            };
            let ending = file.extension().map(|ending| ending.to_ascii_lowercase());
            let (name, expected) = (file.display(), form.ending());
            if ending.is_none_or(|ending| ending != expected) {
                bail!("'{name}' ends like no sheet of {}; end it in .{expected}", form.option());
            }
            if !form.is_built_in() {
                return Err(crate::process::exit::not_built_in("sheets other than SVG", expected));
            }
            if args.count > MOST_PUZZLES {
                bail!("a sheet has at most {MOST_PUZZLES} puzzles (--count)");
            }
            let pages = args.count.div_ceil(PUZZLES_PER_PAGE);
            sheets.push(Self::new(form, file, pages));
        }
        Ok(sheets)
    }

    fn new(form: SheetForm, file: &Path, pages: usize) -> Self {
        if form == SheetForm::Pdf {
            return Self { form, puzzles: vec![file.to_owned()], solutions: Vec::new() };
        }
        let names = |words: &str| {
            let page = |page: usize| match pages {
                1 => page_path(file, words),
                _ => page_path(file, &format!("{words}-{page}")),
            };
            (1..=pages).map(page).collect()
        };
        Self { form, puzzles: names(""), solutions: names("-solutions") }
    }

    /// Returns the files with the option that names them.
    pub(super) fn named(&self) -> impl Iterator<Item = NamedFile<'_>> {
        let files = self.puzzles.iter().chain(&self.solutions);
        files.map(|file| NamedFile::new(self.form.option(), file))
    }

    /// Opens the files.
    ///
    /// # Errors
    /// As [`Output::file_or_stream`].
    pub(super) fn open(&self, force: bool) -> Result<SheetFiles> {
        let open = |files: &[PathBuf]| {
            let files = files.iter();
            files.map(|file| Output::file_or_stream(file, force)).collect::<Result<Vec<_>>>()
        };
        Ok(SheetFiles {
            form: self.form,
            puzzles: open(&self.puzzles)?,
            solutions: open(&self.solutions)?,
        })
    }
}

/// Returns the path of a page: the name of the file, and words before its ending.
fn page_path(file: &Path, words: &str) -> PathBuf {
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push(words);
    if let Some(ending) = file.extension() {
        name.push(".");
        name.push(ending);
    }
    file.with_file_name(name)
}

/// Files of a sheet, opened but not written yet.
pub(super) struct SheetFiles {
    form: SheetForm,
    puzzles: Vec<Output>,
    solutions: Vec<Output>,
}

impl SheetFiles {
    /// Writes the pages of a sheet, and returns the files that have one.
    ///
    /// # Errors
    /// When a page cannot be drawn or written.
    pub(super) fn write(self, sheet: &Sheet, pages: &SheetPages) -> Result<Vec<Output>> {
        if self.form == SheetForm::Pdf {
            let all: Vec<&Picture> = pages.puzzles.iter().chain(&pages.solutions).collect();
            let mut files = self.puzzles;
            let bytes = pdf(&all, &sheet.title)?;
            files.iter_mut().try_for_each(|file| file.write_all(&bytes))?;
            return Ok(files);
        }
        let puzzles = self.puzzles.into_iter().zip(&pages.puzzles);
        let solutions = self.solutions.into_iter().zip(&pages.solutions);
        let mut written = Vec::new();
        for (mut file, page) in puzzles.chain(solutions) {
            let format = match self.form {
                SheetForm::Svg => PictureFormat::Svg,
                _ => PictureFormat::Png,
            };
            file.write_all(&format.bytes(page, PNG_SCALE)?)?;
            written.push(file);
        }
        Ok(written)
    }
}

#[cfg(feature = "pdf")]
fn pdf(pages: &[&Picture], title: &str) -> Result<Vec<u8>> {
    Ok(hindsight_draw::pdf(pages, title)?)
}

#[cfg(not(feature = "pdf"))]
fn pdf(_: &[&Picture], _: &str) -> Result<Vec<u8>> {
    Err(crate::process::exit::not_built_in("sheets of PDF", "pdf"))
}
