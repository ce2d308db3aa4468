// One pipeline: how it stands, its calendar, and the partitions behind a cell of it.
import { path } from './api.js';
import { days, windows, years } from './calendar.js';
import { backfill, pause, resume, retryAll } from './dialogs.js';
import { partitionLink, pipelineLink, windowLink } from './links.js';
import { errors } from './overview.js';
import { badge, bar, button, facts, h, link, loaded, outside, table, time } from './parts.js';
import { failing, KINDS, meaning, number, sliceText, tally, zone } from './words.js';

const about = (pipeline) => path(['pipelines', pipeline]);
const calendar = ({ pipeline, slice }, within, by) => path(['pipelines', pipeline, 'calendar'], { within, by, slice });
const slices = (pipeline) => path(['pipelines', pipeline, 'slices']);

/** Windows of a week or longer are few: all of them are shown. */
const isLong = (grain) => !['15m', 'hour', 'day'].includes(grain);
const isShort = (grain) => ['15m', 'hour'].includes(grain);

const yearOf = (params, { standing: { status, calendar: cut } }) =>
  params.year ?? (params.cell ?? status.closed_through ?? cut.start).slice(0, 4);

/** What is chosen of the calendar: a day, or a window. */
const dayOf = ({ cell }) => cell?.slice(0, 10);

function behind(params) {
  const { pipeline, slice, cell, first, last } = params;
  return cell
    ? path(['pipelines', pipeline, 'partitions'], { from: first ?? cell, to: last ?? cell, slice, most: 200 })
    : null;
}

export function urls(params, data) {
  const json = data[about(params.pipeline)]?.json;
  if (!json) {
    return [about(params.pipeline)];
  }
  const { grain, sliced } = json.standing.calendar;
  return [
    about(params.pipeline),
    ...(sliced ? [slices(params.pipeline)] : []),
    ...(isLong(grain)
      ? [calendar(params, '', 'window')]
      : [calendar(params, '', 'month'), calendar(params, yearOf(params, json), 'day')]),
    ...(isShort(grain) && params.cell ? [calendar(params, dayOf(params), 'window')] : []),
    ...(behind(params) ? [behind(params)] : []),
  ];
}

export const title = ({ pipeline }) => pipeline;

export function view(params, data, state) {
  return loaded(data[about(params.pipeline)], (json) => {
    const { standing, rules, links } = json;
    const { status } = standing;
    const go = (query) => {
      location.hash = pipelineLink(params.pipeline, query);
    };
    return h(
      'div',
      null,
      h('p', { class: 'crumbs' }, link('#/', 'Overview')),
      h('h1', null, params.pipeline, status.paused && h('span', null, ' ', badge('skipped', 'paused'))),
      state.me.operates.includes(params.pipeline) && actions(params, status),
      facts([
        ['Closed through', status.closed_through ?? 'none yet'],
        ['Complete through', status.complete_through ?? 'none yet'],
        [
          'Oldest hole',
          status.oldest_hole ? link(windowLink(params.pipeline, status.oldest_hole), status.oldest_hole) : 'none',
        ],
        ['Late', number(status.late)],
        ['Failing', number(failing(status))],
        ['Freshness', status.freshness === 'stale' ? badge('failed', 'stale') : status.freshness],
        ['Made with an older definition', status.stale_definition > 0 ? number(status.stale_definition) : null],
      ]),
      errors(params.pipeline, standing.failing),
      h(
        'section',
        { 'aria-labelledby': 'calendar' },
        h('h2', { id: 'calendar' }, 'Calendar'),
        standing.calendar.sliced && sliceChoice(params, data[slices(params.pipeline)], go),
        legend(),
        calendars(params, json, data, go),
      ),
      params.cell &&
        h(
          'section',
          { 'aria-labelledby': 'chosen' },
          h(
            'h2',
            { id: 'chosen' },
            params.first && params.first !== params.last ? `${params.first} to ${params.last}` : params.cell,
          ),
          partitions(params, data[behind(params)]),
        ),
      h('section', { 'aria-labelledby': 'rules' }, h('h2', { id: 'rules' }, 'Definition'), definition(standing, rules)),
      links.workflows &&
        h(
          'p',
          { class: 'links' },
          'In Temporal: ',
          outside(links.workflows, 'all its workflows'),
          ', ',
          outside(links.sweep, 'the newest sweep'),
          ', ',
          outside(links.requests, 'what people asked for'),
        ),
    );
  });
}

