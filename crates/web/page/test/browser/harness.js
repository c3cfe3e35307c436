// A server and a browser for the tests of a file. A test gets a page of its own and fails on any
// error of the page and on any request to another server.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, test } from 'node:test';
import { brokenRules, ruleText } from './accessibility.js';
import { launchBrowser } from './browser.js';
import { TARGET, startServer } from './server.js';

const SCREENSHOTS = resolve(TARGET, 'page-screenshots');

/** Most milliseconds that a step of a test waits for the page. */
const PATIENCE = 30_000;

/** Rules of axe-core that are about colours. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** @type {Record<string, import('playwright-core').BrowserContextOptions>} */
const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};

/**
 * Starts a server and a browser, which end after the tests of the file.
 * @param {...string} sources tables and specs that are served by name
 */
export async function openExplorer(...sources) {
  const server = await startServer(sources);
  const browser = await launchBrowser();
  const explorer = new Explorer(browser, server);
  after(() => explorer.stopServer());
  after(() => browser.close());
  return explorer;
}

/** The explorer in a browser. */
class Explorer {
  /**
   * @param {import('playwright-core').Browser} browser
   * @param {import('./server.js').RunningServer} server
   */
  constructor(browser, server) {
    this.browser = browser;
    this.server = server;
    this.address = server.address;
  }

  async stopServer() {
    await this.server.stop();
  }

  /** Starts the server again at the same address. */
  async restartServer() {
    this.server = await startServer([], new URL(this.address).port);
  }

  /**
   * Tests with a mouse on 1280 x 800 pixels.
   * @param {string} name
   * @param {(view: View) => Promise<void>} steps
   */
  onDesktop(name, steps) {
    this.#test('desktop', name, steps);
  }

  /**
   * Tests by touch on 360 x 740 pixels.
   * @param {string} name
   * @param {(view: View) => Promise<void>} steps
   */
  onPhone(name, steps) {
    this.#test('phone', name, steps);
  }

  /**
   * Tests on both devices.
   * @param {string} name
   * @param {(view: View) => Promise<void>} steps
   */
  onBoth(name, steps) {
    this.onDesktop(name, steps);
    this.onPhone(name, steps);
  }

  /**
   * @param {string} device
   * @param {string} name
   * @param {(view: View) => Promise<void>} steps
   */
  #test(device, name, steps) {
    test(`${name} (${device})`, async (running) => {
      const options = { ...DEVICES[device], baseURL: this.address };
      const context = await this.browser.newContext({ ...options, reducedMotion: 'reduce' });
      context.setDefaultTimeout(PATIENCE);
      const view = new View(await context.newPage(), this.address, device);
      try {
        await steps(view);
        view.assertNoFaults();
      } catch (error) {
        view.faults.forEach((fault) => running.diagnostic(fault));
        await view.screenshot(`failed-${name.replaceAll(/\W+/g, '-')}`).catch(() => {});
        throw error;
      } finally {
        await context.close();
      }
    });
  }
}

/** A page of a test. Paths such as `/?g=tic-tac-toe` are addresses of the server. */
export class View {
  /**
   * Faults that the page has made so far.
   * @type {string[]}
   */
  faults = [];
  /** @type {RegExp[]} */
  #expected = [];

  /**
   * @param {import('playwright-core').Page} page
   * @param {string} address
   * @param {string} device
   */
  constructor(page, address, device) {
    this.page = page;
    this.device = device;
    const context = page.context();
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) {
        this.faults.push(`console: ${message.text()} (${message.location().url})`);
      }
    });
    context.on('weberror', (event) => this.faults.push(`error: ${event.error().stack}`));
    context.on('request', (request) => {
      const url = request.url();
      if (![address, 'data:', 'blob:'].some((begin) => url.startsWith(begin))) {
        this.faults.push(`request outside of the server: ${url}`);
      }
    });
  }

  /**
   * Lets faults pass whose text has a pattern, such as a status that the console shows.
   * @param {RegExp} pattern
   */
  expectFault(pattern) {
    this.#expected.push(pattern);
  }

  /** Asserts that the page has made no fault but expected ones. */
  assertNoFaults() {
    const isExpected = (/** @type {string} */ fault) =>
      this.#expected.some((pattern) => pattern.test(fault));
    const faults = this.faults.filter((fault) => !isExpected(fault));
    if (faults.length > 0) {
      assert.fail(faults.join('\n'));
    }
  }

  /** Asserts that axe-core finds nothing, in the light colours and in the dark ones. */
  async assertAccessible() {
    // The elements are the same in the dark.
    for (const colorScheme of /** @type {const} */ (['dark', 'light'])) {
      await this.page.emulateMedia({ colorScheme });
      const rules = await brokenRules(this.page, colorScheme === 'dark' ? COLOR_RULES : undefined);
      if (rules.length > 0) {
        assert.fail(`axe-core in ${colorScheme} colours:\n${ruleText(rules)}`);
      }
    }
  }

  /**
   * Saves what the page shows, as `NAME-DEVICE.png` in `target/page-screenshots`; of a phone the whole page.
   * @param {string} name
   */
  async screenshot(name) {
    mkdirSync(SCREENSHOTS, { recursive: true });
    const path = resolve(SCREENSHOTS, `${name}-${this.device}.png`);
    await this.page.screenshot({ path, fullPage: this.device === 'phone' });
  }
}
