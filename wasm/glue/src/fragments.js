// The few pieces of HTML that are made in the browser. lit escapes everything
// that is put into them; text from links or other windows never gets past it.

import { html, render, nothing } from 'lit-html';

/** Renders into root; the first time, what the server put there goes away. */
function fill(root, content) {
  if (!root.filled) root.textContent = '';
  root.filled = true;
  render(content, root);
}

/** List of notices: [{text, items, action, run}]; close(note) takes one away. */
export function notices(root, list, close) {
  const one = (n) => html`<div class="notice">
    <div class="notice-text"><p>${n.text}</p>
      ${n.items ? html`<ul>${n.items.map((item) => html`<li>${item}</li>`)}</ul>` : nothing}</div>
    ${n.action ? html`<button type="button" @click=${n.run}>${n.action}</button>` : nothing}
    <button type="button" class="notice-close" aria-label="Dismiss" @click=${() => close(n)}>×</button>
  </div>`;
  fill(root, list.map(one));
}

/** What the engine says to a bet: {score, answer, feedback, found} and the option's own words; null while it computes, undefined for none. */
export function betResult(root, result, right) {
  if (!result) return fill(root, result === undefined ? nothing : html`<span class="bet-wait">Computing the answer …</span>`);
  const verdict = result.score >= 1 ? 'Right.' : result.score > 0 ? 'Close.' : 'Not this time.';
  fill(root, html`<b>${verdict}</b> ${result.feedback}
    ${result.score >= 1 ? nothing : html`<span class="bet-answer">The engine's answer: ${right}.</span>`}
    ${result.found ? html`<span class="bet-found">Computed: ${result.found}.</span>` : nothing}
    <span class="bet-next">The settings are now those of the question; explore freely.</span>`);
}

/** A box with text that can be selected: {label, text, status, note}, or null for none. */
export function outBox(root, out, actions) {
  root.hidden = !out;
  if (!out) return fill(root, nothing);
  const rows = Math.min(12, out.text.split('\n').length + 1);
  fill(root, html`<label class="out-label"><span>${out.label}</span>
      <textarea readonly spellcheck="false" wrap="off" rows=${rows} .value=${out.text}></textarea></label>
    ${out.note ? html`<p class="out-note">${out.note}</p>` : nothing}
    <p class="out-actions"><button type="button" @click=${actions.copy}>Copy</button>
      <button type="button" @click=${actions.close}>Close</button>
      <span role="status">${out.status}</span></p>`);
}

/** A spread over seeds: the panel that Go made, and what can be done with it; null takes it away. */
export function spread(root, frame, actions) {
  root.hidden = !frame;
  fill(root, frame ? html`<div class="seeds-panel" .innerHTML=${frame.html}></div>
    <p class="out-actions"><button type="button" @click=${actions.csv}>CSV of all seeds</button>
      <button type="button" @click=${actions.close}>Close</button></p>` : nothing);
}
