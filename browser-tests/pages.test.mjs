// What people see and do, in chromium.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibility, launch, open, overflow, serve } from './served.mjs';

let browser;
let house;
before(async () => { browser = await launch(); house = await serve(); house.fill(); });
after(async () => { await browser?.close(); house?.stop(); });

const samples = (page) => page.locator('dl.figures div', { hasText: 'samples' }).locator('dd').innerText();

test('a tell elsewhere appears on an open page', async () => {
  const { page, context, complaints } = await open(browser);
  await page.goto(`${house.url}/studies/codecs`);
  assert.equal(await samples(page), '16');
  await page.waitForFunction(() => document.getElementById('live').textContent === 'Live');
  house.tell('--arm', 'coarse', '1.1', '2.1');
  const begin = performance.now();
  await page.waitForFunction(() => [...document.querySelectorAll('dl.figures div')].some((div) => div.textContent.includes('samples') && div.querySelector('dd').textContent === '17'), null, { polling: 20 });
  console.log(`shown ${Math.round(performance.now() - begin)} ms after it was told`);
  assert.match(await page.locator('.log tbody tr').first().innerText(), /coarse/);
  assert.deepEqual(complaints, []);
  await context.close();
});

test('arms are named, pinned and looked at closely', async () => {
  const { page, context, complaints } = await open(browser);
  await page.goto(`${house.url}/studies/codecs`);
  const figure = page.locator('.figure[data-pair]');
  const mark = page.locator('.figure[data-pair] svg.area path', { has: page.locator('title', { hasText: 'fine' }) }).first();
  await mark.scrollIntoViewIfNeeded();
  const box = await mark.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.locator('.tip:visible').waitFor();
  assert.match(await page.locator('.tip').innerText(), /fine: quality 3\.\d+ ± .*bytes.*samples/);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.locator('#pinned:visible').waitFor();
  assert.match(await page.locator('#pinned').innerText(), /fine: /);
  assert.equal(await page.locator('.ring').count(), 1);
  assert.equal(await page.locator('tr.pinned-row').count(), 1);
  const range = () => figure.locator('svg.area').getAttribute('data-x');
  const all = await range();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.waitForFunction((before) => document.querySelector('svg.area').dataset.x !== before, all);
  await page.getByRole('button', { name: 'Show all' }).click();
  assert.equal(await range(), all);
  await page.getByRole('button', { name: 'Unpin' }).click();
  assert.equal(await page.locator('#pinned').isVisible(), false);
  // The same with the keyboard.
  await page.locator('.verdicts button.pin', { hasText: 'clumsy' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('#pinned', { hasText: 'clumsy' }).waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test('tables are sorted and filtered', async () => {
  const { page, context, complaints } = await open(browser);
  await page.goto(`${house.url}/studies/codecs`);
  const names = () => page.locator('.verdicts tbody tr:visible th').allInnerTexts();
  await page.locator('.verdicts thead').getByRole('button', { name: 'arm' }).click();
  assert.deepEqual((await names()).slice(1), ['clumsy', 'coarse', 'fine']);
  await page.locator('.verdicts thead').getByRole('button', { name: 'arm' }).click();
  assert.equal((await names())[0], 'fine');
  await page.locator('#part-verdicts input[type=search]').fill('coarse');
  assert.ok((await names()).includes('coarse'));
  assert.ok(!(await names()).includes('<img src=x onerror=alert(1)>') || (await page.locator('.verdicts').innerText()).includes('coarse'));
  assert.deepEqual(complaints, []);
  await context.close();
});

test('results are entered at the bench', async () => {
  const { page, context, complaints } = await open(browser, { viewport: { width: 820, height: 1180 }, hasTouch: true });
  await page.goto(`${house.url}/studies/codecs/measure`);
  await page.getByLabel('How many measurements?').fill('2');
  await page.getByRole('button', { name: 'Measure next' }).click();
  const card = page.locator('.tickets .card').first();
  await card.waitFor();
  const name = (await card.locator('h3').innerText()).replace(/ ticket.*/, '');
  await card.getByLabel('quality').fill('900');
  await card.getByLabel('bytes').fill('8');
  await card.getByRole('button', { name: 'Store' }).click();
  await page.getByText('standard errors of a single measurement').waitFor();
  const again = page.locator('.tickets .card', { hasText: 'This is unusual' });
  assert.equal(await again.getByLabel('quality').inputValue(), '900');
  await again.getByLabel('quality').fill('2.9');
  await again.getByLabel('It is right').check();
  await again.getByRole('button', { name: 'Store' }).click();
  await page.getByText('Stored as observation').waitFor();
  const other = page.locator('.tickets .card').first();
  await other.getByText('There is no result').click();
  await other.getByLabel('Why?').fill('spilt');
  await other.getByRole('button', { name: 'Close ticket' }).click();
  await page.getByText('is closed without a result').waitFor();
  await page.setInputFiles('#file', { name: 'r.csv', mimeType: 'text/csv', buffer: Buffer.from('arm,quality,bytes\nfine,3,9\n') });
  await page.getByRole('button', { name: 'Store all rows' }).click();
  await page.getByText('1 observation stored from the file').waitFor();
  await page.goto(`${house.url}/studies/codecs/log`);
  await page.locator('summary', { hasText: 'Take back' }).first().click();
  await page.getByLabel('Why?').first().fill('the wrong arm');
  await page.getByRole('button', { name: /Take back observation/ }).first().click();
  await page.getByText('the wrong arm').waitFor();
  assert.ok(name.length > 0);
  assert.deepEqual(complaints, []);
  await context.close();
});

test('a study is made', async () => {
  const { page, context, complaints } = await open(browser);
  await page.goto(`${house.url}/new`);
  await page.getByLabel('Short name').fill('made-here');
  await page.locator('#objective0').fill('speed');
  await page.locator('#noise0').selectOption('variance');
  await page.locator('#variance0').fill('1');
  await page.locator('#arms').fill('slow; 1\nfast; 3');
  await page.getByRole('button', { name: 'What will it take?' }).click();
  await page.getByText('the front is fast').waitFor();
  assert.equal(await page.locator('#variance0').inputValue(), '1');
  await page.getByRole('button', { name: 'Make the study' }).click();
  await page.waitForURL('**/studies/made-here');
  await page.getByText('Nothing has been measured yet.').first().waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test('nobody gets in without a token', async () => {
  const { writeFileSync } = await import('node:fs');
  const file = `${house.folder}/tokens`;
  writeFileSync(file, 'read only-to-look-0123456\nwrite may-write-0123456789\n');
  const guarded = await serve(['--token-file', file]);
  const { page, context, complaints } = await open(browser, {}, /403/);
  try {
    await page.goto(`${guarded.url}/studies/codecs`);
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('This token is not one of this server').waitFor();
    await page.getByLabel('Token').fill('may-write-0123456789');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL('**/studies/codecs');
    const [cookie] = await context.cookies();
    assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, 'Strict']);
    assert.equal(await page.evaluate(() => document.cookie), '');
    await page.goto(`${guarded.url}/`);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL('**/login');
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
    guarded.stop();
  }
});

const PAGES = ['/', '/studies/codecs', '/studies/codecs/measure', '/studies/codecs/log', '/studies/codecs/worklist', '/new', '/login', '/studies/none'];
const LOOKS = [
  ['desktop', { viewport: { width: 1280, height: 900 } }],
  ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
  ['dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
];
for (const [look, options] of LOOKS) {
  test(`every page is accessible and fits: ${look}`, async () => {
    const { page, context, complaints } = await open(browser, options, /404/);
    for (const path of PAGES) {
      await page.goto(house.url + path);
      assert.deepEqual(await accessibility(page), [], `${path} (${look})`);
      assert.ok(await overflow(page) <= 0, `${path} is ${await overflow(page)} pixels too wide (${look})`);
      if (process.env.SCREENS) await page.screenshot({ path: `${process.env.SCREENS}/${look}${path.replaceAll('/', '-')}.png`, fullPage: true });
    }
    assert.deepEqual(complaints, []);
    await context.close();
  });
}

test('pages can be read without script, and printed', async () => {
  const { page, context, complaints } = await open(browser, { javaScriptEnabled: false });
  await page.goto(`${house.url}/studies/codecs`);
  for (const heading of ['The front', 'Evidence', 'Samples per arm', 'Why', 'What was measured', 'What was measured last', 'Settings']) {
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  }
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('nav').isVisible(), false);
  if (process.env.SCREENS) await page.pdf({ path: `${process.env.SCREENS}/study.pdf`, format: 'A4' });
  assert.deepEqual(complaints, []);
  await context.close();
});
