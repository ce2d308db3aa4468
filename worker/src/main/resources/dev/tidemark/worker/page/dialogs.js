// What is asked of a person before anything is done. A dialog is {title, text, fields, confirm, danger, run}: run gets the fields'
// values, and returns what to say afterwards, or {next} for a second step.
import { get, path, post, requestId } from './api.js';
import { button, h } from './parts.js';
import { lookAgain, state, update } from './store.js';
import { count, number, sliceText, sliceValues } from './words.js';

export const open = (dialog) => update({ dialog: { fields: [], ...dialog, busy: false, error: null } });

const close = () => document.querySelector('dialog')?.close();

async function submit(event) {
  event.preventDefault();
  const dialog = state.dialog;
  if (dialog.busy) {
    return;
  }
  const values = Object.fromEntries(new FormData(event.target));
  update({ dialog: { ...dialog, values, busy: true, error: null } });
  try {
    const result = await dialog.run(values);
    if (result.next) {
      open(result.next);
      document.querySelector('dialog h2').focus();
    } else {
      close();
      update({ notice: { text: result }, eagerUntil: Date.now() + 30_000 });
      await lookAgain();
    }
  } catch (failure) {
    update({ dialog: { ...dialog, values, busy: false, error: failure.message } });
    document.querySelector(`dialog [name="${failure.field}"]`)?.focus();
  }
}

function field({ name, label, hint, options, ...more }, values) {
  const id = `field-${name}`;
  const value = values?.[name] ?? more.value ?? '';
  const given = { id, name, ...more, value: undefined };
  return h(
    'p',
    { key: name, class: 'field' },
    h('label', { for: id }, label),
    options
      ? h(
          'select',
          given,
          options.map(([one, text]) => h('option', { value: one, selected: one === value }, text)),
        )
      : // Its default only: what somebody types meanwhile stays when the page is drawn anew.
        h('input', { type: 'text', autocomplete: 'off', spellcheck: false, ...given, defaultValue: value }),
    hint && h('span', { class: 'hint' }, hint),
  );
}

/** The dialog that is open, if there is one. */
export function dialogView() {
  const dialog = state.dialog;
  if (!dialog) {
    return null;
  }
  const show = (element) => element && !element.open && element.showModal();
  return h(
    'dialog',
    { key: 'dialog', ref: show, 'aria-labelledby': 'dialog-title', onClose: () => update({ dialog: null }) },
    h(
      'form',
      { method: 'dialog', onSubmit: submit },
      h('h2', { id: 'dialog-title', tabindex: -1 }, dialog.title),
      dialog.text && h('div', { class: 'text' }, dialog.text),
      dialog.fields.map((one) => field(one, dialog.values)),
      h('div', { role: 'alert' }, dialog.error && h('p', { class: 'notice bad' }, dialog.error)),
      h(
        'p',
        { class: 'actions' },
        h(
          'button',
          { type: 'submit', class: dialog.danger ? 'danger' : 'main', 'aria-disabled': dialog.busy },
          dialog.busy ? 'Working' : dialog.confirm,
        ),
        button('Leave it', close),
      ),
    ),
  );
}

const changed = (done) => (answer) =>
  answer.changed === 0 ? 'Nothing had to be changed.' : `${count(answer.changed, 'partition')} ${done}.`;

const REASON = {
  name: 'reason',
  label: 'Reason',
  required: true,
  maxlength: 1000,
  hint: 'For whoever looks at this later.',
};

export const retryAll = (pipeline, failing) =>
  open({
    title: `Retry all that failed in ${pipeline}`,
    text: `${count(failing, 'partition')} that failed or are parked become due now, and their failures are counted anew.`,
    confirm: 'Retry',
    run: () => post(path(['pipelines', pipeline, 'retry']), { partitions: [] }).then(changed('will be tried again')),
  });

export const retry = (pipeline, partition, slice) =>
  open({
    title: `Retry ${partition}`,
    text: 'It becomes due now, and its failures are counted anew.',
    confirm: 'Retry',
    run: () =>
      post(path(['pipelines', pipeline, 'retry']), { partitions: [partition], slice: sliceValues(slice) }).then(
        changed('will be tried again'),
      ),
  });

