import { isSafeCssValue } from './css-value.ts'

/**
 * Design tokens, in groups nested to any depth up to a limit: `{ color: { primary: '#0a5' }, radius: '4px'
 * }`.
 */
export type Tokens = { readonly [name: string]: string | number | Tokens }

/** Tokens of this group replace those of the same name in dark mode. */
const darkGroup = 'dark'

const namePattern = /^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/
const maxDepth = 4
const maxTokens = 500

/** Returns everything that is wrong with the tokens of a theme: they end up in a style sheet. */
export function checkTokens(tokens: unknown): string[] {
  const problems = checkGroup('tokens', tokens, 1)
  if (problems.length > 0) return problems
  const count = leavesOf(tokens as Tokens).length
  return count > maxTokens ? [`tokens holds ${count} tokens, and may hold ${maxTokens}`] : []
}

function checkGroup(path: string, group: unknown, depth: number): string[] {
  if (typeof group !== 'object' || group === null || Array.isArray(group))
    return [`${path} must be an object`]
  if (depth > maxDepth) return [`${path} is nested more than ${maxDepth} groups deep`]
  return Object.entries(group).flatMap(([name, value]) => {
    if (!namePattern.test(name)) return [`${path} has a name with other than letters, digits and hyphens`]
    return checkValue(`${path}.${name}`, value, depth)
  })
}

function checkValue(path: string, value: unknown, depth: number): string[] {
  if (typeof value === 'object') return checkGroup(path, value, depth + 1)
  const isSafe =
    typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' && isSafeCssValue(value)
  return isSafe ? [] : [`${path} must be a plain CSS value: a colour, a length, a font, a number`]
}

/**
 * Custom properties for a style sheet: `--color-primary` and so on. `checkTokens` must have found nothing
 * wrong.
 */
export function cssOf(tokens: Tokens): string {
  const { [darkGroup]: dark, ...light } = tokens
  const isGroup = typeof dark === 'object'
  const rules = [ruleOf(isGroup ? light : tokens)]
  if (isGroup) {
    // Follows the system's preference, unless the user has chosen in the panel.
    const preferred = ruleOf(dark, ':root:not([data-mode="light"])')
    rules.push(
      `@media (prefers-color-scheme: dark) {\n${preferred}}\n`,
      ruleOf(dark, ':root[data-mode="dark"]'),
    )
  }
  return rules.join('')
}

/** The custom properties of a theme by name without the two hyphens, and those that replace them in dark mode. */
export function propertiesOf(tokens: Tokens) {
  const { [darkGroup]: dark, ...light } = tokens
  const isGroup = typeof dark === 'object'
  const texts = (group: Tokens) =>
    Object.fromEntries(leavesOf(group).map(([name, value]) => [name, String(value)]))
  return { light: texts(isGroup ? light : tokens), dark: isGroup ? texts(dark) : {} }
}

function ruleOf(tokens: Tokens, selector = ':root'): string {
  const lines = leavesOf(tokens).map(([name, value]) => `  --${name}: ${value};\n`)
  return `${selector} {\n${lines.join('')}}\n`
}

function leavesOf(tokens: Tokens, prefix = ''): [string, string | number][] {
  return Object.entries(tokens).flatMap(([name, value]) =>
    typeof value === 'object'
      ? leavesOf(value, `${prefix}${kebabCase(name)}-`)
      : [[prefix + kebabCase(name), value] as [string, string | number]],
  )
}

const kebabCase = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()
