/**
 * Rows as CSV by RFC 4180, with the mark by which spreadsheets know that it is UTF-8. A text that a spreadsheet would
 * take for a formula begins with an apostrophe: whoever may write an entry is not to run anything on another's machine.
 */
export function toCsv(rows: readonly (readonly (string | number | boolean | null)[])[]): string {
  const lines = rows.map((row) => row.map((value) => quoted(defused(value))).join(','))
  return `\uFEFF${lines.join('\r\n')}\r\n`
}

function defused(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  return /^[=+\-@\t\r]/.test(value) && !/^[+-]?\d+(\.\d+)?$/.test(value) ? `'${value}` : value
}

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
