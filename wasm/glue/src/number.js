// A number as somebody writes it into a box, in the words of a link.
//
// Pages print 1,024, so whoever copies a number from one must be able to paste it
// into a box. Only what can be read in one way is taken: groups of three behind a
// first group that does not begin with 0, all parted by the same mark. 1,5 and
// 0,512 may be meant as decimals; they stay as they are, and the engine refuses
// them in its own words.

const MARKS = ', \u00a0\u2009\u202f'; // a comma, a blank, and the blanks that keep a number on one line
const GROUPED = new RegExp(`^[-+−]?[1-9]\\d{0,2}([${MARKS}])\\d{3}(?:\\1\\d{3})*(?:\\.\\d+)?$`);

/** The text without the marks between its groups of three, or as it is. */
export function ungrouped(text) {
  const m = GROUPED.exec(text);
  return m ? text.split(m[1]).join('') : text;
}
