// One object type: its objects as they are looked for, how it stands, and its builds.
import { path, question } from './api.js';
import { objectLink, objectTypeLink } from './links.js';
import { createObject, onType } from './objectDialogs.js';
import { builds, edits, freshness, state as buildState, upcoming } from './objects.js';
import { button, facts, h, link, loaded, table, time } from './parts.js';
import { between, bytes, duration, number } from './words.js';

const COMPARISONS = [
  ['eq', 'is'],
  ['prefix', 'begins with'],
  ['gte', 'is at least'],
  ['lte', 'is at most'],
  ['gt', 'is more than'],
  ['lt', 'is less than'],
  ['exists', 'is there'],
];
const SHOWN = 8;

const about = (type) => path(['objects', type]);
const jobs = (type) => path(['objects', type, 'jobs']);

/** What is looked for, out of the address: conditions as a list of filters. */
function search({ type, text, where, sort, order, cursor }) {
  return question(path(['objects', type, 'search']), {
    filter: { and: where ? JSON.parse(where) : [] },
    text,
    sort: sort ? [{ property: sort, order: order || 'asc' }] : [],
    cursor,
  });
}

export function urls(params, data) {
  const known = data[about(params.type)]?.json;
  return [about(params.type), jobs(params.type), ...(known?.may_read && known.served ? [search(params)] : [])];
}

export const title = ({ type }) => type;

export function view(params, data) {
  const { type } = params;
  return loaded(data[about(type)], (json) =>
    h(
      'div',
      null,
      h('p', { class: 'crumbs' }, link('#/objects', 'Objects')),
      h('h1', null, type),
      json.may_edit && actions(json),
      standing(json),
      json.may_read
        ? json.served && looking(params, json, data[search(params)])
        : h('p', { class: 'quiet' }, 'Its objects are shown to who may view every pipeline that it is made of.'),
      h(
        'section',
        { 'aria-labelledby': 'builds' },
        h('h2', { id: 'builds' }, 'Jobs of its builds'),
        loaded(data[jobs(type)], ({ jobs: all }) => jobTable(all)),
      ),
      serving(json.processes),
    ),
  );
}

const actions = (json) =>
  h(
    'p',
    { class: 'actions' },
    json.served && button('Create an object', () => createObject(json), { class: 'main' }),
    onType(json).map(([text, ask]) => button(text, ask)),
  );

const standing = (json) =>
  facts([
    ['Objects', json.served ? number(json.served.objects) : 'not built yet'],
    ['Generation', json.served && `${json.served.generation} of index ${json.served.index}`],
    ['Newest commit', freshness(json)],
    ['At the latest after', json.allowed_seconds && duration(json.allowed_seconds)],
    ['Edits', edits(json)],
    ['Newest builds', builds(json.newest)],
    ['The newest build failed', json.served && json.served.because],
    ['Replacement', json.upcoming && upcoming(json.upcoming)],
    ['Primary key', json.primary_key.join(', ')],
  ]);

function looking(params, json, answer) {
  const conditions = params.where ? JSON.parse(params.where) : [];
  const go = (query) => {
    const { type, text, where, sort, order } = params;
    location.hash = objectTypeLink(type, { text, where, sort, order, ...query });
  };
  return h(
    'section',
    { 'aria-labelledby': 'found' },
    h('h2', { id: 'found' }, 'Objects'),
    form(params, json, conditions, go),
    conditions.length > 0 &&
      h(
        'ul',
        { class: 'conditions', 'aria-label': 'Conditions' },
        conditions.map((one, i) =>
          h(
            'li',
            { key: JSON.stringify(one) },
            said(one),
            ' ',
            button('Leave out', () => go({ where: JSON.stringify(conditions.filter((_, at) => at !== i)) }), {
              'aria-label': `Leave out: ${said(one)}`,
            }),
          ),
        ),
      ),
    loaded(answer, (page) => found(params, json, page)),
  );
}

function said(condition) {
  const [[operator, what]] = Object.entries(condition);
  const words = Object.fromEntries(COMPARISONS)[operator];
  return operator === 'exists'
    ? `${what} ${words}`
    : Object.entries(what)
        .map(([name, value]) => `${name} ${words} ${value}`)
        .join(', ');
}

function condition(values, properties) {
  const { property, comparison, value } = values;
  if (comparison === 'exists') {
    return { exists: property };
  }
  const isBoolean = properties.find(({ name }) => name === property)?.type === 'boolean';
  return { [comparison]: { [property]: isBoolean ? value === 'true' : value } };
}

