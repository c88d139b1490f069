// The option of a chart that no build has drawn: one metric over many seeds, as
// points with a line at the median. Its parts are those of site/internal/chart,
// so that patch() fills it like any other.

import { short } from './option.js';

const text = { color: 'var(--soft)', fontSize: 13 };
const line = { lineStyle: { color: 'var(--soft)' } };

export function spreadOption() {
  return {
    textStyle: { color: 'var(--ink)', fontSize: 13 },
    grid: { left: 62, right: 74, top: 40, bottom: 46 },
    tooltip: { backgroundColor: 'var(--card)', borderColor: 'var(--line)', textStyle: { color: 'var(--ink)', fontSize: 13 } },
    xAxis: [{
      type: 'value', nameLocation: 'middle', nameGap: 28, nameTextStyle: text, minInterval: 1, splitNumber: 6, scale: true,
      axisLabel: text, axisLine: line, axisTick: line, splitLine: { show: false },
    }],
    yAxis: [{
      type: 'value', nameLocation: 'end', nameGap: 18, nameTextStyle: { ...text, align: 'left' }, splitNumber: 4, scale: true,
      axisLabel: { ...text, formatter: short }, axisLine: { show: false }, axisTick: { show: false }, splitLine: { lineStyle: { color: 'var(--line)' } },
    }],
    series: [
      { id: 'runs', type: 'scatter', symbolSize: 8, itemStyle: { color: 'var(--ink)' }, data: [] },
      {
        id: 'ol:marks', type: 'line', data: [], silent: true, tooltip: { show: false },
        markLine: { silent: true, symbol: ['none', 'none'], lineStyle: { color: 'var(--soft)', type: 'dashed', width: 1.2 }, label: { formatter: '{b}', ...text }, data: [] },
        markArea: { silent: true, data: [] },
      },
    ],
  };
}
