// What people asked for, and how far it is.
import { cancelBackfill, pauseBackfill, resumeBackfill, setParallel } from './dialogs.js';
import { pipelineLink } from './links.js';
import { badge, button, h, link, loaded, progress, table, time } from './parts.js';
import { number, sliceText } from './words.js';

const URL = '/api/backfills';
const STATES = {
  requested: 'queued',
  running: 'running',
  paused: 'skipped',
  completed: 'complete',
  failed: 'failed',
  cancelled: 'excused',
  rejected: 'parked',
};

export const urls = () => [URL];

export const title = () => 'Backfills';

export const view = (params, data, state) =>
  h(
    'div',
    null,
    h('h1', null, 'Backfills'),
    h('p', { class: 'lead' }, 'The newest 200. A new one is asked for on the page of its pipeline.'),
    loaded(data[URL], ({ backfills }) =>
      table(
        'Backfills',
        ['Backfill', 'Asked for', 'State', 'Progress', 'By', 'Actions'],
        backfills.map((one) => row(one, state)),
        'Nobody has asked for anything yet.',
      ),
    ),
  );

function row(one, state) {
  const { backfill_id: id, pipeline, state: standing, partitions, completed, failed, cancelled, error, asked } = one;
  return {
    key: id,
    cells: [
      h('span', null, h('code', null, id), h('span', { class: 'under' }, link(pipelineLink(pipeline), pipeline))),
      asked &&
        h(
          'span',
          null,
          `${asked.first} to ${asked.last}`,
          h(
            'span',
            { class: 'under' },
            `mode ${asked.mode}${asked.slice ? `, ${sliceText(asked.slice)}` : ''}${asked.parallel ? `, ${number(asked.parallel)} at once` : ''}`,
          ),
        ),
      badge(STATES[standing], standing),
      h(
        'span',
        null,
        progress(completed, failed, partitions - cancelled, `Progress of ${id}`),
        cancelled > 0 && h('span', { class: 'under' }, `${number(cancelled)} cancelled`),
        error && h('code', { class: 'error' }, error),
      ),
      asked &&
        h(
          'span',
          null,
          asked.by.who ?? 'somebody',
          ', ',
          time(asked.by.at),
          asked.by.reason && h('span', { class: 'under' }, asked.by.reason),
        ),
      state.me.operates.includes(pipeline) ? actions(one) : 'none',
    ],
  };
}

function actions(one) {
  const named = (text) => ({ 'aria-label': `${text} ${one.backfill_id}` });
  const act = (text, run) => button(text, () => run(one), named(text));
  if (!['requested', 'running', 'paused', 'failed'].includes(one.state)) {
    return 'none';
  }
  return h(
    'span',
    { class: 'actions' },
    one.state === 'paused' ? act('Resume', resumeBackfill) : act('Pause', pauseBackfill),
    act('Parallel', setParallel),
    act('Cancel', cancelBackfill),
  );
}