function actions({ pipeline, slice, first, last, cell }, status) {
  const chosen = {
    from: first ?? cell ?? status.oldest_hole ?? '',
    to: last ?? cell ?? status.closed_through ?? '',
    slice: slice ?? '',
  };
  return h(
    'p',
    { class: 'actions' },
    button('Backfill', () => backfill(pipeline, chosen), { class: 'main' }),
    failing(status) > 0 && button('Retry all that failed', () => retryAll(pipeline, failing(status))),
    status.paused ? button('Resume', () => resume(pipeline)) : button('Pause', () => pause(pipeline)),
  );
}

const definition = ({ status, calendar: cut }, rules) =>
  facts([
    ['Revision', number(status.revision)],
    [
      'Partitions',
      `every ${cut.grain} in ${zone(cut.zone)}, from ${cut.start}${cut.end ? ` to before ${cut.end}` : ''}`,
    ],
    ['Close', rules.closes],
    ['Inputs', rules.inputs.join(', ') || 'none'],
    ['Task', rules.task],
    ['Output', rules.output ?? 'its task owns what it makes'],
    ['Order', rules.order],
    ['At most at once', number(rules.parallel)],
    ['Fresh within', rules.freshness],
  ]);

const legend = () =>
  h(
    'ul',
    { class: 'legend', 'aria-label': 'Colours' },
    [...KINDS]
      .reverse()
      .map((kind) =>
        h('li', { key: kind, title: meaning(kind) }, h('span', { class: `cell ${kind}`, 'aria-hidden': 'true' }), kind),
      ),
  );

function sliceChoice(params, answer, go) {
  return loaded(answer, ({ slices: found, more }) =>
    h(
      'p',
      { class: 'field' },
      h('label', { for: 'slice' }, `Slice (${number(found.length)}${more ? ' and more' : ''})`),
      h(
        'select',
        {
          id: 'slice',
          value: params.slice ?? '',
          onChange: (event) => go({ ...params, pipeline: undefined, slice: event.target.value }),
        },
        h('option', { value: '' }, 'all slices together'),
        found.map((one) =>
          h('option', { key: one.slice, value: one.slice }, `${sliceText(one.slice)}: ${tally(one.counts)}`),
        ),
      ),
    ),
  );
}

function calendars(params, json, data, go) {
  const { grain } = json.standing.calendar;
  const { slice, cell: chosen } = params;
  if (isLong(grain)) {
    const all = calendar(params, '', 'window');
    return loaded(data[all], ({ cells }) =>
      windows(cells, { caption: 'Every window', chosen, onChoose: (cell) => go({ slice, cell }) }),
    );
  }
  const year = yearOf(params, json);
  return h(
    'div',
    { class: 'calendars' },
    loaded(data[calendar(params, '', 'month')], ({ cells }) =>
      years(cells, { year, onChoose: (next) => go({ slice, year: next }) }),
    ),
    loaded(data[calendar(params, year, 'day')], ({ cells }) =>
      days(cells, {
        year,
        chosen: dayOf(params),
        onChoose: (day) => {
          const { first, last } = cells.find((one) => one.key === day);
          go(first === last ? { slice, year, cell: first } : { slice, year, cell: day, first, last });
        },
      }),
    ),
    isShort(grain) &&
      chosen &&
      loaded(data[calendar(params, dayOf(params), 'window')], ({ cells }) =>
        windows(cells, {
          caption: `The windows of ${dayOf(params)}`,
          chosen,
          onChoose: (cell) => go({ slice, year, cell }),
        }),
      ),
  );
}

const partitions = ({ pipeline }, answer) =>
  loaded(answer, ({ partitions: found, more }) =>
    h(
      'div',
      null,
      table(
        'Partitions',
        ['Partition', 'State', 'Made', 'Attempts', 'Error'],
        found.map((one) => ({
          key: `${one.partition} ${one.slice}`,
          cells: [
            h(
              'span',
              null,
              link(partitionLink(pipeline, one.partition, one.slice), one.partition),
              one.slice && h('span', { class: 'under' }, sliceText(one.slice)),
            ),
            badge(one.kind),
            time(one.committed_at),
            number(one.attempts),
            one.error ? h('code', { class: 'error' }, one.error) : 'none',
          ],
        })),
        'The ledger has no partition here yet: it is not closed, or no sweep has seen it.',
      ),
      more && h('p', { class: 'quiet' }, 'There are more; choose a slice, or a shorter time.'),
    ),
  );
