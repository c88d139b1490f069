// The door to the Go module: bytes in, a status and bytes out.
//
// The module exports input(n), call(op, handle, n, arg), tidy(), text_ptr/len and
// nums_ptr/len (layout: wasm/internal/protocol/doc.go). Every result is read
// right after its call, because the next call may move or reuse the memory.
// A Go program that panicked is gone: the call returns status 4, or nothing at
// all, or throws. All three become Dead here, so that nobody else has to know.

export const PROTOCOL = 1;
export const MAX_INPUT = 1114112; // bytes that input(n) accepts

export const Op = {
  open: 1, set: 2, slide: 3, restore: 4, step: 5, frame: 6, csv: 7, json: 8,
  seeds: 9, seedsStep: 10, seedsFrame: 11, bet: 12, close: 13, seek: 14, room: 15, fault: 99,
};

export const Status = { done: 0, more: 1, problem: 2, noHandle: 3, panic: 4, badCall: 5 };

/** The module can answer no further call. */
export class Dead extends Error {}

export class Engine {
  /**
   * @param {object} exports of the instance, with mem
   * @param {() => boolean} exited says whether the Go program has ended
   */
  constructor(exports, exited = () => false) {
    this.exports = exports;
    this.exited = exited;
    this.encoder = new TextEncoder();
    this.decoder = new TextDecoder();
    const v = exports.protocol_version();
    if (v !== PROTOCOL) {
      throw new Error(`the engine speaks protocol ${v}, this page speaks ${PROTOCOL}: reload the page, or build both again`);
    }
  }

  /** One call. Returns its status (never panic); throws Dead. */
  call(op, handle = 0, input = '', arg = 0) {
    this.alive();
    const size = this.write(input);
    const status = this.run(() => this.exports.call(op, handle, size, arg));
    if (status === Status.panic) throw new Dead(this.text() || 'panic');
    if (status === undefined) throw new Dead('the Go program has ended');
    return status;
  }

  /** Collects garbage, which takes some milliseconds. Throws Dead. */
  tidy() {
    this.alive();
    this.run(() => this.exports.tidy());
  }

  alive() {
    if (this.exited()) throw new Dead('the Go program has ended');
  }

  run(fn) {
    let got;
    try {
      got = fn();
    } catch (err) {
      throw new Dead(String((err && err.message) || err));
    }
    this.alive();
    return got;
  }

  /** Writes as much as the engine takes: it takes more than it reads of any text, and so sees that one is too long. */
  write(input) {
    const bytes = cut(this.encoder.encode(input), MAX_INPUT);
    if (bytes.length === 0) return 0;
    const ptr = this.exports.input(bytes.length);
    if (!ptr) throw new Error(`input of ${bytes.length} bytes, at most ${MAX_INPUT} are taken`);
    new Uint8Array(this.exports.mem.buffer, ptr, bytes.length).set(bytes);
    return bytes.length;
  }

  /** The text result of the last call. */
  text() {
    const n = this.exports.text_len();
    if (!n) return '';
    return this.decoder.decode(new Uint8Array(this.exports.mem.buffer, this.exports.text_ptr(), n));
  }

  /** A copy of the numbers of the last call; its buffer can be transferred. */
  nums() {
    const n = this.exports.nums_len();
    if (!n) return new Float64Array(0);
    return new Float64Array(this.exports.mem.buffer, this.exports.nums_ptr(), n).slice();
  }
}

/** UTF-8 of n bytes at most, ending where a character does. */
function cut(bytes, n) {
  if (bytes.length <= n) return bytes;
  while ((bytes[n] & 0xc0) === 0x80) n--;
  return bytes.subarray(0, n);
}
