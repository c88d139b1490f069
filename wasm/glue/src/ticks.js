// Ticks of a decimal log axis as powers where digits of any would be many: 0.00001
// is 10⁻⁵. The static chart has the same rule (site/internal/chart/render.js); it
// stands in JavaScript twice because an option is data and cannot carry it.

const DIGITS = '-0123456789';
const RAISED = '⁻⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Gives the decimal log axes of an option their ticks: all of an axis in digits, or all in powers. */
export function powers(option) {
  [option.xAxis, option.yAxis].forEach(([axis], dim) => {
    if (axis.type !== 'log' || axis.logBase !== 10) return;
    axis.axisLabel = { ...axis.axisLabel, formatter: many(axis, option.series, dim) ? power : digits };
  });
}

/** Whether an axis, with its range or the decades around its data, has an end with many digits. */
function many({ min, max }, series, dim) {
  if (typeof min === 'number') return min < 0.001 || max > 1e6;
  return series.some((s) => !s.id.endsWith(':hi') && s.data.some((p) => p[dim] > 1e6 || p[dim] < 0.001));
}

export function digits(v) {
  return v.toLocaleString('en-US', { maximumSignificantDigits: 4 });
}

export function power(v) {
  const exp = Math.floor(Math.log10(v) + 1e-9);
  const times = Number((v / 10 ** exp).toPrecision(4));
  return `${times === 1 ? '' : `${times}×`}10${raised(exp)}`;
}

/** A whole number in superscript. */
export function raised(n) {
  return String(n).replace(/./g, (c) => RAISED[DIGITS.indexOf(c)]);
}
