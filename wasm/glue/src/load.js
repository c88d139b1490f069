// Lazy classic scripts, once each. A script that failed may be tried again.
//
// No import(), no fetch: neither works from file:// or in a sandboxed frame.

const loading = new Map();

/** Loads url and resolves with what it left in window[name]; rejects with an Error that names the file. */
export function loadScript(url, name) {
  if (window[name]) return Promise.resolve(window[name]);
  if (!loading.has(url)) {
    loading.set(url, new Promise((resolve, reject) => {
      const el = document.createElement('script');
      el.src = url;
      const fail = (why) => {
        loading.delete(url);
        el.remove();
        reject(new Error(`${url.split('/').pop()} ${why}`));
      };
      el.onload = () => (window[name] ? resolve(window[name]) : fail('is not what it should be'));
      el.onerror = () => fail('could not be loaded');
      document.head.append(el);
    }));
  }
  return loading.get(url);
}
