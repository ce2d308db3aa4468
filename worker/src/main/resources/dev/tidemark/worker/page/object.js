// One object: what is seen of it, and its edits.
import { path } from './api.js';
import { objectTypeLink } from './links.js';
import { deleteObject, editObject } from './objectDialogs.js';
import { cell } from './objectType.js';
import { button, facts, h, link, loaded } from './parts.js';

const about = (type) => path(['objects', type]);
const one = ({ type, key }) => path(['objects', type, 'objects', key]);

export const urls = (params) => [about(params.type), one(params)];

export const title = ({ type, key }) => `${key}, ${type}`;

export function view(params, data) {
  const { type, key } = params;
  const known = data[about(type)]?.json;
  return h(
    'div',
    null,
    h('p', { class: 'crumbs' }, link('#/objects', 'Objects'), ' / ', link(objectTypeLink(type), type)),
    h('h1', null, key),
    loaded(data[one(params)], ({ object, generation }) =>
      h(
        'div',
        null,
        known?.may_edit &&
          h(
            'p',
            { class: 'actions' },
            button('Edit', () => editObject(known, object), { class: 'main' }),
            button('Delete', () => deleteObject(known, object)),
          ),
        facts(Object.entries(object.values).map(([name, value]) => [name, cell(value)])),
        h(
          'p',
          { class: 'quiet' },
          `As of generation ${generation.generation} of index ${generation.index}, with edits up to ${generation.edit_offset}.`,
        ),
      ),
    ),
  );
}
