// Ticks of a decimal log axis as powers where digits would be many: 0.00001 is
// 10⁻⁵. The static chart has the same rule (site/internal/chart/render.js); it
// stands in JavaScript twice because an option is data and cannot carry it.

const DIGITS = '-0123456789';
const RAISED = '⁻⁰¹²³⁴⁵⁶⁷⁸⁹';

export function powers(axis) {
  if (axis.type !== 'log' || axis.logBase !== 10) return;
  axis.axisLabel = { ...axis.axisLabel, formatter: tick };
}

export function tick(v) {
  if (v >= 0.001 && v <= 1e6) return v.toLocaleString('en-US', { maximumSignificantDigits: 4 });
  return `10${raised(Math.round(Math.log10(v)))}`;
}

/** A whole number in superscript. */
export function raised(n) {
  return String(n).replace(/./g, (c) => RAISED[DIGITS.indexOf(c)]);
}
