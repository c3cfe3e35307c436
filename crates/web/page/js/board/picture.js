// The board as a picture of its own: SVG that needs no style sheet, and PNG.

/** Properties of shapes, with the values that need no word. */
const SHAPE = {
  fill: 'rgb(0, 0, 0)', stroke: 'none', 'stroke-width': '1px', 'stroke-linecap': 'butt', 'stroke-linejoin': 'miter',
  'stroke-dasharray': 'none', opacity: '1', 'font-family': '', 'font-size': '16px', 'font-weight': '400',
  'text-anchor': 'start',
};
/** Parts that are no part of the position. */
const ASIDE = '.targets, .exits, .arrows, .ghost';

/**
 * Returns the text of an SVG file.
 * @param {SVGSVGElement} svg
 */
export function svgText(svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const shown = [...svg.querySelectorAll('*')];
  [...copy.querySelectorAll('*')].forEach((element, index) => {
    const style = getComputedStyle(/** @type {Element} */ (shown[index]));
    for (const { name } of [...element.attributes]) {
      if (/^(class|role|tabindex|style|aria-|data-)/.test(name)) element.removeAttribute(name);
    }
    for (const [name, usual] of Object.entries(element.tagName === 'g' ? { opacity: '1' } : SHAPE)) {
      const value = style.getPropertyValue(name);
      const isText = element.tagName === 'text' || !/^(font|text)/.test(name);
      if (isText && value !== usual) element.setAttribute(name, value);
    }
  });
  const asides = [...svg.querySelectorAll(ASIDE)].map((element) => shown.indexOf(element));
  const copies = [...copy.querySelectorAll('*')];
  asides.forEach((index) => copies[index]?.remove());
  const { x, y, width, height } = svg.viewBox.baseVal;
  const paper = document.createElementNS(svg.namespaceURI ?? '', 'rect');
  const fill = getComputedStyle(document.body).backgroundColor;
  for (const [name, value] of Object.entries({ x, y, width, height, fill })) paper.setAttribute(name, String(value));
  copy.prepend(paper);
  for (const { name } of [...copy.attributes]) if (name !== 'viewBox') copy.removeAttribute(name);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return new XMLSerializer().serializeToString(copy);
}

/**
 * Draws the text of an SVG file, two dots to a unit.
 * @param {string} text
 * @returns {Promise<Blob>}
 */
export async function pngOf(text) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * 2;
  canvas.height = image.naturalHeight * 2;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser made no picture'))));
  });
}
