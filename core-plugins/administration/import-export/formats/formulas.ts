/** What spreadsheets take for a formula, full-width signs included, behind any number of our own marks. */
const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const number = /^[+-]?\d+(\.\d+)?$/
const mark = "'"

/** Marks a text that a spreadsheet would run; numbers are no formulas. */
export function guardFormula(text: string): string {
  return formula.test(text) && !number.test(text) ? mark + text : text
}

/** The text that was marked. */
export function unguardFormula(cell: string): string {
  return cell.startsWith(mark) && formula.test(cell) && !number.test(cell.slice(1)) ? cell.slice(1) : cell
}
