// Glossary terms in the text. The server writes a link to the glossary with the
// definition in an attribute; here it becomes a button that shows the definition
// in place: by tap, by focus from the keyboard; Esc, leaving or a second tap
// close it. The link to the whole entry is inside, and a stop for Tab only once
// the reader has asked for the definition, not when merely passing.

let open = null; // {term, pop, asked}
let count = 0;

function close() {
  if (!open) return;
  open.term.setAttribute('aria-expanded', 'false');
  open.term.removeAttribute('aria-describedby');
  open.pop.remove();
  open = null;
}

/** Shows the definition; asked says that the reader wants it and did not just pass. */
function show(term, asked) {
  if (open && open.term === term) {
    if (asked) open.pop.querySelector('a').tabIndex = 0;
    open.asked = open.asked || asked;
    return;
  }
  close();
  const pop = document.createElement('span');
  pop.className = 'term-pop';
  pop.id = `term-pop-${++count}`;
  const words = document.createElement('span');
  words.textContent = term.dataset.definition;
  const more = document.createElement('a');
  more.href = term.href;
  more.textContent = 'Glossary';
  more.tabIndex = asked ? 0 : -1;
  pop.append(words, ' ', more);
  term.after(pop);
  place(pop, term);
  term.setAttribute('aria-expanded', 'true');
  term.setAttribute('aria-describedby', pop.id);
  open = { term, pop, asked };
}

/** Under the last line of the term, moved left as far as the window asks. */
function place(pop, term) {
  const lines = term.getClientRects();
  const line = lines[lines.length - 1];
  const origin = (pop.offsetParent || document.body).getBoundingClientRect();
  const left = Math.max(8, Math.min(line.left, document.documentElement.clientWidth - pop.offsetWidth - 8));
  pop.style.left = `${left - origin.left}px`;
  pop.style.top = `${line.bottom + 4 - origin.top}px`;
}

export function terms() {
  let wasOpen = null; // term that was open when the pointer went down
  for (const term of document.querySelectorAll('a.term[data-definition]')) {
    term.setAttribute('role', 'button');
    term.setAttribute('aria-expanded', 'false');
    term.addEventListener('pointerdown', () => { wasOpen = open && open.term === term ? term : null; });
    term.addEventListener('click', (e) => {
      if (e.ctrlKey || e.metaKey || e.shiftKey) return;
      e.preventDefault();
      const again = e.detail === 0 ? open && open.term === term && open.asked : wasOpen === term;
      if (again) close();
      else show(term, true);
    });
    term.addEventListener('focus', () => { if (term.matches(':focus-visible')) show(term, false); });
    term.addEventListener('keydown', (e) => {
      if (e.key !== ' ') return;
      e.preventDefault();
      term.click();
    });
  }
  addEventListener('keydown', (e) => {
    if (e.key !== 'Escape' || !open) return;
    const { term, pop } = open;
    if (pop.contains(document.activeElement)) term.focus();
    close();
  });
  const outside = (e) => { if (open && !open.pop.contains(e.target) && !open.term.contains(e.target)) close(); };
  for (const type of ['focusin', 'pointerdown']) addEventListener(type, outside);
}
