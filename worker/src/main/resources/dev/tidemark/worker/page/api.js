// How the page asks the server. It has no way of its own: everything is in /api/openapi.json.

const TOKEN = 'tidemark.token';

/** An answer that is an error: the server's words, and its status (0: there was no answer). */
export class ApiError extends Error {
  constructor(status, error) {
    super(error.message);
    this.status = status;
    this.field = error.field;
  }
}

/** The token lives as long as the tab; a cookie would be sent by other sites' pages too. */
export const setToken = (token) => sessionStorage.setItem(TOKEN, token);

export const forgetToken = () => sessionStorage.removeItem(TOKEN);

export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;

async function ask(path, options) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  let response;
  try {
    // The browser keeps the last answer, and asks whether it still holds (ETag).
    response = await fetch(path, { ...options, headers, cache: 'no-cache' });
  } catch (lost) {
    throw new ApiError(0, { message: 'The worker that serves this page cannot be reached.' });
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    const unknown = { message: `The server answered ${response.status}.` };
    throw new ApiError(response.status, body.error ?? unknown);
  }
  return body;
}

export const get = (path) => ask(path, {});

/** Acts. The header shows that a script of this page asks, and no form of another site. */
export const post = (path, body = {}) =>
  ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Tidemark': '1' },
    body: JSON.stringify(body),
  });

/** A question that is too long for an address, as a text: `read` asks it. */
export const question = (path, body) => `${path} ${JSON.stringify(body)}`;

/** Asks for what a view shows: a path, or a question. */
export function read(asked) {
  const space = asked.indexOf(' ');
  return space < 0 ? get(asked) : post(asked.slice(0, space), JSON.parse(asked.slice(space + 1)));
}

/** A path under /api, its steps encoded; what of the query is undefined or empty is left out. */
export function path(steps, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const asked = new URLSearchParams(given).toString();
  return `/api/${steps.map(encodeURIComponent).join('/')}${asked ? `?${asked}` : ''}`;
}

/** A random name for a request: sent twice, it is done once. */
export const requestId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('');
