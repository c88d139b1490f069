// Ways out of a demo: clipboard, file, iframe code. Each has a fallback, since
// a frame may refuse any of them without an error; what was to leave is then
// shown as text that can be selected.

/** Copies text; resolves with whether it is believed to have worked. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOld(text);
  }
}

function copyOld(text) {
  const active = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  document.body.append(area);
  area.select();
  let ok = false;
  try {
    ok = document.execCommand('copy');
  } catch { /* refused */ }
  area.remove();
  if (active && active.focus) active.focus({ preventScroll: true });
  return ok;
}

/** Offers text as a file. Resolves with false where a frame may have dropped it silently. */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const a = document.createElement('a');
  a.href = url;
  a.download = name;
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  return window.parent === window;
}

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHTML(text) {
  return String(text).replace(/[&<>"']/g, (c) => ESCAPES[c]);
}

const SANDBOX = 'allow-scripts allow-same-origin allow-downloads allow-popups allow-forms';

/**
 * The iframe to hand out. base is the address of this page, which is the demo's
 * own if embed is empty: absolute code if it is on the web, else a relative path
 * and a word about it.
 */
export function embedCode({ embed, title, state, height, base }) {
  const full = new URL(embed || base.split('#')[0], base);
  const web = full.protocol === 'https:' || full.protocol === 'http:';
  const src = web ? full.href : embed.replace(/^(\.\.?\/)+/, '') || full.pathname.split('/').pop();
  const code = `<iframe src="${escapeHTML(`${src}#${state}`)}"\n`
    + `        title="${escapeHTML(title)}, interactive" width="100%" height="${height}"\n`
    + '        loading="lazy" allow="clipboard-write; fullscreen"\n'
    + `        sandbox="${SANDBOX}"></iframe>`;
  const note = web ? '' : 'This copy is not on a web address: put it on your host and point src at it. From a folder (file://) a frame works only without the sandbox attribute.';
  return { code, note };
}
