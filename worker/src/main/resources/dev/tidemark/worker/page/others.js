// Exports, connections, the record of actions, and the door.
import { post, setToken } from './api.js';
import { pipelineLink, windowLink } from './links.js';
import { badge, button, facts, h, link, loaded, table, time } from './parts.js';
import { lookAgain, state, update } from './store.js';
import { bytes, instant, number } from './words.js';

export const exports = {
  title: () => 'Exports',
  urls: () => ['/api/exports'],
  view: (params, data) =>
    h(
      'div',
      null,
      h('h1', null, 'Exports'),
      loaded(data['/api/exports'], ({ exports: all }) =>
        all.length === 0 ? h('p', { class: 'quiet' }, 'No pipeline that you may see is an export.') : all.map(dataset),
      ),
    ),
};

const dataset = (one) =>
  h(
    'section',
    { key: one.pipeline, 'aria-labelledby': `export-${one.pipeline}` },
    h('h2', { id: `export-${one.pipeline}` }, link(pipelineLink(one.pipeline), one.pipeline)),
    facts([
      ['Format', one.format],
      ['Table', one.table],
      ['Meaning', one.meaning],
      ['Location', one.location && h('code', null, one.location)],
    ]),
    table(
      `Accounts of ${one.pipeline}`,
      [one.account ? `Account (${one.account})` : 'Account', 'Complete', 'Waiting', 'Rows', 'Bytes', 'Newest complete'],
      one.accounts.map((line) => ({
        key: line.account,
        cells: [
          line.account
            ? link(pipelineLink(one.pipeline, { slice: slice(one.account, line.account) }), line.account)
            : 'all',
          `${number(line.complete)} of ${number(line.partitions)}`,
          line.waiting > 0 ? badge('late', number(line.waiting)) : '0',
          number(line.rows),
          bytes(line.bytes),
          line.newest
            ? link(
                one.account
                  ? pipelineLink(one.pipeline, { cell: line.newest, slice: slice(one.account, line.account) })
                  : windowLink(one.pipeline, line.newest),
                line.newest,
              )
            : 'none yet',
        ],
      })),
      'The ledger has no partition of it yet.',
    ),
  );

const slice = (dimension, value) => `${dimension}=${encodeURIComponent(value)}`;

export const connections = {
  title: () => 'Connections',
  urls: () => ['/api/connections'],
  view: (params, data) =>
    h(
      'div',
      null,
      h('h1', null, 'Connections'),
      h(
        'p',
        { class: 'lead' },
        'A check does what pipelines do: it queries a database, and in a store it writes, reads back, lists and deletes a small object.',
      ),
      state.me.operates_all &&
        h(
          'p',
          { class: 'actions' },
          button('Check all, and the output folders', () => check(null), { class: 'main' }),
        ),
      loaded(data['/api/connections'], ({ connections: all }) =>
        table(
          'Connections',
          ['Name', 'Kind', 'Check'],
          all.map((one) => ({
            key: one.name,
            cells: [
              one.name,
              one.kind,
              state.me.operates_all
                ? button('Check', () => check(one.name), { 'aria-label': `Check ${one.name}` })
                : 'none',
            ],
          })),
          'The configuration names no connection.',
        ),
      ),
      state.checked &&
        h(
          'section',
          { 'aria-live': 'polite', 'aria-labelledby': 'checked' },
          h('h2', { id: 'checked' }, 'What came of it'),
          results(state.checked),
        ),
    ),
};

const results = (answer) =>
  loaded(answer, ({ connections: all }) =>
    table(
      'Checks',
      ['Name', 'Kind', 'Result', 'Detail'],
      all.map((one, i) => ({
        key: i,
        cells: [
          one.name,
          one.kind,
          badge(one.ok ? 'complete' : 'failed', one.ok ? 'works' : 'does not work'),
          one.detail,
        ],
      })),
      'There was nothing to check.',
    ),
  );

async function check(name) {
  update({ checked: undefined, notice: { text: 'Checking.' } });
  const answer = await post('/api/connections/check', { name }).then(
    (json) => ({ json }),
    (error) => ({ error }),
  );
  update({ checked: answer, notice: null });
}

export const audit = {
  title: () => 'Audit',
  urls: () => ['/api/audit?most=200'],
  view: (params, data) =>
    h(
      'div',
      null,
      h('h1', null, 'Audit'),
      h(
        'p',
        { class: 'lead' },
        'Everything that was asked for on this page or by its API, by the clock of the database.',
      ),
      loaded(data['/api/audit?most=200'], ({ records }) =>
        table(
          'Actions, newest first',
          ['When', 'Who', 'What', 'Outcome'],
          records.map((one) => ({
            key: one.id,
            cells: [
              h('span', null, instant(one.at), h('span', { class: 'under' }, time(one.at))),
              h('span', null, one.who, h('span', { class: 'under' }, `from ${one.from}`)),
              h(
                'span',
                null,
                one.what.action,
                one.what.pipeline && ` ${one.what.pipeline}`,
                h('span', { class: 'under' }, detail(one.what.detail)),
              ),
              h(
                'span',
                null,
                badge(
                  { done: 'complete', refused: 'late', failed: 'failed' }[one.outcome] ?? 'queued',
                  one.outcome ?? 'not ended',
                ),
                one.message && h('span', { class: 'under' }, one.message),
              ),
            ],
          })),
          'Nobody has done anything yet.',
        ),
      ),
    ),
};

const detail = (asked) =>
  Object.entries(asked)
    .filter(
      ([name, value]) =>
        value !== null &&
        value !== '' &&
        name !== 'request_id' &&
        !(typeof value === 'object' && Object.keys(value).length === 0),
    )
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

/** Asks for a token, where the server wants one. */
export const door = () =>
  h(
    'form',
    {
      class: 'door',
      onSubmit: (event) => {
        event.preventDefault();
        setToken(new FormData(event.target).get('token').trim());
        update({ locked: false });
        lookAgain();
      },
    },
    h('h1', null, 'Tidemark'),
    h('p', null, 'This page asks for a token. It stays in this tab, and is forgotten with it.'),
    h(
      'p',
      { class: 'field' },
      h('label', { for: 'token' }, 'Token'),
      h('input', { id: 'token', name: 'token', type: 'password', required: true, autocomplete: 'off' }),
    ),
    state.refused && h('p', { class: 'notice bad', role: 'alert' }, 'That token is not known here.'),
    h('p', { class: 'actions' }, h('button', { type: 'submit', class: 'main' }, 'Come in')),
  );
