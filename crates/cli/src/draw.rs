//! The command `draw`: a picture of a position.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use hindsight_answers::DrawAnswer;
use hindsight_core::Drawing;

use crate::analyse::Subject;
use crate::args::DrawArgs;
use crate::context::Context;
use crate::output::{Output, print_json, print_text};
use crate::shown::picture_format::PictureFormat;

/// Returns the format of an output: SVG for standard output.
fn format_of(out: &Path) -> Result<PictureFormat> {
    if out.as_os_str() == "-" {
        return Ok(PictureFormat::Svg);
    }
    let format = PictureFormat::of_ending(out);
    format.ok_or_else(|| {
        let name = out.display();
        anyhow!("'{name}' ends like no picture; end it in .svg or .png")
    })
}

pub(crate) fn run(args: &DrawArgs, context: &Context) -> Result<()> {
    let format = format_of(&args.out)?;
    let subject = Subject::named(&args.position, context)?;
    let drawing = subject.game.drawing(&subject.position);
    let mut drawing = drawing?;
    if args.flip {
        drawing = drawing.turned();
    }
    let position = subject.game.format(&subject.position);
    let position = position?;
    let title = format!("{}: {position}", subject.game.spec());
    let last = args.last.as_deref().unwrap_or_default();
    if !hindsight_draw::names_a_place(&drawing, last) && args.last.is_some() {
        bail!("'{last}' names no square and no fence of this board (--last)");
    }
    let picture = hindsight_draw::picture(&drawing, &title, last);
    if format == PictureFormat::Png {
        context.check_rest(png_memory(&drawing, args.scale))?;
    }
    let bytes = format.bytes(&picture, args.scale.into())?;
    let mut file = Output::file_or_stream(&args.out, context.force)?;
    let is_stdout = file.is_stdout();
    file.write_all(&bytes)?;
    file.finish()?;
    if is_stdout {
        return Ok(());
    }
    let answer = DrawAnswer {
        game: subject.game.spec().to_string(),
        position,
        out: args.out.display().to_string(),
    };
    if context.json {
        print_json(&answer)
    } else {
        print_text(&format!("{}: {title}\n", answer.out))
    }
}

#[cfg(feature = "png")]
fn png_memory(drawing: &Drawing, scale: u16) -> u64 {
    hindsight_draw::png_memory(drawing, scale.into())
}

#[cfg(not(feature = "png"))]
fn png_memory(_: &Drawing, _: u16) -> u64 {
    0
}
