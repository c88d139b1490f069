// Entry of assets/tools.js, which page.js loads when a reader first uses one of
// the tools in the head of a page: search, and the list of keys.

import { help } from './help.js';
import { search } from './search.js';

window['openloop/tools'] = { help, search };
