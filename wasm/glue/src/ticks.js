// Ticks of a decimal log axis as powers where digits of any would be many: 0.00001
// is 10⁻⁵; and which ends of an axis have a label. These are rules for both live and
// static charts that an option, which is data, cannot carry.

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
  return series.some((s) => !s.id.endsWith(':hi') && s.data.some((p) => p[dim] > 1e6 || p[dim] !== null && p[dim] < 0.001));
}

/**
 * Hides the label of an end of an axis that is no step of it, or that is near a power
 * of ten: it would crowd the one beside it. Steps are as echarts makes them.
 */
export function ends(option) {
  for (const [axis] of [option.xAxis, option.yAxis]) {
    const label = { ...axis.axisLabel, showMinLabel: null, showMaxLabel: null }; // null undoes an earlier one
    axis.axisLabel = label;
    if (typeof axis.min !== 'number') continue;
    if (axis.type === 'log' && axis.logBase === 10) {
      const near = (v) => {
        const far = Math.abs(Math.log10(v) - Math.round(Math.log10(v)));
        return far > 1e-6 && far < Math.log10(axis.max / axis.min) / 10;
      };
      if (near(axis.min)) label.showMinLabel = false;
      if (near(axis.max)) label.showMaxLabel = false;
    }
    if (axis.type !== 'value') continue;
    const raw = (axis.max - axis.min) / axis.splitNumber;
    const unit = 10 ** Math.floor(Math.log10(raw));
    const part = raw / unit;
    const step = unit * (part < 1.5 ? 1 : part < 2.5 ? 2 : part < 4 ? 3 : part < 7 ? 5 : 10);
    const off = (v) => Math.abs(v / step - Math.round(v / step)) > 1e-6;
    if (off(axis.min)) label.showMinLabel = false;
    if (off(axis.max)) label.showMaxLabel = false;
  }
}

/** Four digits at most, with thousands apart. The build's interpreter knows no locales. */
export function digits(v) {
  const [whole, part] = String(Number(v.toPrecision(4))).split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (part ? `.${part}` : '');
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
