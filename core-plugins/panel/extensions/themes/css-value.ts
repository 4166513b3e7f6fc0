/**
 * The characters and functions allowed in a token; URLs and anything that ends a declaration are excluded.
 */
const allowedCharacters = /^[A-Za-z0-9 #%.,()+\-*/'"_]+$/

const allowedFunctions = new Set([
  ...[
    'rgb',
    'rgba',
    'hsl',
    'hsla',
    'hwb',
    'lab',
    'lch',
    'oklab',
    'oklch',
    'color',
    'color-mix',
    'light-dark',
  ],
  ...['calc', 'min', 'max', 'clamp', 'var', 'cubic-bezier', 'steps'],
  ...['linear-gradient', 'radial-gradient', 'conic-gradient'],
])

const maxLength = 300

/**
 * Whether a text stays a single value wherever it is inserted into a style sheet: it cannot end its
 * declaration, open a comment, or make a browser load something.
 */
export function isSafeCssValue(text: string): boolean {
  if (text.length > maxLength || !allowedCharacters.test(text) || /\/\*|\*\/|\/\//.test(text)) return false
  if (!isBalanced(text)) return false
  // Quoted text is not a function call, but checking it too only refuses odd font names.
  const called = [...text.matchAll(/([A-Za-z0-9_-]+)\s*\(/g)].map(([, name = '']) => name.toLowerCase())
  return called.every((name) => allowedFunctions.has(name))
}

function isBalanced(text: string): boolean {
  let depth = 0
  let quote = ''
  for (const character of text) {
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '(') depth++
    else if (character === ')' && --depth < 0) return false
  }
  return depth === 0 && quote === ''
}
