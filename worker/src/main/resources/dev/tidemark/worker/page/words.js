// How things are said and written.

/** The kinds of a partition, the one that needs somebody most first. */
export const KINDS = [
  'parked',
  'failed',
  'lost',
  'late',
  'missing',
  'running',
  'queued',
  'skipped',
  'excused',
  'complete',
];

const MEANINGS = {
  parked: 'failed too often, and waits for a person',
  failed: 'failed, and is tried again',
  lost: 'its output is gone from the store',
  late: 'complete, and its input changed since',
  missing: 'closed, and never made',
  running: 'is being made',
  queued: 'will be made',
  skipped: 'passed over by the catch-up policy',
  excused: 'taken out by a person',
  complete: 'made from the newest input',
};

export const meaning = (kind) => MEANINGS[kind] ?? kind;

/** The kind that decides how a cell looks. */
export const worst = (counts) => KINDS.find((kind) => counts[kind] > 0) ?? 'none';

export const total = (counts) => Object.values(counts).reduce((sum, n) => sum + n, 0);

/** `3 failed, 21 complete`. */
export const tally = (counts) =>
  KINDS.filter((kind) => counts[kind] > 0)
    .map((kind) => `${number(counts[kind])} ${kind}`)
    .join(', ') || 'nothing yet';

const NUMBER = new Intl.NumberFormat('en');

export const number = (n) => NUMBER.format(n);

export const count = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;

export function bytes(n) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
  let power = 0;
  let left = n;
  while (left >= 1000 && power < units.length - 1) {
    left /= 1000;
    power++;
  }
  return `${power === 0 ? left : left.toFixed(left < 10 ? 1 : 0)} ${units[power]}`;
}

/** `2026-09-05 13:15:02 UTC`: what people compare with logs. */
export const instant = (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const STEPS = [
  ['day', 86400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

/** `4 minutes ago`. */
export function ago(iso) {
  const seconds = (Date.parse(iso) - Date.now()) / 1000;
  const [unit, length] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return RELATIVE.format(Math.round(seconds / length), unit);
}

/** `1 min 4 s`. */
export const between = (from, to) => duration(Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000)));

/** `2 h 5 min`. */
export function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) {
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** The canonical text of a slice as dimensions and values. */
export const sliceValues = (canonical) =>
  Object.fromEntries(
    (canonical ? canonical.split('/') : []).map((part) => {
      const equals = part.indexOf('=');
      return [part.slice(0, equals), decodeURIComponent(part.slice(equals + 1))];
    }),
  );

/** `rain, istanbul`, and with the names of its dimensions `category rain, unit istanbul`. */
export const sliceText = (canonical) =>
  Object.entries(sliceValues(canonical))
    .map(([dimension, value]) => `${dimension} ${value}`)
    .join(', ');

/** Java's name of UTC says little to people. */
export const zone = (name) => (name === 'Z' ? 'UTC' : name);

/** What counts as trouble in a status. */
export const failing = (status) => (status.counts.failed ?? 0) + (status.counts.parked ?? 0);
