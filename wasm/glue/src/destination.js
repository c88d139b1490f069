// Where an old address leads: a link to a section or to a state of a demo keeps
// it, since demos and headings move with their page, unless parts says where one of them
// went alone.

export function destination(moved, search, hash, parts = {}) {
  const part = Object.hasOwn(parts, hash.slice(1)) ? parts[hash.slice(1)] : undefined;
  const [file, own] = (part ?? moved).split('#');
  if (part) return `${file}${search}${own ? `#${own}` : ''}`;
  return file + search + (hash.length > 1 ? hash : own ? `#${own}` : '');
}
