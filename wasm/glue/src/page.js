// Entry of assets/page.js, on every page: theme, glossary terms, contents, code,
// print, and what loads the rest when it is wanted: demos, search, the list of
// keys. It may stand in the head or be deferred.

import { restoreTheme, themePick } from './theme.js';
import { terms } from './terms.js';
import { codeCopies, printAll, sections } from './reading.js';
import { head } from './head.js';
import { wake } from './wake.js';

const { demos, tools } = document.currentScript.dataset;

restoreTheme();

function start() {
  for (const says of document.querySelectorAll('.unscripted')) says.remove();
  themePick();
  terms();
  sections();
  codeCopies();
  printAll();
  head(tools);
  wake(demos);
  follow();
}

// follow goes on from a section, or a state of a demo, that is on another page now.
function follow() {
  const { hash } = location;
  const demo = /^#demo=([a-z0-9-]+)/.exec(hash)?.[1];
  const to = document.getElementById(demo ? `demo-${demo}` : hash.slice(1))?.dataset.moved;
  if (to) location.replace(demo ? to.split('#')[0] + hash : to);
}

if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start);
else start();
