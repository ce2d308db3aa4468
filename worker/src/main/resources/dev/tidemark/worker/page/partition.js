// One partition: why it is or is not made, what happened to it, and what can be done about it.
import { get, path } from './api.js';
import { backfill, excuse, pushChange, retry, showLog, unexcuse } from './dialogs.js';
import { pipelineLink, windowLink } from './links.js';
import { badge, button, facts, h, link, loaded, outside, table, time } from './parts.js';
import { state, update } from './store.js';
import { between, bytes, count, instant, number, sliceText } from './words.js';

const about = ({ pipeline, partition, slice }) => path(['pipelines', pipeline, 'partitions', partition], { slice });

export const urls = (params) => [about(params)];

/** Explaining looks at the inputs too: less often than what the ledger alone knows. */
export const every = 10_000;

export const title = ({ pipeline, partition }) => `${partition}, ${pipeline}`;

export function view(params, data) {
  return loaded(data[about(params)], (json) => {
    const { explanation, row, attempts, inputs } = json;
    const { pipeline, partition, slice = '' } = params;
    const kind = row?.parked ? 'parked' : row?.late && explanation.state === 'completed' ? 'late' : explanation.state;
    return h(
      'div',
      null,
      h(
        'p',
        { class: 'crumbs' },
        link('#/', 'Overview'),
        ' / ',
        link(pipelineLink(pipeline, { cell: partition, slice }), pipeline),
      ),
      h('h1', null, partition, ' ', badge(kind)),
      slice && h('p', { class: 'lead' }, sliceText(slice)),
      h('p', { class: 'lead' }, explanation.due ? 'It is due.' : 'It is not due.', ' ', punctual(explanation)),
      reasons(explanation),
      state.me.operates.includes(pipeline) && actions(params, explanation.state, inputs),
      row &&
        h('section', { 'aria-labelledby': 'facts' }, h('h2', { id: 'facts' }, 'What is known'), known(row, inputs)),
      h(
        'section',
        { 'aria-labelledby': 'attempts' },
        h('h2', { id: 'attempts' }, 'Attempts'),
        tries(params, explanation.attempts, attempts),
      ),
      row?.output && output(params),
      readers(explanation.dependents ?? []),
    );
  });
}

const PUNCTUAL = {
  fresh: 'It is fresh: it is committed, or has time until',
  stale: 'It is stale: it was to be committed by',
  recovered: 'It is recovered: committed later than by',
  unknown: 'It will have to be committed by',
};

const punctual = ({ freshness: { state: kind, deadline } }) => deadline && [PUNCTUAL[kind], ' ', time(deadline), '.'];

const reasons = ({ reasons: all, notices = [] }) =>
  h(
    'ul',
    { class: 'reasons', 'aria-label': 'Reasons' },
    all.map((one) =>
      h(
        'li',
        { key: one.code },
        h('code', null, one.code),
        ' ',
        one.detail,
        one.since && h('span', { class: 'quiet' }, ' Since ', time(one.since), '.'),
      ),
    ),
    notices.map((notice) => h('li', { class: 'notice' }, notice)),
  );

function actions({ pipeline, partition, slice = '' }, standing, inputs) {
  return h(
    'p',
    { class: 'actions' },
    standing === 'failed' && button('Retry', () => retry(pipeline, partition, slice), { class: 'main' }),
    button('Make it again', () => backfill(pipeline, { from: partition, to: partition, slice, mode: 'all' })),
    inputs.includes('push') && button('Its input changed', () => pushChange(pipeline, partition, slice)),
    standing === 'excused'
      ? button('Expect it again', () => unexcuse(pipeline, partition, slice))
      : button('Excuse', () => excuse(pipeline, partition, slice)),
  );
}

