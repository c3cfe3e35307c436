// Barriers that axe-core finds on a page.

import axe from 'axe-core';

/**
 * A rule of axe that a page breaks.
 * @typedef {object} BrokenRule
 * @property {string} id
 * @property {string} help
 * @property {{html: string, failureSummary?: string | undefined}[]} nodes
 */

/**
 * Returns the rules that a page breaks.
 * @param {import('playwright-core').Page} page
 * @param {string[]} [only] names of the only rules that are looked at
 * @returns {Promise<BrokenRule[]>}
 */
export async function brokenRules(page, only) {
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe.source);
  return page.evaluate(async (names) => {
    const { axe } = /** @type {{axe: typeof import('axe-core')}} */ (/** @type {any} */ (window));
    const rules = { 'target-size': { enabled: true } };
    const options = names ? { runOnly: names } : { rules };
    return (await axe.run({ ...options, resultTypes: ['violations'] })).violations;
  }, only ?? null);
}

/**
 * Returns broken rules as text: each with the elements that break it, and what would be right.
 * @param {BrokenRule[]} rules
 * @returns {string}
 */
export function ruleText(rules) {
  const lines = rules.flatMap(({ id, help, nodes }) => [
    `${id}: ${help}`,
    ...nodes.flatMap(({ html, failureSummary }) => [
      `  ${html}`,
      ...(failureSummary ?? '').split('\n').filter(Boolean).map((line) => `    ${line.trim()}`),
    ]),
  ]);
  return lines.join('\n');
}
