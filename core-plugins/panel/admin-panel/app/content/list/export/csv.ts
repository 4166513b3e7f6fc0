/**
 * Writes rows as CSV (RFC 4180) with a byte order mark, by which spreadsheets recognise UTF-8. Texts that a spreadsheet would run
 * as formulas get an apostrophe in front, so that an author cannot run code on the machine of someone who opens the file.
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
