// A choice between hidden and shown is a button: what a reader does once a guess is
// made. The list behind it stays what the engine, links and locks know.

/** Presses the button at hand, if it is one of these. */
export function shows({ target }) {
  const button = target instanceof Element && target.closest('[data-show]');
  if (!button) return;
  const list = button.closest('[data-knob]').querySelector('[data-choice]');
  if (list.getAttribute('aria-disabled') === 'true') return; // locked; the words under it say so
  list.value = button.dataset.show;
  list.dispatchEvent(new Event('change', { bubbles: true }));
  const other = button.parentNode.querySelector(`[data-show]:not([data-show=${button.dataset.show}])`);
  requestAnimationFrame(() => { if (document.activeElement === button || document.activeElement === document.body) other.focus(); });
}
