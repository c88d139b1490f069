// Draws an option without a document. The painter's own string, with emphasis
// and animation off, has no <style> element, which the page's content security
// policy would refuse.
function openloopRender(option, width, height) {
  var chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: width, height: height })
  option = JSON.parse(option)
  option.xAxis.concat(option.yAxis).forEach(openloopPowers)
  chart.setOption(option)
  var svg = chart.getZr().painter.renderToString({ cssEmphasis: false, cssAnimation: false, useViewBox: true })
  chart.dispose()
  return svg
}

// Writes the ticks of a decimal log axis as powers where digits would be many:
// 0.00001 is 10⁻⁵. The live chart has the same rule (wasm/glue/src/ticks.js).
function openloopPowers(axis) {
  if (axis.type !== 'log' || axis.logBase !== 10) return
  axis.axisLabel.formatter = function (v) {
    if (v >= 0.001 && v <= 1e6) return echarts.format.addCommas(v)
    return '10' + String(Math.round(Math.log10(v))).replace(/./g, function (c) { return '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(c)] })
  }
}
