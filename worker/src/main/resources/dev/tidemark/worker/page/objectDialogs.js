// What people do to objects, and to the indexes of their types.
import { path, post, requestId } from './api.js';
import { open } from './dialogs.js';
import { number } from './words.js';

const text = (value) =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** A value as the API takes it; nothing is null. */
function value(property, typed) {
  if (typed === '') {
    return null;
  }
  return property.type === 'boolean' ? typed === 'true' : property.type === 'json' ? JSON.parse(typed) : typed;
}

const fields = (type, values) =>
  type.properties
    .filter(({ name }) => !type.primary_key.includes(name))
    .map(({ name, type: kind }) => ({ name, label: name, hint: kind, value: text(values[name]) }));

/** Of the properties that were changed. */
function changed(type, before, after) {
  return Object.fromEntries(
    type.properties
      .filter(({ name }) => name in after && after[name] !== text(before[name]))
      .map((property) => [property.name, value(property, after[property.name])]),
  );
}

const edit = (type, id, body) =>
  post(path(['objects', type.object_type, 'edits']), { request_id: id, ...body });

export function editObject(type, object) {
  const id = requestId();
  open({
    title: `Edit ${object.key}`,
    text: 'It is seen by everybody at once, and stays whatever its sources say, as far as its type is defined so. A field that is left empty has no value.',
    fields: fields(type, object.values),
    confirm: 'Save',
    run: async (after) => {
      const values = changed(type, object.values, after);
      if (Object.keys(values).length === 0) {
        return 'Nothing had to be changed.';
      }
      const { offset } = await edit(type, id, { key: object.key, action: 'set', values });
      return `${object.key} is edited, by edit ${number(offset)}.`;
    },
  });
}

export function createObject(type) {
  const id = requestId();
  open({
    title: `Create an object of ${type.object_type}`,
    fields: [
      ...type.primary_key.map((name) => ({ name: `key ${name}`, label: name, required: true })),
      ...fields(type, {}),
    ],
    confirm: 'Create',
    run: async (after) => {
      const key = type.primary_key.map((name) => encodeURIComponent(after[`key ${name}`])).join('/');
      const values = changed(type, {}, after);
      const made = await edit(type, id, { key, action: 'create', values });
      return `${made.key} is created, by edit ${number(made.offset)}.`;
    },
  });
}

export function deleteObject(type, object) {
  const id = requestId();
  open({
    title: `Delete ${object.key}`,
    text: 'It is not there any more for anybody, also if its sources still have it.',
    confirm: 'Delete',
    danger: true,
    run: async () => {
      const { offset } = await edit(type, id, { key: object.key, action: 'delete' });
      return `${object.key} is deleted, by edit ${number(offset)}.`;
    },
  });
}

/** What can be asked for of a whole type: texts of buttons, and what they ask. */
export const onType = (type) =>
  [
    ['Reindex', 'reindex', 'Everything is indexed anew from its sources. Queries go on meanwhile.'],
    [
      'Replace',
      'replace',
      'Another index is built in the background, of the definition whose replacement failed, else of the present one, and takes the place of the live one.',
    ],
    [
      'Roll back',
      'rollback',
      'Queries are answered from the index before the present one, at once. Edits stay.',
    ],
  ].map(([title, action, what]) => [
      title,
      () =>
        open({
          title: `${title}: ${type.object_type}`,
          text: what,
          confirm: title,
          danger: action === 'rollback',
          run: async () => (await post(path(['objects', type.object_type, action]), {})).message,
        }),
    ]);
