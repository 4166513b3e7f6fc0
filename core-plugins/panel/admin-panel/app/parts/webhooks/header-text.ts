/** Headers as one writes them: `Name: value`, one a line. */
export const headersToText = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** The headers of such a text; empty lines do not count. */
export const headersFromText = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    linesOf(text).flatMap(({ line }) => {
      const [, name = '', value = ''] = pattern.exec(line) ?? []
      return name === '' ? [] : [[name, value.trim()]]
    }),
  )

/** The number of the first line that is no header. */
export const wrongHeaderLine = (text: string): number | undefined =>
  linesOf(text).find(({ line }) => !pattern.test(line))?.number

const pattern = /^([^\s:]+)\s*:(.*)$/

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '')
