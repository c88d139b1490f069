// Where an old address leads: a link to a section or to a state of a demo keeps
// it, since demos and headings move with their page.

export function destination(moved, search, hash) {
  const [file, own] = moved.split('#');
  return file + search + (hash.length > 1 ? hash : own ? `#${own}` : '');
}
