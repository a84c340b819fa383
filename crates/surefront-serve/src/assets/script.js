// Makes pages livelier: new results appear, tables sort and filter, figures tell names and zoom. Without it, all is there to read.
'use strict';

(() => {
  const body = document.body;
  const study = body.dataset.study;
  const byId = (id) => document.getElementById(id);
  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const shown = (value) => (value === null || value === undefined ? '–' : Number(value.toPrecision(4)).toString());

  // ---- what is known, as JSON, asked for when somebody points at something
  let known = null;
  const status = () => (known ??= fetch(`/api${study}`).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null));

  // ---- what changes
  const live = byId('live');
  let loading = false;
  let again = false;

  async function refresh() {
    if (loading) { again = true; return; }
    loading = true;
    try {
      const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
      if (answer.ok) exchange(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    } catch { live.textContent = 'The server cannot be reached'; }
    loading = false;
    if (again) { again = false; setTimeout(refresh, 250); }
  }

  function exchange(page) {
    body.dataset.sequence = page.body.dataset.sequence ?? '';
    known = null;
    let changed = false;
    for (const fresh of page.querySelectorAll('[data-live]')) {
      const old = byId(fresh.id);
      if (!old || sources.get(fresh.id) === fresh.innerHTML) continue;
      // Nothing is taken away from under somebody's fingers.
      if (old.contains(document.activeElement) && document.activeElement.matches('input, textarea, select')) { again = true; continue; }
      sources.set(fresh.id, fresh.innerHTML);
      old.replaceChildren(...fresh.childNodes);
      enrich(old);
      changed = true;
    }
    if (changed) {
      live.textContent = `Updated at ${new Date().toLocaleTimeString()}`;
      showPinned();
    }
  }
  // As the server wrote it: what was made of it since is no change.
  const sources = new Map();
  for (const part of document.querySelectorAll('[data-live]')) sources.set(part.id, part.innerHTML);

  if (study && ['study', 'log'].includes(body.dataset.page)) {
    const events = new EventSource(`/api${study}/events`);
    events.addEventListener('change', (event) => {
      if (String(JSON.parse(event.data).sequence) !== body.dataset.sequence) refresh();
    });
    events.onopen = () => { live.textContent = 'Live'; };
    events.onerror = () => { live.textContent = 'Not connected: trying again'; };
  } else if (body.dataset.page === 'list') {
    setInterval(() => { if (!document.hidden) refresh(); }, 2000);
  }

  // ---- tables
  const orders = new Map();
  const filters = new Map();

  function enrichTable(table) {
    const key = table.className;
    const rows = () => [...table.tBodies[0].rows];
    table.tHead && [...table.tHead.rows[0].cells].forEach((cell, column) => {
      const button = make('button', 'sort');
      button.type = 'button';
      button.setAttribute('aria-pressed', 'false');
      button.append(...cell.childNodes);
      cell.append(button);
      button.addEventListener('click', () => {
        const before = orders.get(key);
        orders.set(key, { column, down: before?.column === column ? !before.down : false });
        sort(table, key, rows());
      });
    });
    if (orders.has(key)) sort(table, key, rows());
    const label = make('label', 'filter screen-only', 'Filter ');
    const field = make('input');
    field.type = 'search';
    field.value = filters.get(key) ?? '';
    label.append(field);
    table.parentElement.before(label);
    const filter = () => {
      filters.set(key, field.value);
      const wanted = field.value.toLowerCase();
      for (const row of rows()) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    };
    field.addEventListener('input', filter);
    if (field.value) filter();
  }

  function sort(table, key, rows) {
    const { column, down } = orders.get(key);
    const text = (row) => row.cells[column].textContent.trim();
    const number = (value) => { const found = value.replaceAll(',', '').match(/^[-−]?[\d.]+(e[-+]?\d+)?/i); return found ? Number(found[0].replace('−', '-')) : NaN; };
    rows.sort((a, b) => {
      const [x, y] = [number(text(a)), number(text(b))];
      const order = Number.isNaN(x) || Number.isNaN(y) ? text(a).localeCompare(text(b), undefined, { numeric: true }) : x - y;
      return down ? -order : order;
    });
    table.tBodies[0].append(...rows);
    [...table.tHead.rows[0].cells].forEach((cell, place) => {
      const button = cell.querySelector('.sort');
      button.classList.toggle('up', place === column && !down);
      button.classList.toggle('down', place === column && down);
      button.setAttribute('aria-pressed', String(place === column));
      if (place === column) cell.setAttribute('aria-sort', down ? 'descending' : 'ascending'); else cell.removeAttribute('aria-sort');
    });
  }

  // ---- the arm that is pinned
  let pinned = null;

  function pin(index) {
    pinned = pinned === index ? null : index;
    showPinned();
  }

  async function showPinned() {
    const panel = byId('pinned');
    if (!panel) return;
    for (const row of document.querySelectorAll('tr[data-arm]')) row.classList.toggle('pinned-row', Number(row.dataset.arm) === pinned);
    document.querySelectorAll('.ring').forEach((ring) => ring.remove());
    const now = pinned === null ? null : await status();
    const arm = now?.arms.find((known) => known.index === pinned);
    panel.hidden = !arm;
    if (!arm) return;
    const words = make('div');
    const title = make('p');
    title.append(make('strong', '', arm.name), `: ${arm.verdict}${arm.promise === 'likely' ? ' (likely)' : ''}, ${numbers(now, arm)}`);
    words.append(title, make('p', '', `${arm.reason}${arm.evidence === null ? '' : ` Evidence ${shown(arm.evidence)} of ${shown(arm.threshold)}.`}`));
    const close = make('button', 'quiet', 'Unpin');
    close.type = 'button';
    close.addEventListener('click', () => pin(pinned));
    panel.replaceChildren(words, close);
    for (const figure of document.querySelectorAll('.figure[data-pair]')) ring(figure, arm);
  }

  const numbers = (now, arm) => [...now.objectives.map((objective, j) => `${objective.name} ${shown(arm.mean[j])}${arm.se[j] === null ? '' : ` ± ${shown(arm.se[j])}`}`), `${arm.n} samples`].join(', ');

  // ---- figures
  const two = (text) => text.split(' ').map(Number);

  function frame(figure) {
    const area = figure.querySelector('svg.area');
    if (!area) return null;
    const [left, top, width, height] = area.getAttribute('viewBox').split(' ').map(Number);
    const [x, y] = [two(area.dataset.x), two(area.dataset.y)];
    // The box of an inner figure is that of what it holds; the outer one has that of its frame.
    const outer = area.ownerSVGElement;
    const around = outer.getBoundingClientRect();
    const scale = around.width / outer.viewBox.baseVal.width;
    const box = { left: around.left + left * scale, top: around.top + top * scale, width: width * scale, height: height * scale };
    return {
      area, x, y, box,
      place: (mean) => [left + width * (mean[0] - x[0]) / (x[1] - x[0]), top + height * (y[1] - mean[1]) / (y[1] - y[0])],
      value: (event) => [x[0] + (x[1] - x[0]) * (event.clientX - box.left) / box.width, y[1] - (y[1] - y[0]) * (event.clientY - box.top) / box.height],
    };
  }

  function ring(figure, arm) {
    const [across, up] = two(figure.dataset.pair);
    const seen = frame(figure);
    if (!seen || arm.mean[across] === null || arm.mean[up] === null) return;
    const [cx, cy] = seen.place([arm.mean[across], arm.mean[up]]);
    const circle = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    for (const [name, value] of Object.entries({ class: 'ring', cx, cy, r: 10 })) circle.setAttribute(name, value);
    seen.area.append(circle);
  }

  /// The arm whose mark is nearest, if it is near.
  function nearest(figure, now, event) {
    const [across, up] = two(figure.dataset.pair);
    const seen = frame(figure);
    if (!seen) return null;
    const { box } = seen;
    let best = null;
    let least = 18 * 18;
    for (const arm of now.arms) {
      if (arm.mean[across] === null || arm.mean[up] === null) continue;
      const dx = box.left + box.width * (arm.mean[across] - seen.x[0]) / (seen.x[1] - seen.x[0]) - event.clientX;
      const dy = box.top + box.height * (seen.y[1] - arm.mean[up]) / (seen.y[1] - seen.y[0]) - event.clientY;
      if (dx * dx + dy * dy < least) [best, least] = [arm, dx * dx + dy * dy];
    }
    return best;
  }

  const windows = new Map();

  async function zoomTo(figure, x, y) {
    const pair = figure.dataset.pair;
    const answer = await fetch(`${study}/plot?${new URLSearchParams({ pair, x: x.join(' '), y: y.join(' ') })}`).catch(() => null);
    if (!answer?.ok) return;
    windows.set(pair, { x, y });
    const svg = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('svg');
    figure.querySelector(':scope > svg').replaceWith(svg);
    showPinned();
  }

  function zoom(figure, factor, middle) {
    const seen = frame(figure);
    if (!seen) return;
    const at = middle ?? [(seen.x[0] + seen.x[1]) / 2, (seen.y[0] + seen.y[1]) / 2];
    const around = (range, value) => range.map((end) => value + (end - value) * factor);
    zoomTo(figure, around(seen.x, at[0]), around(seen.y, at[1]));
  }

  function enrichFigure(figure) {
    const original = figure.querySelector(':scope > svg');
    const tip = make('div', 'tip');
    tip.hidden = true;
    const buttons = make('div', 'zoom');
    const button = (text, label, act) => {
      const made = make('button', '', text);
      made.type = 'button';
      made.setAttribute('aria-label', label);
      made.addEventListener('click', act);
      buttons.append(made);
    };
    button('+', 'Zoom in', () => zoom(figure, 0.6));
    button('−', 'Zoom out', () => zoom(figure, 1 / 0.6));
    button('All', 'Show all', () => {
      windows.delete(figure.dataset.pair);
      figure.querySelector(':scope > svg').replaceWith(original);
      showPinned();
    });
    figure.prepend(buttons);
    figure.append(tip);
    let wheeling = 0;
    figure.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      const seen = frame(figure);
      clearTimeout(wheeling);
      wheeling = setTimeout(() => zoom(figure, event.deltaY + event.deltaX < 0 ? 0.7 : 1 / 0.7, seen?.value(event)), 60);
    }, { passive: false });
    figure.addEventListener('dblclick', (event) => zoom(figure, 0.5, frame(figure)?.value(event)));
    figure.addEventListener('pointermove', async (event) => {
      const now = await status();
      const arm = now && nearest(figure, now, event);
      tip.hidden = !arm;
      if (!arm) return;
      tip.textContent = `${arm.name}: ${numbers(now, arm)}`;
      const box = figure.getBoundingClientRect();
      tip.style.left = `${Math.max(0, Math.min(event.clientX - box.left + 12, box.width - 265))}px`;
      tip.style.top = `${event.clientY - box.top + 14}px`;
    });
    figure.addEventListener('pointerleave', () => { tip.hidden = true; });
    figure.addEventListener('click', async (event) => {
      if (event.target.closest('.zoom')) return;
      const now = await status();
      const arm = now && nearest(figure, now, event);
      if (arm) pin(arm.index);
    });
    const before = windows.get(figure.dataset.pair);
    if (before) zoomTo(figure, before.x, before.y);
  }

  function enrich(root) {
    root.querySelectorAll('table.verdicts, table.means').forEach(enrichTable);
    if (study) root.querySelectorAll('.figure[data-pair]').forEach(enrichFigure);
    for (const row of root.querySelectorAll('tr[data-arm]')) {
      const name = make('button', 'pin');
      name.type = 'button';
      name.title = 'Pin this arm';
      name.append(...row.cells[0].childNodes);
      row.cells[0].append(name);
      name.addEventListener('click', () => pin(Number(row.dataset.arm)));
    }
  }
  enrich(document);
})();
