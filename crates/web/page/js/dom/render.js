// Elements from descriptions. An element that is described again is changed in place, so that it keeps its
// focus and its scroll position.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @typedef {object} Description
 * @property {string} tag
 * @property {Record<string, any>} props
 * @property {(Description | string)[]} children
 */

/** @typedef {Description | string | number | null | undefined | false | Child[]} Child */

/** @typedef {Element & {described?: Description, parts?: (Description | string)[]}} Described */

/**
 * Describes an element. Props are attributes, handlers such as `onclick`, the properties `value` and `checked`,
 * or the style `minWidth`. Null and false leave an attribute out. A button that is `disabled` keeps the focus. `key` tells siblings apart. `created` is called
 * once with the element.
 * @param {string} tag
 * @param {Record<string, any> | null} [props]
 * @param {...Child} children
 * @returns {Description}
 */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children: flat(children) };
}

/**
 * Describes a spec or a move that may go on in a new line after a colon or a comma.
 * @param {string} text
 */
export function breakable(text) {
  return text.split(/(?<=[:,])/).map((part) => [part, h('wbr')]);
}

/**
 * Makes the children of an element as they are described.
 * @param {Element} root
 * @param {...Child} children
 */
export function render(root, ...children) {
  setChildren(/** @type {Described} */ (root), flat(children), root.namespaceURI === SVG);
  for (const element of newElements.splice(0)) element.described?.props.created(element);
}

/**
 * Lets clicks on buttons that are off do nothing.
 * @param {Element} root
 */
export function stopOffButtons(root) {
  root.addEventListener('click', (event) => {
    if (!(/** @type {Element} */ (event.target).closest('button[aria-disabled]'))) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
}

/** Elements whose `created` is to be called once they are on the page. @type {Described[]} */
const newElements = [];

/**
 * @param {Child[]} children
 * @returns {(Description | string)[]}
 */
function flat(children) {
  /** @type {(Description | string)[]} */
  const out = [];
  for (const child of children) {
    if (Array.isArray(child)) out.push(...flat(child));
    else if (typeof child === 'number') out.push(String(child));
    else if (child) out.push(child);
  }
  return out;
}

/**
 * @param {Described} parent
 * @param {(Description | string)[]} children
 * @param {boolean} isSvg
 */
function setChildren(parent, children, isSvg) {
  const kept = keptNodes(parent);
  const nodes = children.map((child) => takeNode(kept, child, isSvg));
  // What is not described any more goes first: a node that is moved loses the focus.
  for (const old of kept.values()) old.forEach((node) => node.remove());
  /** @type {ChildNode | null} */
  let at = parent.firstChild;
  for (const node of nodes) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
}

/**
 * Returns the children of an element by key, and in order those of each tag without one.
 * @param {Described} parent
 */
function keptNodes(parent) {
  /** @type {Map<string, ChildNode[]>} */
  const kept = new Map();
  for (const node of parent.childNodes) {
    const described = /** @type {Described} */ (/** @type {unknown} */ (node)).described;
    const name = described ? nameOf(described) : '#text';
    const nodes = kept.get(name);
    if (nodes) nodes.push(node);
    else kept.set(name, [node]);
  }
  return kept;
}

/** @param {Description} description */
function nameOf({ tag, props }) {
  return props.key === undefined ? tag : `${tag} ${props.key}`;
}

/**
 * @param {Map<string, ChildNode[]>} kept
 * @param {Description | string} child
 * @param {boolean} isSvg
 * @returns {ChildNode}
 */
function takeNode(kept, child, isSvg) {
  if (typeof child === 'string') {
    const text = kept.get('#text')?.shift() ?? document.createTextNode(child);
    if (text.nodeValue !== child) text.nodeValue = child;
    return text;
  }
  const inSvg = isSvg || child.tag === 'svg';
  const old = /** @type {Described | undefined} */ (
    /** @type {unknown} */ (kept.get(nameOf(child))?.shift())
  );
  const element = old ?? createElement(child.tag, inSvg);
  setProps(element, old?.described?.props ?? {}, child.props);
  element.described = child;
  if (!child.props.keeps) setChildren(element, child.children, inSvg && child.tag !== 'foreignObject');
  // The chosen option is known once the options are there.
  if (child.tag === 'select' && 'value' in child.props) setProp(element, 'value', child.props.value);
  if (!old && child.props.created) newElements.push(element);
  return element;
}

/**
 * @param {string} tag
 * @param {boolean} isSvg
 * @returns {Described}
 */
function createElement(tag, isSvg) {
  return isSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
}

/**
 * @param {Described} element
 * @param {Record<string, any>} before
 * @param {Record<string, any>} after
 */
function setProps(element, before, after) {
  for (const name in before) {
    if (!(name in after)) setProp(element, name, null);
  }
  for (const name in after) {
    // What a person has chosen is compared with what is described each time, but nobody is interrupted in typing.
    const isTyped = element === document.activeElement && element.matches('input:not([type]), textarea');
    const isChoice = (name === 'value' && !isTyped) || name === 'checked';
    if (after[name] !== before[name] || isChoice) setProp(element, name, after[name]);
  }
}

const NO_ATTRIBUTES = new Set(['key', 'created', 'keeps']);

/**
 * @param {Described} element
 * @param {string} name
 * @param {any} value
 */
function setProp(element, name, value) {
  if (NO_ATTRIBUTES.has(name)) return;
  if (name === 'minWidth') {
    // The security policy of the page allows styles that a module sets, not those in attributes.
    /** @type {HTMLElement} */ (/** @type {unknown} */ (element)).style.minWidth = value ?? '';
    return;
  }
  if (name === 'disabled' && element instanceof HTMLButtonElement) {
    // The property would take the focus away from a button that is off for a moment.
    setProp(element, 'aria-disabled', value ? 'true' : null);
    return;
  }
  const fields = /** @type {any} */ (element);
  const isEntry = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
    || element instanceof HTMLSelectElement;
  if (name.startsWith('on') || (isEntry && (name === 'value' || name === 'checked'))) {
    const wanted = value ?? (name.startsWith('on') ? null : '');
    if (fields[name] !== wanted) fields[name] = wanted;
  } else if (value === null || value === undefined || value === false) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? '' : String(value));
  }
}
