// Entry of assets/page.js, on every page: theme, glossary terms, contents, code,
// print. It may stand in the head or be deferred. The guide has no keyboard
// shortcuts of its own; keys act only on the control that has the focus.

import { restoreTheme, themePick } from './theme.js';
import { terms } from './terms.js';
import { codeCopies, printAll, sections } from './reading.js';

restoreTheme();

function start() {
  themePick();
  terms();
  sections();
  codeCopies();
  printAll();
}

if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start);
else start();