function form({ text, sort, order }, { properties }, conditions, go) {
  const submit = (event) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.target));
    const where = values.property ? [...conditions, condition(values, properties)] : conditions;
    go({
      text: values.text,
      where: where.length > 0 ? JSON.stringify(where) : '',
      sort: values.sort,
      order: values.order,
    });
    event.target.elements.property.value = '';
    event.target.elements.value.value = '';
  };
  const names = properties.map(({ name }) => [name, name]);
  const words = properties.filter((one) => one.text).map(({ name }) => name);
  return h(
    'form',
    { class: 'search', role: 'search', onSubmit: submit },
    words.length > 0 && field('text', `Words in ${words.join(', ')}`, { defaultValue: text ?? '' }),
    choice('property', 'Property', [['', 'any'], ...names], ''),
    choice('comparison', 'Comparison', COMPARISONS, 'eq'),
    field('value', 'Value', {}),
    choice('sort', 'Sort by', [['', words.length > 0 ? 'what fits best' : 'key'], ...names], sort ?? ''),
    choice(
      'order',
      'Order',
      [
        ['asc', 'ascending'],
        ['desc', 'descending'],
      ],
      order ?? 'asc',
    ),
    h('button', { type: 'submit', class: 'main' }, 'Look'),
  );
}

const field = (name, label, more) =>
  h(
    'p',
    { class: 'field' },
    h('label', { for: `search-${name}` }, label),
    h('input', { id: `search-${name}`, name, type: 'text', autocomplete: 'off', spellcheck: false, ...more }),
  );

const choice = (name, label, options, value) =>
  h(
    'p',
    { class: 'field' },
    h('label', { for: `search-${name}` }, label),
    h(
      'select',
      { id: `search-${name}`, name },
      options.map(([one, text]) => h('option', { value: one, selected: one === value }, text)),
    ),
  );

function found(params, { properties }, page) {
  const { type, text, where, sort, order, cursor } = params;
  const shown = properties.slice(0, SHOWN).map(({ name }) => name);
  const { index, generation, edit_offset: offset } = page.generation;
  return h(
    'div',
    null,
    h(
      'p',
      { class: 'quiet', role: 'status' },
      `${number(page.total)} found, in generation ${generation} of index ${index} with edits up to ${offset}.`,
    ),
    table(
      'Objects',
      ['Key', ...shown],
      page.objects.map((one) => ({
        key: one.key,
        cells: [link(objectLink(type, one.key), one.key), ...shown.map((name) => cell(one.values[name]))],
      })),
      'There is no such object.',
    ),
    h(
      'p',
      { class: 'actions' },
      cursor && link(objectTypeLink(type, { text, where, sort, order }), 'First page'),
      page.next && link(objectTypeLink(type, { text, where, sort, order, cursor: page.next }), 'Next page'),
    ),
  );
}

/** A value as text. */
export const cell = (value) =>
  value === null || value === undefined
    ? h('span', { class: 'quiet' }, 'none')
    : typeof value === 'object'
      ? h('code', null, JSON.stringify(value))
      : String(value);

const jobTable = (all) =>
  table(
    'Jobs, newest first',
    ['Build', 'Job', 'State', 'Began', 'Took', 'Rows', 'Bytes', 'Error'],
    all.map((one) => ({
      key: `${one.revision} ${one.generation} ${one.began_at} ${one.stage} ${one.subject}`,
      cells: [
        h(
          'span',
          null,
          `${one.role}, generation ${one.generation}`,
          h('span', { class: 'under' }, `${one.full ? 'full, ' : ''}because of ${one.cause}`),
        ),
        one.subject ? `${one.stage} ${one.subject}` : one.stage,
        buildState(one.state),
        time(one.began_at),
        one.ended_at ? between(one.began_at, one.ended_at) : 'still runs',
        one.rows === null ? 'not known' : number(one.rows),
        one.bytes === null ? 'not known' : bytes(one.bytes),
        one.error ? h('code', { class: 'error' }, one.error) : 'none',
      ],
    })),
    'None yet.',
  );

const serving = (processes) =>
  h(
    'section',
    { 'aria-labelledby': 'processes' },
    h('h2', { id: 'processes' }, 'Answered by'),
    table(
      'Processes',
      ['Process', 'Generation', 'Edits up to', 'Trouble'],
      processes.map((one) => ({
        key: one.process,
        cells: [
          one.process,
          one.generation === 0 ? 'none yet' : number(one.generation),
          number(one.edit_offset),
          one.error ? h('code', { class: 'error' }, one.error) : 'none',
        ],
      })),
      'No process that answers questions is seen.',
    ),
  );