export const excuse = (pipeline, partition, slice) =>
  open({
    title: `Excuse ${partition}`,
    text: 'It is not expected any more: its window counts as complete without it. An output that is there stays.',
    fields: [REASON],
    confirm: 'Excuse',
    danger: true,
    run: ({ reason }) =>
      post(path(['pipelines', pipeline, 'excuse']), {
        partitions: [partition],
        slice: sliceValues(slice),
        reason,
      }).then(changed('excused')),
  });

export const unexcuse = (pipeline, partition, slice) =>
  open({
    title: `Expect ${partition} again`,
    text: 'It is expected as before it was excused.',
    fields: [REASON],
    confirm: 'Expect it',
    run: ({ reason }) =>
      post(path(['pipelines', pipeline, 'unexcuse']), {
        partitions: [partition],
        slice: sliceValues(slice),
        reason,
      }).then(changed('expected again')),
  });

export const pushChange = (pipeline, partition, slice) =>
  open({
    title: `The input of ${partition} changed`,
    text: 'If it is complete it becomes late, and is made again.',
    fields: [
      { name: 'version', label: 'Version', hint: 'The version that its input has now; leave it empty for a new one.' },
    ],
    confirm: 'Say so',
    run: ({ version }) =>
      post(path(['pipelines', pipeline, 'changed']), {
        partitions: [partition],
        slice: sliceValues(slice),
        version: version || null,
      }).then(changed('marked as changed')),
  });

export const pause = (pipeline) =>
  open({
    title: `Pause ${pipeline}`,
    text: 'Its live work stops until it is resumed; what runs finishes, and backfills are not affected.',
    confirm: 'Pause',
    danger: true,
    run: () =>
      post(path(['pipelines', pipeline, 'pause'])).then(({ changed: was }) =>
        was ? `${pipeline} is paused.` : `${pipeline} was paused already.`,
      ),
  });

/** What a resume will fill; null is not known. */
function gap(missing, first) {
  if (missing === null) {
    return '';
  }
  return missing === 0
    ? '; no closed partition is missing'
    : `, and fills ${count(missing, 'missing partition')}, from ${first[0]}`;
}

export const resume = (pipeline) =>
  open({
    title: `Resume ${pipeline}`,
    text: 'Its live work goes on, and what closed meanwhile is made.',
    confirm: 'Resume',
    run: () =>
      post(path(['pipelines', pipeline, 'resume'])).then(({ missing, first, notices }) =>
        [`${pipeline} goes on${gap(missing, first)}.`, ...notices].join(' '),
      ),
  });

const MODES = [
  ['missing', 'missing: never made, failed, parked'],
  ['failed', 'failed and parked'],
  ['late', 'late'],
  ['stale', 'made with an older definition'],
  ['all', 'all, made again'],
];
const ORDERS = [
  ['', "the pipeline's order"],
  ['oldest', 'oldest first'],
  ['newest', 'newest first'],
];

/** Asks for a range; shows what that is before it is asked for. */
export const backfill = (pipeline, given = {}) =>
  open({
    title: `Backfill ${pipeline}`,
    values: given,
    fields: [
      { name: 'from', label: 'From', required: true, hint: 'The first partition, such as 2026-09-05.' },
      { name: 'to', label: 'To', required: true, hint: 'The last one, inclusive.' },
      { name: 'slice', label: 'Slice', hint: 'Such as unit=istanbul; empty for all.' },
      { name: 'mode', label: 'Which of them', options: MODES, value: 'missing' },
      { name: 'order', label: 'Order', options: ORDERS },
      { name: 'parallel', label: 'At most at once', type: 'number', min: 1, hint: "Empty for the pipeline's limit." },
      { name: 'reason', label: 'Reason', maxlength: 1000 },
    ],
    confirm: 'Show what that is',
    run: async (values) => {
      const asked = {
        ...values,
        request_id: requestId(),
        slice: sliceValues(values.slice.trim()),
        order: values.order || null,
        parallel: values.parallel ? Number(values.parallel) : null,
        reason: values.reason || null,
      };
      return {
        next: preview(pipeline, asked, await post(path(['pipelines', pipeline, 'backfills', 'preview']), asked)),
      };
    },
  });

const DOWNSTREAM = {
  name: 'downstream',
  label: 'And what reads them',
  options: [
    ['', 'is left to become late'],
    ['yes', 'is asked for too'],
  ],
  hint: 'Of the pipelines that you may operate; each waits for its inputs.',
};

