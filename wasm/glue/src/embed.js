// Entry of assets/embed.js, for other people's pages:
//
//   <script src="https://HOST/assets/embed.js" defer></script>
//   <openloop-demo name="batch-invariance" state="v=1&amp;seed=7&amp;lock=seed"></openloop-demo>
//
// Makes an iframe of the demo's embed page that loads when it comes near, keeps
// it as high as its content says, and leaves a link for those who see no frame.
// What stands in the element is kept until then, so it may hold that link itself.
// Attributes: name, state, height (px, until the demo says more), label (title
// of the frame), src-base (folder of the embed pages; by default beside embed.js).
// A name that no demo has makes no frame: what stands there says so, and which there are.

const script = document.currentScript;
const HEIGHT = 640; // px
const MOST = 20000; // px, larger heights are not believed
const DEMOS = OPENLOOP_DEMOS; // the names of all demos; the bundle has them in its place

/** A paragraph that says what is wrong, and where all demos are listed. */
function refusal(says, base) {
  const p = document.createElement('p');
  const link = document.createElement('a');
  Object.assign(link, { href: new URL('index.html', base).href, textContent: 'what each of them shows' });
  p.append(`openloop-demo: ${says} There are ${DEMOS.join(', ')}; see `, link, '.');
  return p;
}

class OpenloopDemo extends HTMLElement {
  constructor() {
    super();
    this.hear = this.hear.bind(this);
  }

  connectedCallback() {
    addEventListener('message', this.hear);
    if (!this.frame) this.fill();
  }

  disconnectedCallback() {
    removeEventListener('message', this.hear);
  }

  fill() {
    const name = this.getAttribute('name') || '';
    const elsewhere = this.getAttribute('src-base'); // which may be of another edition, with other demos
    const base = new URL((elsewhere || new URL('../embed/', script ? script.src : location.href).href).replace(/\/?$/, '/'), location.href);
    if (!/^[a-z0-9-]+$/.test(name) || (!elsewhere && !DEMOS.includes(name))) {
      this.replaceChildren(refusal(name ? `no demo is called "${name.slice(0, 60)}".` : 'the attribute name is missing.', base));
      return;
    }
    const state = (this.getAttribute('state') || '').replace(/^#/, '');
    const url = new URL(`${name}.html`, base);
    url.hash = state;

    this.frame = document.createElement('iframe');
    Object.assign(this.frame, {
      src: url.href,
      title: this.getAttribute('label') || `Openloop demo: ${name.replace(/-/g, ' ')}`,
      loading: 'lazy',
      allow: 'clipboard-write; fullscreen',
      width: '100%',
      height: String(parseInt(this.getAttribute('height'), 10) || HEIGHT),
    });
    this.frame.style.border = '0';
    const link = document.createElement('a');
    Object.assign(link, { href: url.href, textContent: 'Open the demo in its own page' });
    const line = document.createElement('p');
    line.append(link);
    this.replaceChildren(this.frame, line);
  }

  /** Believes a height only from its own frame, and only a sensible one. */
  hear({ source, data }) {
    if (!this.frame || source !== this.frame.contentWindow || !data || data.subject !== 'lti.frameResize') return;
    if (Number.isFinite(data.height) && data.height > 0 && data.height <= MOST) this.frame.height = String(Math.ceil(data.height));
  }
}

if (!customElements.get('openloop-demo')) customElements.define('openloop-demo', OpenloopDemo);
