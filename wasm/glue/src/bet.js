// The bet: an answer is chosen before it is shown. The engine runs the state
// that reveals it, knows the right option, and scores the choice.

import { betResult } from './fragments.js';

export class Bet {
  /**
   * @param root     element data-bet
   * @param onChoose (option) => Promise<{score, answer, feedback, found} or null>
   */
  constructor(root, onChoose) {
    this.root = root;
    this.onChoose = onChoose;
    this.chips = [...root.querySelectorAll('[data-bet-option]')];
    this.answered = false;
    this.busy = false;
    root.addEventListener('click', ({ target }) => {
      const chip = target.closest('[data-bet-option]');
      if (chip && !this.answered && !this.busy) this.choose(chip);
    });
  }

  async choose(chip) {
    this.busy = true;
    this.chips.forEach((c) => c.setAttribute('aria-pressed', String(c === chip)));
    const box = this.root.querySelector('[data-bet-result]');
    betResult(box, null); // at once: until the answer comes, what is shown is of other settings
    const result = await this.onChoose(Number(chip.dataset.betOption));
    this.busy = false;
    if (!result) {
      betResult(box, undefined);
      return this.chips.forEach((c) => c.removeAttribute('aria-pressed'));
    }
    this.answered = true;
    const right = this.chips.find((c) => Number(c.dataset.betOption) === result.answer);
    right.dataset.right = '';
    this.chips.forEach((c) => c.setAttribute('aria-disabled', 'true'));
    betResult(box, result, right.textContent.trim());
  }
}
