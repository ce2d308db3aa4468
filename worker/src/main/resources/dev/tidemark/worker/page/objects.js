// Every object type: how far its index is, and what is wrong with it.
import { objectTypeLink } from './links.js';
import { badge, h, link, loaded, table } from './parts.js';
import { duration, number } from './words.js';

const URL = '/api/objects';

export const urls = () => [URL];

export const title = () => 'Objects';

export const view = (params, data) =>
  h(
    'div',
    null,
    h('h1', null, 'Objects'),
    h('p', { class: 'lead' }, 'What pipelines have made, as objects that can be searched and edited.'),
    loaded(data[URL], ({ object_types: types }) =>
      table(
        'Object types',
        ['Object type', 'Objects', 'Generation', 'Newest commit', 'Edits', 'Builds', 'Replacement'],
        types.map(row),
        'No object type is registered, or none that you may see.',
      ),
    ),
  );

const row = (one) => ({
  key: one.object_type,
  cells: [
    link(objectTypeLink(one.object_type), one.object_type, { class: 'strong' }),
    one.served ? number(one.served.objects) : 'not built yet',
    one.served ? number(one.served.generation) : 'none',
    freshness(one),
    edits(one),
    builds(one.newest),
    one.upcoming ? upcoming(one.upcoming) : 'none',
  ],
});

/** How long the oldest commit that queries do not see has been waiting. */
export const freshness = ({ waiting_seconds: waits, allowed_seconds: allowed }) =>
  waits === 0
    ? 'can be queried'
    : allowed !== null && waits > allowed
      ? badge('failed', `waits for ${duration(waits)}`)
      : `waits for ${duration(waits)}`;

export const edits = ({ edit_offset: newest, served }) =>
  newest === 0
    ? 'none'
    : `${number(newest)}, of which ${number(newest - (served?.edit_offset ?? 0))} are not in its files yet`;

const STATES = { running: 'running', completed: 'complete', failed: 'failed', superseded: 'skipped' };

export const state = (name) => badge(STATES[name] ?? 'queued', name);

export const builds = (newest) =>
  Object.keys(newest).length === 0
    ? 'none yet'
    : h(
        'span',
        null,
        Object.entries(newest).map(([role, standing]) => h('span', { key: role }, `${role} `, state(standing), ' ')),
      );

export const upcoming = (index) =>
  index.role === 'failed'
    ? h('span', null, badge('failed', 'failed'), ` revision ${index.revision}`, index.because && `: ${index.because}`)
    : `revision ${index.revision}, ${index.generation === 0 ? 'being built' : `${number(index.objects)} objects`}`;
