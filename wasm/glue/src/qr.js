// A QR code as one path of SVG, with the quiet zone that its standard asks for.

import { encode } from 'uqr';

const QUIET = 4; // modules

/** {size, path} in modules; throws on a text that no QR code holds. */
export function qr(text) {
  const { size, data } = encode(text, { border: 0 });
  const path = data.flatMap((row, y) => row.map((on, x) => (on ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ''))).join('');
  return { size: size + 2 * QUIET, path };
}
