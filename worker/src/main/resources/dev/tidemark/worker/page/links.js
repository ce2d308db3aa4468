// Addresses within the page: all that a view depends on is in them, so that they can be handed on.

const hash = (steps, query = {}) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const asked = new URLSearchParams(given).toString();
  return `#/${steps.map(encodeURIComponent).join('/')}${asked ? `?${asked}` : ''}`;
};

export const pipelineLink = (pipeline, query) => hash(['pipelines', pipeline], query);

export const partitionLink = (pipeline, partition, slice) => hash(['pipelines', pipeline, partition], { slice });

/** Where a window is shown with all of its slices: for who knows no slice. */
export const windowLink = (pipeline, cell) => pipelineLink(pipeline, { cell });

export const objectTypeLink = (type, query) => hash(['objects', type], query);

export const objectLink = (type, key, query) => hash(['objects', type, key], query);

/** The view and its parameters that an address names. */
export function parse(address) {
  const [steps, query = ''] = address.replace(/^#\/?/, '').split('?');
  const [view = '', first, second] = steps.split('/').map(decodeURIComponent);
  const params = Object.fromEntries(new URLSearchParams(query));
  if (view === 'pipelines' && first) {
    return second
      ? { view: 'partition', params: { ...params, pipeline: first, partition: second } }
      : { view: 'pipeline', params: { ...params, pipeline: first } };
  }
  if (view === 'objects' && first) {
    return second
      ? { view: 'object', params: { ...params, type: first, key: second } }
      : { view: 'objectType', params: { ...params, type: first } };
  }
  return { view: ['backfills', 'objects', 'exports', 'connections', 'audit'].includes(view) ? view : 'overview', params };
}
