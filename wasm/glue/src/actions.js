// What the buttons in a demo's foot do. Each takes the ol-demo element.

import { copy, download, embedCode } from './share.js';
import { hashOf } from './hash.js';

const SEEDS = 30;

/** Shows text below the demo, where it can be selected. */
async function show(demo, out) {
  demo.out = out;
  await demo.updateComplete;
  demo.part('out').scrollIntoView({ block: 'nearest' });
}

/** Copies text and shows it, for those who must copy by hand. */
async function offer(demo, { label, text, note }) {
  const ok = await copy(text);
  await show(demo, { label, text, note, status: ok ? 'Copied.' : 'Select the text and copy it.' });
  if (!ok) demo.part('out').querySelector('textarea').select();
}

/** Saves text as a file; in a frame, which may drop files without a word, shows it too. */
function save(demo, name, type, text) {
  if (download(name, type, text)) return demo.live.say(`Saved ${name}.`, 0);
  return show(demo, { label: name, text, status: '', note: 'If no file was saved, the page around this demo does not allow it: copy the text instead.' });
}

export const actions = {
  /** Past the bar of time and the figures, for those who go by keyboard. */
  settings: (demo) => demo.part('knobs').querySelector('select,input,summary')?.focus(),

  undo: (demo) => demo.flow.undo(),
  redo: (demo) => demo.flow.redo(),
  reset: (demo) => demo.flow.restore(demo.flow.base),

  async csv(demo) {
    if (await demo.flow.ready()) await save(demo, `openloop-${demo.demo}.csv`, 'text/csv', await demo.session.csv());
  },

  async seedsCSV(demo) {
    const there = () => demo.spread && demo.spread.generation === demo.session.generation;
    if (!(await demo.flow.ready())) return;
    if (!there()) await actions.seeds(demo); // the engine that ran them is gone
    if (there()) await save(demo, `openloop-${demo.demo}-seeds.csv`, 'text/csv', await demo.session.csv(true));
  },

  async svg(demo) {
    const text = await demo.figures.svg();
    if (text) return save(demo, `openloop-${demo.demo}.svg`, 'image/svg+xml', text);
    return demo.notify({ text: 'This demo has no chart to save; its tables are in the CSV file.' });
  },

  link(demo) {
    const here = location.href.split('#')[0];
    return offer(demo, { label: 'Link to these settings', text: here + hashOf(demo.flow.state, demo.demo, demo.embedded) });
  },

  embed(demo) {
    const { code, note } = embedCode({
      embed: demo.info.embed,
      title: demo.info.title,
      state: demo.flow.state,
      height: Math.min(1100, Math.max(480, Math.ceil(demo.getBoundingClientRect().height / 20) * 20)), // open panels are not part of it
      base: location.href,
    });
    return offer(demo, { label: 'Code for your page', text: code, note });
  },

  /** Repeats the run over seeds. The word on the button says how many. */
  async seeds(demo) {
    if (!(await demo.flow.ready())) return;
    demo.busy(`Running ${SEEDS} seeds…`);
    try {
      const got = await demo.session.seeds(SEEDS, (share) => demo.busy(`Running ${SEEDS} seeds`, share));
      if (got && !got.frame.figures.length) demo.notify({ text: 'No number of this demo depends on the seed.' });
      else if (got) await demo.showSeeds(got);
    } finally {
      demo.busy('');
    }
  },
};

/** Copies what the text box shows, once more. */
export async function copyOut(demo) {
  const ok = await copy(demo.out.text);
  demo.out = { ...demo.out, status: ok ? 'Copied.' : 'Select the text and copy it.' };
}
