// A settings form without a browser: just enough of the DOM for knobs.js, with one
// knob that has a box and a slider, whose text is its position.

function element(data, of = {}) {
  const el = {
    attributes: {}, dataset: data, value: '', textContent: '', hidden: true, readOnly: false,
    getAttribute: (k) => el.attributes[k] ?? null,
    hasAttribute: (k) => k in el.attributes,
    setAttribute: (k, v) => { el.attributes[k] = v; },
    removeAttribute: (k) => { delete el.attributes[k]; },
    matches: (selector) => selector.split(',').some((s) => camel(s) in el.dataset && !s.startsWith('textarea')),
    closest: (selector) => (camel(selector) in el.dataset ? el : el.parent && el.parent.closest(selector)),
    querySelector: (selector) => selector.split(',').map((s) => of[camel(s)]).find(Boolean) || null,
    querySelectorAll: () => Object.values(of),
    ...of.own,
  };
  delete of.own;
  for (const child of Object.values(of)) child.parent = el;
  return el;
}

const camel = (selector) => (/\[data-([\w-]+)/.exec(selector) || [, ''])[1].replace(/-(\w)/g, (_, c) => c.toUpperCase());

/** {form, box, slider, fire(type, target, more)}: fire calls what listens on the form. */
export function formOf(name) {
  const [box, slider, problem] = ['box', 'slider', 'problem'].map((x) => element({ [x]: '' }));
  Object.assign(box, { type: 'text' });
  Object.assign(slider, { type: 'range' });
  const knob = element({ knob: name }, { box, slider, problem });
  const listeners = {};
  const form = element({ knobs: '' }, { own: { addEventListener: (type, fn) => { listeners[type] = fn; } }, knob });
  form.closest = () => ({ id: 'demo' });
  form.querySelectorAll = (selector) => (selector === '[data-knob]' ? [knob] : []);
  const fire = (type, target, more = {}) => listeners[type] && listeners[type]({ target, preventDefault() {}, ...more });
  return { form, box, slider, fire };
}