const known = (row, inputs) =>
  facts([
    ['Window', `${instant(row.window_start)} to ${instant(row.window_end)}`],
    ['Account', row.account],
    ['Inputs', inputs.join(', ')],
    ['Input version', row.input_version && h('code', null, row.input_version)],
    ['First seen', row.last_update_time && time(row.last_update_time)],
    ['Made from version', row.processed_version && h('code', null, row.processed_version)],
    ['Output', row.output && h('code', null, row.output)],
    ['Rows', row.rows === null ? null : number(row.rows)],
    ['Bytes', row.bytes === null ? null : bytes(row.bytes)],
    ['Next attempt', row.next_attempt_at && time(row.next_attempt_at)],
    ['Claimed by', row.is_processed ? row.claimed_by : null],
  ]);

const OUTCOMES = { committed: 'complete', failed: 'failed', parked: 'parked', lost: 'lost' };

function tries({ pipeline, partition, slice = '' }, all, kept) {
  const more = Object.fromEntries(kept.map((one) => [one.token, one]));
  return table(
    'Attempts, newest first',
    ['Began', 'Took', 'Outcome', 'By', 'What it said'],
    all.map((one) => ({
      key: one.token,
      cells: [
        h(
          'span',
          null,
          time(one.began_at),
          h('span', { class: 'under' }, `token ${one.token}`),
          outside(more[one.token]?.workflow, 'its workflow'),
        ),
        one.ended_at ? between(one.began_at, one.ended_at) : 'still runs',
        one.outcome ? badge(OUTCOMES[one.outcome] ?? 'queued', one.outcome) : badge('running'),
        one.claimed_by,
        said(one, more[one.token]?.log, () => showLog(pipeline, partition, slice, one.token)),
      ],
    })),
    'No attempt yet.',
  );
}

function said({ error }, log, all) {
  if (!error && !log) {
    return 'nothing';
  }
  return h(
    'div',
    null,
    error && h('code', { class: 'error' }, error),
    log &&
      h(
        'details',
        null,
        h('summary', null, 'What it printed last'),
        h('pre', { tabindex: 0, 'aria-label': 'What it printed last' }, log),
        button('All that is kept of it', all),
      ),
  );
}

/** The manifest is in the store: it is read when somebody wants to see it. */
function output(params) {
  const { pipeline, partition, slice } = params;
  const url = path(['pipelines', pipeline, 'partitions', partition, 'output'], { slice });
  const show = async () => {
    const answer = await get(url).then(
      (json) => ({ json }),
      (error) => ({ error }),
    );
    update({ data: { ...state.data, [url]: answer } });
  };
  const answer = state.data[url];
  return h(
    'section',
    { 'aria-labelledby': 'output' },
    h('h2', { id: 'output' }, 'Output in the store'),
    answer ? loaded(answer, manifest) : h('p', { class: 'actions' }, button('Read its manifest', show)),
  );
}

const manifest = ({ token, rows, bytes: size, content, files }) =>
  h(
    'div',
    null,
    facts([
      ['Token', token],
      ['Rows', rows === null ? null : number(rows)],
      ['Bytes', bytes(size)],
      ['Content', content && h('code', null, content)],
    ]),
    table(
      'Files',
      ['File', 'Rows', 'Bytes'],
      files.map((file) => ({
        key: file.address,
        cells: [h('code', null, file.address), file.rows === null ? 'not known' : number(file.rows), bytes(file.bytes)],
      })),
      'It has no files: zero rows are complete too.',
    ),
  );

const readers = (dependents) =>
  dependents.length > 0 &&
  h(
    'section',
    { 'aria-labelledby': 'readers' },
    h('h2', { id: 'readers' }, 'Read by'),
    h(
      'ul',
      null,
      dependents.map((one) =>
        h(
          'li',
          { key: one.pipeline },
          link(windowLink(one.pipeline, one.first), `${one.pipeline} ${one.first}`),
          one.windows > 1 && ` to ${one.last}, ${count(one.windows, 'window')}`,
        ),
      ),
    ),
  );
