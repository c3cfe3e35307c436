import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { AddressBar } from '../../js/state/address_bar.js';

/**
 * A window whose browser allows some writes in some time, and then throws or forgets them.
 * @param {{most?: number, period?: number, isSilent?: boolean}} [limit]
 */
function page({ most = 100, period = 30_000, isSilent = false } = {}) {
  const entries = [{ address: '?g=x', state: null }];
  const location = { pathname: '/', search: '?g=x', hash: '' };
  const times = [];
  let refused = 0;
  const write = (state, address, isNew) => {
    times.push(Date.now());
    if (times.filter((time) => time > Date.now() - period).length > most) {
      refused += 1;
      if (isSilent) return;
      throw new Error('SecurityError');
    }
    if (!isNew) entries.pop();
    entries.push({ address, state });
    const at = address.indexOf('#');
    location.search = address === '/' ? '' : at < 0 ? address : address.slice(0, at);
    location.hash = at < 0 ? '' : address.slice(at);
  };
  const history = {
    get state() { return entries.at(-1).state; },
    pushState: (state, _, address) => write(state, address, true),
    replaceState: (state, _, address) => write(state, address, false),
  };
  return { history, location, entries, get refused() { return refused; } };
}

const last = ({ entries }) => entries.at(-1).address;

for (const limit of [
  { most: 100, period: 30_000 }, { most: 100, period: 10_000 }, { most: 200, period: 10_000, isSilent: true },
]) {
  test(`a held key stays below ${JSON.stringify(limit)}, and its last address is written`, () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const browser = page(limit);
    const bar = new AddressBar(browser);
    for (let ply = 1; ply <= 3000; ply += 1) {
      bar.write(`?g=x#at=0.${ply}`, false);
      assert.equal(bar.address, `?g=x#at=0.${ply}`);
      mock.timers.tick(33);
    }
    mock.timers.tick(1000);
    assert.equal(last(browser), '?g=x#at=0.3000');
    assert.equal(browser.refused, 0);
    assert.equal(browser.entries.length, 1);
    mock.timers.reset();
  });
}

test('a browser that allows less is asked again, whether it throws or forgets', () => {
  for (const isSilent of [false, true]) {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const browser = page({ most: 5, period: 20_000, isSilent });
    const bar = new AddressBar(browser);
    for (let ply = 1; ply <= 30; ply += 1) bar.write(`?g=x&m=${ply}`, true);
    assert.equal(bar.address, '?g=x&m=30');
    assert.equal(last(browser), '?g=x&m=5');
    mock.timers.tick(60_000);
    assert.equal(last(browser), '?g=x&m=30');
    assert.equal(browser.entries.length, 7, 'the back button returns to what was written before');
    mock.timers.reset();
  }
});

test('an address that waits is written when the page is left, and forgotten when the person goes back', () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const browser = page();
  const bar = new AddressBar(browser);
  for (let ply = 1; ply <= 50; ply += 1) bar.write(`?g=x&m=${ply}`, false);
  assert.notEqual(last(browser), '?g=x&m=50');
  bar.leave();
  assert.equal(last(browser), '?g=x&m=50');
  bar.write('?g=x&m=51', true);
  bar.forget();
  assert.equal(bar.address, '?g=x&m=50');
  mock.timers.tick(60_000);
  assert.equal(last(browser), '?g=x&m=50');
  mock.timers.reset();
});

test('an address that is too long for browsers is told, and the next one is written', () => {
  const browser = page();
  const bar = new AddressBar(browser);
  const long = `?g=x#c=0.0~${'a'.repeat(2 ** 21)}`;
  assert.equal(bar.write(long, true), false);
  assert.equal(bar.address, long);
  assert.equal(last(browser), '?g=x');
  assert.equal(bar.write('', true), true);
  assert.equal(last(browser), '/');
  assert.equal(bar.address, '');
});
