// A demo that is one file has no site around it: links to the site's pages, which
// the engine writes as seen from a folder of it, become words, or lead to where
// the site is.

/**
 * Mends links in what is there now and in what is put there later.
 * @param root element
 * @param top  address of the site, ending in a slash; '' if there is none
 */
export function outward(root, top) {
  const mend = () => {
    for (const a of root.querySelectorAll('a[href^="../"]')) {
      if (top) a.setAttribute('href', top + a.getAttribute('href').slice(3));
      else a.replaceWith(...a.childNodes);
    }
  };
  mend();
  new MutationObserver(mend).observe(root, { childList: true, subtree: true });
}
