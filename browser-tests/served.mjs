// A server of its own for each test file, and a browser that complains about everything.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

export const program = process.env.SUREFRONT_PROGRAM;
const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const STUDY = `
name = "codecs"
delta = 0.1
[[objective]]
name = "quality"
goal = "max"
variance = 0.04
[[objective]]
name = "bytes"
goal = "min"
variance = 1
[[arm]]
name = "fine"
[[arm]]
name = "coarse"
[[arm]]
name = "clumsy"
[[arm]]
name = "<img src=x onerror=alert(1)>"
`;

/// A folder with a study, served by the program.
export async function serve(options = []) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'surefront-'));
  const study = path.join(folder, 'codecs.toml');
  fs.writeFileSync(study, STUDY);
  const child = spawn(program, ['serve', folder, '--listen', '127.0.0.1:0', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => { const found = String(data).match(/http:\S+\//); if (found) resolve(found[0].slice(0, -1)); });
    child.on('exit', () => reject(new Error('the server ended')));
  });
  const tell = (...words) => execFileSync(program, ['tell', study, ...words]);
  const fill = (rounds = 4) => {
    const rows = ['arm,quality,bytes'];
    for (let turn = 0; turn < rounds; turn += 1) {
      [['fine', 3, 9], ['coarse', 1, 2], ['clumsy', 0.5, 8], ['"<img src=x onerror=alert(1)>"', 2.9, 8.8]].forEach(([arm, quality, bytes]) => {
        rows.push(`${arm},${quality + 0.1 * (turn % 3)},${bytes + 0.4 * (turn % 2)}`);
      });
    }
    fs.writeFileSync(path.join(folder, 'rows.csv'), rows.join('\n') + '\n');
    tell('--csv', path.join(folder, 'rows.csv'));
  };
  return { url, folder, tell, fill, stop: () => { child.kill(); fs.rmSync(folder, { recursive: true, force: true }); } };
}

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });

/// A page; whatever its console complains about is kept. `expected`: complaints that belong to the test.
export async function open(browser, options = {}, expected = /(?!)/) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type()) && !expected.test(message.text())) complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => { complaints.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => { if (!/^(http:\/\/127\.0\.0\.1|data:)/.test(request.url())) complaints.push(`asked for ${request.url()}`); });
  return { page, context, complaints };
}

/// What axe-core finds wrong.
export async function accessibility(page) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.map((violation) => `${violation.id}: ${violation.help}: ${violation.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

/// By how many pixels the page is wider than the window.
export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
