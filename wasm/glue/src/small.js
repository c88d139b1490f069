// A live chart in the place of a small picture, which has one size: the option that
// the build made for it is laid out in that already.

import { LiveChart } from './charts.js';

export class SmallChart extends LiveChart {
  size() {
    this.shapes[1] = this.shapes[0]; // narrow or not
    super.size();
  }
}
