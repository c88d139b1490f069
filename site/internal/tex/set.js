function openloopSet(tex, display) {
  return katex.renderToString(tex, { output: 'mathml', displayMode: display, throwOnError: true, strict: 'error', trust: false })
}
