// Draws an option without a document. The painter's own string, with emphasis
// and animation off, has no <style> element, which the page's content security
// policy would refuse.
function openloopRender(option, width, height) {
  var chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: width, height: height })
  option = JSON.parse(option)
  openloopPowers(option)
  chart.setOption(option)
  var svg = chart.getZr().painter.renderToString({ cssEmphasis: false, cssAnimation: false, useViewBox: true })
  chart.dispose()
  return svg
}

// Writes the ticks of a decimal log axis as powers, all of them, where digits
// of any would be many: 0.00001 is 10⁻⁵. The live chart has the same rule
// (wasm/glue/src/ticks.js).
function openloopPowers(option) {
  ;[option.xAxis, option.yAxis].forEach(function (axes, dim) {
    var axis = axes[0]
    if (axis.type !== 'log' || axis.logBase !== 10) return
    var raised = openloopMany(axis, option.series, dim)
    axis.axisLabel.formatter = function (v) {
      if (!raised) return echarts.format.addCommas(v)
      var exp = Math.floor(Math.log10(v) + 1e-9)
      var times = +(v / Math.pow(10, exp)).toPrecision(4)
      var power = '10' + String(exp).replace(/./g, function (c) { return '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(c)] })
      return times === 1 ? power : times + '×' + power
    }
  })
}

// Whether an axis, with its range or the decades around its data, has an end
// with many digits.
function openloopMany(axis, series, dim) {
  if (axis.min != null) return axis.min < 0.001 || axis.max > 1e6
  return series.some(function (s) {
    return !/:hi$/.test(s.id) && s.data.some(function (p) { return p[dim] > 1e6 || p[dim] !== null && p[dim] < 0.001 })
  })
}
