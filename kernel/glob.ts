/**
 * Returns a function that checks names against the patterns. `*` matches any characters: `admin:*`,
 * `*:entries.*`.
 */
export function matcherOf(patterns: string | readonly string[]): (name: string) => boolean {
  const expressions = [patterns].flat().map(expressionOf)
  return (name) => expressions.some((expression) => expression.test(name))
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}
