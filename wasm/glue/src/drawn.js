// Draws an option without a document: the build's entry, which finds echarts as a
// global. The painter's own string, with emphasis and animation off, has no <style>
// element, which the page's content security policy would refuse. Labels and ticks
// follow the rules of the live charts.

import { apart } from './apart.js';
import { ends, powers } from './ticks.js';

globalThis.openloopRender = (text, width, height) => {
  const chart = globalThis.echarts.init(null, null, { renderer: 'svg', ssr: true, width, height });
  const option = JSON.parse(text);
  powers(option);
  ends(option);
  chart.setOption(option);
  apart(chart, height - option.grid.bottom);
  const svg = chart.getZr().painter.renderToString({ cssEmphasis: false, cssAnimation: false, useViewBox: true });
  chart.dispose();
  return svg;
};
