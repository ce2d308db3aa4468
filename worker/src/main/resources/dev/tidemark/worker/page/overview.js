// Every pipeline, what is wrong first.
import { bar, badge, button, h, link, loaded, table } from './parts.js';
import { count, failing, number, zone } from './words.js';
import { retryAll } from './dialogs.js';
import { partitionLink, pipelineLink, windowLink } from './links.js';

const URL = '/api/overview';

export const urls = () => [URL];

export const title = () => 'Overview';

/** Of a status, as the kinds of the bar. */
export function kinds(status) {
  const { never_attempted: missing = 0, completed = 0, too_late: tooLate = 0, ...others } = status.counts;
  return { ...others, missing, late: status.late, complete: Math.max(completed - status.late, 0) };
}

const needsSomebody = ({ status, outputs_missing: lost }) =>
  failing(status) > 0 || status.freshness === 'stale' || lost;

export function view(params, data, state) {
  return loaded(data[URL], ({ pipelines }) => {
    if (pipelines.length === 0) {
      return h(
        'p',
        { class: 'first' },
        'No pipeline is registered, or none that you may see. ',
        h('code', null, 'tidemark apply'),
        ' registers those of a configuration.',
      );
    }
    const troubled = pipelines.filter(needsSomebody);
    return h(
      'div',
      null,
      h('h1', null, 'Overview'),
      h('p', { class: 'lead' }, sentence(pipelines, troubled)),
      troubled.length > 0 &&
        h(
          'section',
          { 'aria-labelledby': 'trouble' },
          h('h2', { id: 'trouble' }, 'Needs somebody'),
          troubled.map((one) => trouble(one, state)),
        ),
      h(
        'section',
        { 'aria-labelledby': 'all' },
        h('h2', { id: 'all' }, 'Pipelines'),
        table(
          'Pipelines',
          [
            'Pipeline',
            'Partitions',
            'Closed through',
            'Complete through',
            'Oldest hole',
            'Late',
            'Failing',
            'Freshness',
          ],
          pipelines.map(row),
          '',
        ),
      ),
    );
  });
}

function sentence(pipelines, troubled) {
  const whole = pipelines.filter(({ status }) => status.oldest_hole === null && status.late === 0).length;
  return `${whole} of ${count(pipelines.length, 'pipeline')} ${whole === 1 ? 'is' : 'are'} complete and up to date. ${
    troubled.length === 0
      ? 'Nothing needs anybody.'
      : `${number(troubled.length)} ${troubled.length === 1 ? 'needs' : 'need'} somebody.`
  }`;
}

function row({ status, calendar }) {
  const name = status.pipeline;
  const bad = failing(status);
  return {
    key: name,
    cells: [
      h(
        'span',
        null,
        link(pipelineLink(name), name, { class: 'strong' }),
        status.paused && h('span', null, ' ', badge('skipped', 'paused')),
        h('span', { class: 'under' }, `every ${calendar.grain}, ${zone(calendar.zone)}`),
      ),
      bar(kinds(status), summary(status)),
      status.closed_through ?? 'none yet',
      status.complete_through ?? 'none yet',
      status.oldest_hole ? link(windowLink(name, status.oldest_hole), status.oldest_hole) : 'none',
      number(status.late),
      bad > 0 ? badge('failed', number(bad)) : '0',
      status.freshness === 'stale' ? badge('failed', 'stale') : status.freshness,
    ],
  };
}

const summary = (status) =>
  Object.entries(kinds(status))
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => `${number(n)} ${kind}`)
    .join(', ');

function trouble({ status, failing: groups, outputs_missing: lost }, state) {
  const name = status.pipeline;
  const mayAct = state.me.operates.includes(name);
  return h(
    'article',
    { class: 'trouble', key: name },
    h('h3', null, link(pipelineLink(name), name)),
    status.freshness === 'stale' &&
      h(
        'p',
        null,
        badge('failed', 'stale'),
        ' A closed partition is not complete in time; the oldest hole is ',
        status.oldest_hole ? link(windowLink(name, status.oldest_hole), status.oldest_hole) : 'unknown',
        '.',
      ),
    lost &&
      h(
        'p',
        null,
        badge('lost'),
        ` ${count(lost, 'output')} are missing in the store at once, so that none is made due: `,
        h('code', null, `tidemark reconcile ${name} --confirm`),
        ' decides.',
      ),
    errors(name, groups),
    mayAct &&
      failing(status) > 0 &&
      h(
        'p',
        { class: 'actions' },
        button('Retry all that failed', () => retryAll(name, failing(status))),
      ),
  );
}

/** The errors of a pipeline: one often explains hundreds of partitions. */
export const errors = (name, groups) =>
  groups.length > 0 &&
  h(
    'ul',
    { class: 'errors' },
    groups.map((group) =>
      h(
        'li',
        { key: group.newest + group.slice },
        h(
          'span',
          null,
          badge(group.parked > 0 ? 'parked' : 'failed', count(group.partitions, 'partition')),
          group.parked > 0 && ` ${number(group.parked)} parked`,
          ', newest ',
          link(partitionLink(name, group.newest, group.slice), group.newest),
        ),
        h('code', { class: 'error' }, group.error ?? 'no error is kept'),
      ),
    ),
  );
