/** Headers as text: `Name: value`, one per line. */
export const headersToText = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** Parses headers from text; empty lines are ignored. */
export const headersFromText = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    linesOf(text).flatMap(({ line }) => {
      const [, name = '', value = ''] = pattern.exec(line) ?? []
      return name === '' ? [] : [[name, value.trim()]]
    }),
  )

/** The number of the first line that is not a header. */
export const wrongHeaderLine = (text: string): number | undefined =>
  linesOf(text).find(({ line }) => !pattern.test(line))?.number

const pattern = /^([^\s:]+)\s*:(.*)$/

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '')
