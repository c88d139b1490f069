// Links: which part of the address is for which demo, and how one is made.
//
// Go alone parses and checks a state (content/demo). Here a link is a list of
// raw key=value parts that are picked, kept and joined, never interpreted or
// decoded. On a page the hash is #demo=ID&STATE, on an embed page #STATE.

export const MAX_LINK = 8192; // bytes that the engine accepts; it refuses a longer link as a whole

/** At most a little more than MAX_LINK, so that the engine still sees that it is too long. */
export function clip(link) {
  return link.length > MAX_LINK ? link.slice(0, MAX_LINK + 64) : link;
}

export function parts(link) {
  return clip(link.replace(/^#/, '')).split('&').filter(Boolean).map((p) => {
    const i = p.indexOf('=');
    return i < 0 ? [p, ''] : [p.slice(0, i), p.slice(i + 1)];
  });
}

export function join(list) {
  return list.map(([k, v]) => `${k}=${v}`).join('&');
}

export function get(link, key) {
  const hit = parts(link).find(([k]) => k === key);
  return hit ? hit[1] : '';
}

/** The id that #demo= names, or ''. */
export function named(hash) {
  return get(hash, 'demo');
}

/**
 * The state that a hash carries for a demo, or null. bare says how much a hash
 * without demo= means: 'any' (embed page: it has nothing else to name), 'v' (the only demo
 * of a page: it must begin with v=) or '' (several demos: nothing).
 */
export function stateFor(hash, id, bare) {
  const link = clip(hash.replace(/^#/, ''));
  const name = named(link);
  if (name) return name === id ? join(parts(link).filter(([k]) => k !== 'demo')) : null;
  const ours = bare === 'any' ? link !== '' : bare === 'v' && /^v=\d/.test(link);
  return ours ? link : null;
}

/** The hash that names a state of a demo. */
export function hashOf(state, id, embedded) {
  return embedded ? `#${state}` : `#demo=${id}&${state}`;
}

/** The names that a link locks. */
export function locks(link) {
  return get(link, 'lock').replace(/%2c/gi, ',').split(',').filter(Boolean);
}

/** target with present's value of whatever present locks; the rest of target as it is. */
export function keepLocks(target, present) {
  const held = locks(present);
  if (held.includes('all')) return present;
  if (!held.length) return target;
  return join([...parts(target).filter(([k]) => !held.includes(k)), ...parts(present).filter(([k]) => held.includes(k))]);
}

/** target with present's seed if that is locked. */
export function keepSeed(target, present) {
  const held = locks(present);
  if (!held.includes('seed') && !held.includes('all')) return target;
  return withKey(target, 'seed', get(present, 'seed'));
}

/** link with one key set. */
export function withKey(link, key, value) {
  return join([...parts(link).filter(([k]) => k !== key), [key, value]]);
}

/** Whether two canonical links give these keys the same values. */
export function same(a, b, keys) {
  return keys.every((k) => get(a, k) === get(b, k));
}

const LOOKS = ['v', 'lock', 'hide', 'theme', 'engine']; // parts of a link that make no other run

/** Whether a link is the run of a state, as far as that is seen without the engine. */
export function sameRun(link, state) {
  const run = (list) => join(list.filter(([k]) => !LOOKS.includes(k)).sort());
  const seed = get(link, 'seed') ? [] : [['seed', get(state, 'seed')]];
  return run([...parts(link), ...seed]) === run(parts(state));
}
