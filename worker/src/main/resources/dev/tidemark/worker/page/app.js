// Shows the view that the address names, and keeps it as the server has it.
import { forgetToken, get, hasToken, read } from './api.js';
import * as backfills from './backfills.js';
import { dialogView } from './dialogs.js';
import { parse } from './links.js';
import * as object from './object.js';
import * as objects from './objects.js';
import * as objectType from './objectType.js';
import { audit, connections, door, exports } from './others.js';
import * as overview from './overview.js';
import { button, h, link } from './parts.js';
import * as partition from './partition.js';
import * as pipeline from './pipeline.js';
import { render } from './preact.js';
import { lookAgain, onChange, onLook, state, update } from './store.js';

const VIEWS = {
  overview,
  pipeline,
  partition,
  backfills,
  objects,
  objectType,
  object,
  exports,
  connections,
  audit,
};
const PLACES = [
  ['#/', 'Overview', ['overview', 'pipeline', 'partition']],
  ['#/backfills', 'Backfills', ['backfills']],
  ['#/objects', 'Objects', ['objects', 'objectType', 'object']],
  ['#/exports', 'Exports', ['exports']],
  ['#/connections', 'Connections', ['connections']],
  ['#/audit', 'Audit', ['audit']],
];

const EVERY = 3_000;
/** Whoever has just done something waits for what comes of it. */
const EAGERLY = 1_000;
const LONGEST = 30_000;

let timer = null;
let failures = 0;
/** Of the newest look: an older one that answers later is not shown. */
let looks = 0;

const current = () => VIEWS[state.route.view];

/** Asks for all that the view shows; what depends on an answer is asked for after it. */
async function look() {
  clearTimeout(timer);
  const mine = ++looks;
  try {
    if (!state.me) {
      const me = await get('/api/me');
      update({ me, locked: false, refused: false });
    }
    const { params } = state.route;
    let wanted;
    let isBusy = false;
    do {
      wanted = current().urls(params, state.data);
      const answers = await Promise.all(wanted.map((url) => fetched(url, mine)));
      isBusy ||= answers.some((answer) => answer.error?.status === 503);
    } while (
      mine === looks &&
      current()
        .urls(params, state.data)
        .some((url) => !state.data[url])
    );
    if (mine !== looks) {
      return;
    }
    // Whoever has too much to do already is asked less often.
    failures = isBusy ? failures + 1 : 0;
    // Only what is shown is kept: an old answer would be shown again as if it were new.
    const kept = new Set(current().urls(params, state.data));
    const data = Object.fromEntries(
      Object.entries(state.data).filter(([url]) => kept.has(url) || url.includes('/output')),
    );
    update({ data, live: { at: new Date(), error: null } });
  } catch (failure) {
    if (mine !== looks) {
      return;
    }
    failures++;
    if (failure.status === 401) {
      update({ locked: true, refused: hasToken(), me: null });
      forgetToken();
      return;
    }
    update({ live: { ...state.live, error: failure.message } });
  }
  const every = Date.now() < state.eagerUntil ? EAGERLY : (current().every ?? EVERY);
  // Nobody looks at what is hidden: it looks again when it is shown.
  if (!document.hidden) {
    timer = setTimeout(look, Math.min(every * 2 ** failures, LONGEST));
  }
}

/** An answer that is an error is shown in its place; no answer at all is said for the whole page. */
async function fetched(url, mine) {
  let answer;
  try {
    answer = { json: await read(url) };
  } catch (error) {
    if (error.status === 0 || error.status === 401) {
      throw error;
    }
    answer = { error };
  }
  if (mine === looks) {
    update({ data: { ...state.data, [url]: answer } });
  }
  return answer;
}

function head() {
  const { live, me, route } = state;
  return h(
    'header',
    null,
    h('a', { class: 'skip', href: '#main', onClick: skip }, 'To the content'),
    h(
      'a',
      { class: 'mark', href: '#/' },
      h('img', { src: '/page/icon.svg', alt: '', width: 24, height: 24 }),
      'Tidemark',
    ),
    h(
      'nav',
      { 'aria-label': 'Main' },
      PLACES.map(([href, text, views]) =>
        link(href, text, views.includes(route.view) ? { 'aria-current': 'page' } : {}),
      ),
    ),
    h(
      'p',
      { class: live.error ? 'live bad' : 'live' },
      live.error ? 'not connected' : live.at ? `as of ${live.at.toTimeString().slice(0, 8)}` : '',
      h('span', { class: 'who' }, me.name),
    ),
  );
}

/** The address says which view is shown, so that a jump within the page must not change it. */
function skip(event) {
  event.preventDefault();
  document.getElementById('main').focus();
}

function page() {
  if (state.locked) {
    return h('main', null, door());
  }
  if (!state.me) {
    return h('main', null, h('p', { class: 'quiet first' }, state.live.error ?? 'Loading'));
  }
  return h(
    'div',
    null,
    head(),
    h(
      'div',
      { role: 'status' },
      state.notice &&
        h(
          'p',
          { class: state.notice.bad ? 'notice bad' : 'notice' },
          state.notice.text,
          ' ',
          button('Dismiss', () => update({ notice: null })),
        ),
    ),
    state.live.error &&
      h(
        'p',
        { class: 'notice bad', role: 'alert' },
        `${state.live.error} What is shown is as of the last answer; it is asked for again by itself.`,
      ),
    h('main', { id: 'main', tabindex: -1 }, current().view(state.route.params, state.data, state)),
    dialogView(),
  );
}

function go() {
  const before = state.route;
  const route = parse(location.hash);
  update({ route, notice: null, dialog: null });
  document.title = `${current().title(route.params)} - Tidemark`;
  if (before.view !== route.view || before.params.pipeline !== route.params.pipeline) {
    window.scrollTo(0, 0);
  }
  lookAgain();
}

onChange(() => render(page(), document.getElementById('page')));
onLook(look);
addEventListener('hashchange', go);
// Nobody sees a hidden tab: it asks for nothing, and at once when it is seen again.
document.addEventListener('visibilitychange', () => (document.hidden ? clearTimeout(timer) : look()));
document.getElementById('page').textContent = '';
go();
