// Draws an option without a document. The painter's own string, with emphasis
// and animation off, has no <style> element, which the page's content security
// policy would refuse.
function openloopRender(option, width, height) {
  var chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: width, height: height })
  option = JSON.parse(option)
  openloopPowers(option)
  openloopEnds(option)
  chart.setOption(option)
  openloopApart(chart, height - option.grid.bottom)
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

// Hides the label of an end of an axis that is no step of it, or that is near a power
// of ten: it would crowd the one beside it. The live chart has the same rule (wasm/glue/src/ticks.js).
function openloopEnds(option) {
  ;[option.xAxis[0], option.yAxis[0]].forEach(function (axis) {
    var label = axis.axisLabel
    delete label.showMinLabel
    delete label.showMaxLabel
    if (axis.min == null) return
    if (axis.type === 'log' && axis.logBase === 10) {
      var span = Math.log10(axis.max / axis.min)
      var near = function (v) { var d = Math.log10(v); d = Math.abs(d - Math.round(d)); return d > 1e-6 && d < span / 10 }
      if (near(axis.min)) label.showMinLabel = false
      if (near(axis.max)) label.showMaxLabel = false
    }
    if (axis.type !== 'value') return
    var raw = (axis.max - axis.min) / axis.splitNumber
    var unit = Math.pow(10, Math.floor(Math.log10(raw)))
    var part = raw / unit
    var step = unit * (part < 1.5 ? 1 : part < 2.5 ? 2 : part < 4 ? 3 : part < 7 ? 5 : 10)
    var off = function (v) { return Math.abs(v / step - Math.round(v / step)) > 1e-6 }
    if (off(axis.min)) label.showMinLabel = false
    if (off(axis.max)) label.showMaxLabel = false
  })
}

// Keeps names of lines above the labels of the x axis, and the label of a level away
// from them. The live chart has the same rules, and says why (wasm/glue/src/apart.js).
function openloopApart(chart, bottom) {
  var names = chart._chartsViews.map(function (v) { return v._endLabel }).filter(function (el) { return el && !el.ignore })
  openloopLift(names, bottom + 7)
  chart.getZr().storage.getDisplayList(true)
  chart._componentsViews.forEach(function (view) {
    if (!view.markerGroupMap) return
    view.markerGroupMap.each(function (draw) {
      draw.group.traverse(function (el) {
        var label = el.getTextContent && el.getTextContent()
        if (!label || !/^insideEnd/.test(label.__position)) return
        var at = openloopBox(label)
        var met = names.some(function (n) {
          var b = openloopBox(n)
          return at.left < b.right && b.left < at.right && at.top < b.bottom && b.top < at.bottom
        })
        if (met) label.__position = label.__position.replace('End', 'Start')
      })
    })
  })
}

function openloopLift(names, bottom) {
  var placed = []
  names.slice().sort(function (a, b) { return b.y - a.y }).forEach(function (el) {
    var at = openloopBox(el)
    var limit = bottom
    placed.forEach(function (p) { if (p.left < at.right && at.left < p.right) limit = Math.min(limit, p.top) })
    if (at.bottom > limit) el.attr('y', el.y - (at.bottom - limit))
    placed.push(openloopBox(el))
  })
}

function openloopBox(el) {
  var r = el.getBoundingRect()
  return { left: el.x + r.x, right: el.x + r.x + r.width, top: el.y + r.y, bottom: el.y + r.y + r.height }
}
