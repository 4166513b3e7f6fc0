import type { ValueCheck } from '../field-type.ts'

/** Compiles the check of a text that represents a day or a moment; `parse` returns its stored form. */
export function compileCalendarText(parse: (text: string) => string | undefined, rule: string): ValueCheck {
  return (value, report) => {
    if (typeof value !== 'string') return report.problem('type', rule)
    return parse(value) ?? report.problem('format', rule)
  }
}
