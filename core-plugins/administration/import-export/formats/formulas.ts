/** Texts that spreadsheets treat as formulas, full-width signs included, after any number of the apostrophes added here. */
const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const number = /^[+-]?\d+(\.\d+)?$/
const mark = "'"

/** Prefixes an apostrophe to a text that a spreadsheet would run as a formula. */
export function guardFormula(text: string): string {
  return formula.test(text) && !number.test(text) ? mark + text : text
}

/** Removes the apostrophe again. */
export function unguardFormula(cell: string): string {
  return cell.startsWith(mark) && formula.test(cell) && !number.test(cell.slice(1)) ? cell.slice(1) : cell
}
