// Entry of assets/moved.js, in the head of a page that stands where another one
// was: goes to where that is now, with whatever the old address asked for.

import { destination } from './destination.js';

const { moved, parts } = document.documentElement.dataset;
if (moved) location.replace(destination(moved, location.search, location.hash, JSON.parse(parts ?? '{}')));
