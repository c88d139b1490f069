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

const script = document.currentScript;
const HEIGHT = 640; // px
const MOST = 20000; // px, larger heights are not believed

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
    if (!/^[a-z0-9-]+$/.test(name)) {
      this.textContent = 'openloop-demo: name must be the id of a demo, such as batch-invariance.';
      return;
    }
    const base = this.getAttribute('src-base') || new URL('../embed/', script ? script.src : location.href).href;
    const state = (this.getAttribute('state') || '').replace(/^#/, '');
    const url = new URL(`${name}.html`, new URL(base.replace(/\/?$/, '/'), location.href));
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
