// Draws an option without a document. The painter's own string, with emphasis
// and animation off, has no <style> element, which the page's content security
// policy would refuse.
function openloopRender(option, width, height) {
  var chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: width, height: height })
  chart.setOption(JSON.parse(option))
  var svg = chart.getZr().painter.renderToString({ cssEmphasis: false, cssAnimation: false, useViewBox: true })
  chart.dispose()
  return svg
}
