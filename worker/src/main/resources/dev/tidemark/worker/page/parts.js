// The pieces that every view is made of. Text goes in as text: nothing here makes HTML of a string.
import { h } from './preact.js';
import { ago, instant, KINDS, meaning, number, total } from './words.js';

export { h };

export const badge = (kind, text = kind) => h('span', { class: `badge ${kind}`, title: meaning(kind) }, text);

export const time = (iso) =>
  iso ? h('time', { datetime: iso, title: instant(iso) }, ago(iso)) : h('span', { class: 'quiet' }, 'never');

/** Names and values; what is null is left out. */
export const facts = (pairs) =>
  h(
    'dl',
    { class: 'facts' },
    pairs
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => h('div', { key: name }, h('dt', null, name), h('dd', null, value))),
  );

/** A table; on a narrow screen each cell says what it is. Rows are {key, cells}. */
export const table = (caption, columns, rows, empty) =>
  rows.length === 0
    ? h('p', { class: 'quiet' }, empty)
    : h(
        'table',
        { class: 'list' },
        h('caption', { class: 'hidden' }, caption),
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            columns.map((name) => h('th', { scope: 'col' }, name)),
          ),
        ),
        h(
          'tbody',
          null,
          rows.map((row) =>
            h(
              'tr',
              { key: row.key, class: row.class },
              row.cells.map((cell, i) => h('td', { 'data-name': columns[i] }, cell)),
            ),
          ),
        ),
      );

export const link = (href, text, more = {}) => h('a', { href, ...more }, text);

/** Into Temporal's Web UI; nothing where its address is not known. */
export const outside = (href, text) =>
  href
    ? h('a', { href, target: '_blank', rel: 'noreferrer' }, text, h('span', { class: 'hidden' }, ' (opens a new tab)'))
    : null;

export const button = (text, onClick, more = {}) => h('button', { type: 'button', onClick, ...more }, text);

/** How the partitions of something stand, as one bar. */
export function bar(counts, label) {
  const all = total(counts);
  return h(
    'span',
    { class: 'bar', role: 'img', 'aria-label': label },
    KINDS.filter((kind) => counts[kind] > 0).map((kind) =>
      h('span', { key: kind, class: kind, style: { flexGrow: Math.max(counts[kind] / all, 0.02) } }),
    ),
  );
}

export const progress = (done, failed, all, label) =>
  h(
    'span',
    { class: 'progress' },
    h('progress', { max: Math.max(all, 1), value: done, 'aria-label': label }),
    h('span', null, `${number(done)} of ${number(all)}`, failed > 0 ? `, ${number(failed)} failed` : ''),
  );

/** What a view shows while its data is on the way, or did not come; else what is made of it. */
export function loaded(answer, view) {
  if (!answer) {
    return h('p', { class: 'quiet' }, 'Loading');
  }
  if (answer.json) {
    return view(answer.json);
  }
  return h('p', { class: 'notice bad', role: 'alert' }, answer.error.message);
}