function preview(pipeline, asked, { backfill: planned, read_by: readers }) {
  const { partitions, already_requested: already, items } = planned;
  const below = readers.filter((reader) => state.me.operates.includes(reader.pipeline));
  return {
    title: partitions === 0 ? 'There is nothing to ask for' : `Ask for ${count(partitions, 'partition')}?`,
    text: h(
      'div',
      null,
      h(
        'p',
        null,
        `${pipeline}, from ${asked.from} to ${asked.to}, mode ${asked.mode}.`,
        already > 0 && ` ${number(already)} of them are being made or asked for already, and are not made twice.`,
      ),
      items.length > 0 &&
        h(
          'ol',
          { class: 'preview', tabindex: 0, 'aria-label': 'The partitions, in the order in which they run' },
          items.map((item) =>
            h(
              'li',
              null,
              item.partition,
              Object.keys(item.slice).length > 0 && ` ${Object.values(item.slice).join(', ')}`,
            ),
          ),
          partitions > items.length && h('li', null, `and ${number(partitions - items.length)} more`),
        ),
      readers.length > 0 &&
        h(
          'p',
          null,
          'What reads them becomes late with them: ',
          readers.map((reader) => `${reader.pipeline} from ${reader.first} to ${reader.last}`).join('; '),
          '.',
        ),
    ),
    fields: partitions > 0 && below.length > 0 ? [DOWNSTREAM] : [],
    confirm: partitions === 0 ? 'Well then' : `Ask for ${count(partitions, 'partition')}`,
    run: async ({ downstream }) => {
      if (partitions === 0) {
        return 'Nothing was asked for.';
      }
      const { backfill_id: id } = await post(path(['pipelines', pipeline, 'backfills']), asked);
      const ids = [id];
      // From the first to the last: what is asked for below waits for what is asked for above.
      for (const { pipeline: reader, first, last, slice } of downstream ? below : []) {
        const range = { ...asked, from: first, to: last, slice };
        ids.push((await post(path(['pipelines', reader, 'backfills']), range)).backfill_id);
      }
      return ids.length === 1 ? `Backfill ${id} is asked for.` : `Backfills ${ids.join(', ')} are asked for.`;
    },
  };
}

const onBackfill =
  (title, text, action, more = {}) =>
  (one) =>
    open({
      title: `${title} ${one.backfill_id}`,
      text,
      confirm: title,
      ...more,
      run: (values) =>
        post(
          path(['pipelines', one.pipeline, 'backfills', one.backfill_id, action]),
          more.body ? more.body(values) : {},
        ).then((after) => `${one.backfill_id} is ${after.state}.`),
    });

export const pauseBackfill = onBackfill(
  'Pause',
  'Nothing more of it starts until it is resumed; what runs finishes.',
  'pause',
);

export const resumeBackfill = onBackfill('Resume', 'It goes on with what is left.', 'resume');

export const cancelBackfill = onBackfill('Cancel', 'Nothing more of it starts, ever.', 'cancel', {
  danger: true,
  fields: [
    {
      name: 'running',
      label: 'What runs',
      options: [
        ['finish', 'may finish'],
        ['cancel', 'is cancelled too'],
      ],
      value: 'finish',
    },
  ],
  body: ({ running }) => ({ running }),
});

export const setParallel = onBackfill(
  'Set how many at once for',
  'Of this backfill, within the limit of its pipeline.',
  'parallel',
  {
    fields: [{ name: 'parallel', label: 'At most at once', type: 'number', min: 1, required: true }],
    confirm: 'Set',
    body: ({ parallel }) => ({ parallel: Number(parallel) }),
  },
);

/** What an attempt printed, in full. */
export async function showLog(pipeline, partition, slice, token) {
  try {
    const { log } = await get(path(['pipelines', pipeline, 'partitions', partition, 'logs'], { slice, token }));
    open({
      title: `Attempt ${token} of ${partition}`,
      text: h('pre', { tabindex: 0, 'aria-label': 'What it printed' }, log ?? 'It printed nothing.'),
      confirm: 'Done',
      run: async () => 'Closed.',
    });
  } catch (failure) {
    update({ notice: { text: failure.message, bad: true } });
  }
}
