// The heat map: years of months to choose from, and the year that is chosen by days, or by the pipeline's own windows.
import { h } from './parts.js';
import { tally, total, worst } from './words.js';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY = 86_400_000;

/** One cell, as full as its partitions are not complete. Only one of a calendar is in the tab order; arrows reach the others. */
function cell(id, counts, { name, chosen, tab, onChoose }) {
  const kind = counts ? worst(counts) : 'none';
  const share = counts && kind !== 'complete' ? Math.max((counts[kind] ?? 0) / total(counts), 0.25) : 1;
  return h('button', {
    type: 'button',
    class: `cell ${kind}`,
    style: { '--share': `${Math.round(share * 100)}%` },
    tabindex: tab ? 0 : -1,
    disabled: !counts,
    'data-id': id,
    'aria-pressed': chosen,
    'aria-label': `${name ?? id}: ${counts ? tally(counts) : 'nothing'}`,
    title: `${name ?? id}: ${counts ? tally(counts) : 'nothing'}`,
    onClick: () => onChoose(id),
  });
}

/** Arrows move among the cells of a table as they lie. */
function move(event) {
  const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
  const from = event.target.closest('td');
  if (!step || !from) {
    return;
  }
  event.preventDefault();
  let column = from.cellIndex;
  let row = from.parentNode.rowIndex;
  const { rows } = event.currentTarget;
  do {
    column += step[0];
    row += step[1];
    const next = rows[row]?.cells[column]?.querySelector('button:not(:disabled)');
    if (next) {
      from.querySelector('button').tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
      return;
    }
  } while (rows[row]?.cells[column]);
}

const grid = (caption, kind, head, rows) =>
  h(
    'div',
    { class: 'scroll', tabindex: -1 },
    h(
      'table',
      { class: `calendar ${kind}`, onKeyDown: move },
      h('caption', { class: 'hidden' }, `${caption}. Arrow keys move from cell to cell.`),
      head &&
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            h('td'),
            head.map(([text, span]) => h('th', { scope: 'colgroup', colspan: span }, text)),
          ),
        ),
      h(
        'tbody',
        null,
        rows.map(([name, cells, chosen]) =>
          h(
            'tr',
            { key: name, class: chosen && 'chosen' },
            h('th', { scope: 'row' }, name),
            cells.map((one) => h('td', null, one)),
          ),
        ),
      ),
    ),
  );

const byKey = (cells) => Object.fromEntries(cells.map((one) => [one.key.slice(0, 10), one.counts]));

/** Each month of each year, where there are several; choosing one chooses its year. */
export function years(cells, { year, onChoose }) {
  const months = Object.fromEntries(cells.map((one) => [one.key.slice(0, 7), one.counts]));
  const names = [...new Set(cells.map((one) => one.key.slice(0, 4)))].sort().reverse();
  const last = cells[cells.length - 1]?.key.slice(0, 7);
  if (names.length < 2) {
    return null;
  }
  return grid(
    'Every month',
    'months',
    MONTHS.map((name) => [name, 1]),
    names.map((name) => [
      name,
      MONTHS.map((text, i) => {
        const id = `${name}-${String(i + 1).padStart(2, '0')}`;
        return cell(id, months[id], {
          name: `${text} ${name}`,
          chosen: name === year,
          tab: id === last,
          onChoose: () => onChoose(name),
        });
      }),
      name === year,
    ]),
  );
}

/** A year, a column for each week. */
export function days(cells, { year, chosen, onChoose }) {
  const counts = byKey(cells);
  const last = cells[cells.length - 1]?.key.slice(0, 10);
  const start = Date.UTC(Number(year), 0, 1);
  const end = Date.UTC(Number(year) + 1, 0, 1);
  const before = (new Date(start).getUTCDay() + 6) % 7;
  const weeks = Math.ceil((before + (end - start) / DAY) / 7);
  const at = (week, weekday) => start + (week * 7 + weekday - before) * DAY;
  const tab = chosen && counts[chosen] ? chosen : last;
  return grid(
    `The days of ${year}`,
    'days',
    monthHeads(weeks, at, start),
    WEEKDAYS.map((name, weekday) => [
      name,
      Array.from({ length: weeks }, (nothing, week) => {
        const day = at(week, weekday);
        if (day < start || day >= end) {
          return null;
        }
        const id = new Date(day).toISOString().slice(0, 10);
        return cell(id, counts[id], { chosen: id === chosen, tab: id === tab, onChoose });
      }),
    ]),
  );
}

/** A month's name over the weeks in which its days begin. */
function monthHeads(weeks, at, start) {
  const heads = [];
  for (let week = 0; week < weeks; week++) {
    const name = MONTHS[new Date(Math.max(at(week, 0), start)).getUTCMonth()];
    const last = heads[heads.length - 1];
    if (last?.[0] === name) {
      last[1]++;
    } else {
      heads.push([name, 1]);
    }
  }
  return heads;
}

/** The row of a window: its hour for quarter hours, its day for hours, else its year. */
function rowOf(label) {
  if (label.includes(':')) {
    return label.slice(0, 13).replace('T', ' ');
  }
  return label.includes('T') ? label.slice(0, 10) : label.slice(0, 4);
}

/** What stands over a window within its row: its minute, or its hour. */
const headOf = (label) => (label.includes(':') ? label.slice(13, 16) : label.slice(11, 13));

/** Windows as they are: the hours of a day, the weeks of years. */
export function windows(cells, { caption, chosen, onChoose }) {
  const rows = new Map();
  for (const one of cells) {
    rows.set(rowOf(one.key), [...(rows.get(rowOf(one.key)) ?? []), one]);
  }
  const tab = cells.some((one) => one.key === chosen) ? chosen : cells[cells.length - 1]?.key;
  const longest = [...rows.values()].reduce((long, row) => (row.length > long.length ? row : long), []);
  return grid(
    caption,
    'windows',
    longest[0]?.key.includes('T') ? longest.map((one) => [headOf(one.key), 1]) : null,
    [...rows].map(([name, row]) => [
      name,
      row.map((one) => cell(one.key, one.counts, { chosen: one.key === chosen, tab: one.key === tab, onChoose })),
    ]),
  );
}
