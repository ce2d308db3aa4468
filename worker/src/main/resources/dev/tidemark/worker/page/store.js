// The state of the page, in one place. Every change draws it anew; what is the same stays as it is.

export const state = {
  /** Who asks, and what they may: the answer of /api/me. Null before it is known. */
  me: null,
  /** The server wants a token. */
  locked: false,
  route: { view: 'overview', params: {} },
  /** By URL: {json} or {error}. */
  data: {},
  /** The dialog that is open; see dialogs.js. */
  dialog: null,
  /** What was done last: {text, bad}. */
  notice: null,
  /** When the server last answered, and what is wrong if it does not. */
  live: { at: null, error: null },
  /** Until then the server is asked more often: something was done. */
  eagerUntil: 0,
};

let draw = () => {};

export const onChange = (drawing) => {
  draw = drawing;
};

export function update(changes) {
  Object.assign(state, changes);
  draw();
}

let look = () => Promise.resolve();

export const onLook = (looking) => {
  look = looking;
};

/** Asks the server now, not at the next tick. */
export const lookAgain = () => look();
