// The two keys that work anywhere. Both need a modifier, since a single letter
// may be somebody's screen reader or voice command, and both can be switched off.

import { recall, remember } from './store.js';

const OFF = 'openloop-keys-off';
const mac = /Mac|iP(hone|ad|od)/.test(navigator.platform);

export const modifier = mac ? '⌘' : 'Ctrl';

export const keysOn = () => recall(OFF) === null;
export const switchKeys = (on) => remember(OFF, on ? null : '1');

/** What an event of the keyboard asks for: 'search', 'help' or ''. */
export function shortcut(e) {
  const held = mac ? e.metaKey && !e.ctrlKey : e.ctrlKey && !e.metaKey;
  if (!held || e.altKey || e.shiftKey || !keysOn()) return '';
  return { k: 'search', '/': 'help' }[e.key] || '';
}
