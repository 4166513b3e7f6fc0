import { propertiesOf, type Tokens } from '../tokens.ts'
import { type Color, contrastOf, hexOf, luminance, mix, over, parseColor } from './color.ts'
import { type ColorPair, colorPairs, darkColors, lightColors, type Properties } from './panel-colors.ts'

/** A pair of colours with too little contrast. */
export interface ContrastProblem {
  /** The colour scheme concerned. */
  readonly mode: 'light' | 'dark'
  /** The tokens of the foreground and background: `color.primary`. */
  readonly front: string
  readonly back: string
  readonly ratio: number
  readonly least: number
  /** The problem and a suggestion. */
  readonly message: string
}

/** Checks all pairs of colours that the panel combines, with a theme's tokens, in both colour schemes. */
export function checkContrast(tokens: Tokens): readonly ContrastProblem[] {
  const { light, dark } = propertiesOf(tokens)
  return [
    ...problemsIn('light', { ...lightColors, ...light }),
    // A theme's common values also apply in dark mode, unless its dark values replace them.
    ...problemsIn('dark', { ...lightColors, ...darkColors, ...light, ...dark }),
  ]
}

/** The colours of a theme that cannot be parsed, by property name. */
export function unreadableColors(tokens: Tokens): readonly string[] {
  const { light, dark } = propertiesOf(tokens)
  const all = [
    { ...lightColors, ...light },
    { ...lightColors, ...darkColors, ...light, ...dark },
  ]
  const names = colorPairs.flatMap(({ front, back }) => [front, back])
  return [...new Set(names)].filter((name) =>
    all.some((properties) => colorIn(properties, name) === undefined),
  )
}

function problemsIn(mode: 'light' | 'dark', properties: Properties): ContrastProblem[] {
  const found = new Map<string, ContrastProblem>()
  for (const { front, back, least } of colorPairs) {
    const pair = { front: originOf(front, properties), back: originOf(back, properties), least }
    const colors = colorsOf(pair, properties)
    const key = `${pair.front} ${pair.back}`
    if (colors === undefined || (found.get(key)?.least ?? 0) >= least) continue
    const ratio = contrastOf(colors.front, colors.back)
    if (ratio < least) found.set(key, problemOf(mode, pair, ratio, colors))
  }
  return [...found.values()]
}

/** The property that another one refers to, which the theme has to change. */
function originOf(name: string, properties: Properties, depth = 0): string {
  const origin = variable.exec(properties[name] ?? '')?.[1]
  return origin === undefined || depth > maxDepth ? name : originOf(origin, properties, depth + 1)
}

interface Colors {
  readonly front: Color
  readonly back: Color
}

function colorsOf({ front, back }: ColorPair, properties: Properties): Colors | undefined {
  const [ground, lower, upper] = ['color-surface', back, front].map((name) => colorIn(properties, name))
  if (ground === undefined || lower === undefined || upper === undefined) return undefined
  const behind = over(lower, ground)
  return { front: over(upper, behind), back: behind }
}

function problemOf(mode: 'light' | 'dark', pair: ColorPair, ratio: number, colors: Colors): ContrastProblem {
  const [front, back] = [pair.front, pair.back].map((name) => tokenOf(name, mode)) as [string, string]
  const found = `${Math.floor(ratio * 100) / 100}:1`
  const example = readableOn(colors, pair.least)
  const remedy =
    example === undefined ? `change one of the two` : `set ${front} to ${hexOf(example)} or the like`
  const message = `${front} on ${back} has a contrast of ${found}, and needs ${pair.least}:1: ${remedy}`
  return { mode, front, back, ratio, least: pair.least, message }
}

/** The token name in a theme: `dark.color.onPrimary` for `color-on-primary`. */
function tokenOf(property: string, mode: 'light' | 'dark'): string {
  const [group = '', ...rest] = property.split('-')
  const name = rest.join('-').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return `${mode === 'dark' ? 'dark.' : ''}${group}.${name}`
}

const black: Color = { mode: 'rgb', r: 0, g: 0, b: 0 }
const white: Color = { mode: 'rgb', r: 1, g: 1, b: 1 }

/** The readable colour nearest to the foreground; lightness is changed away from the background first, so that the hue stays. */
function readableOn({ front, back }: Colors, least: number): Color | undefined {
  const ends = luminance(front) < luminance(back) ? [black, white] : [white, black]
  for (const end of ends) {
    for (let share = 0.98; share >= 0; share -= 0.02) {
      const color = mix(front, share, end)
      if (contrastOf(color, back) >= least) return color
    }
  }
  return undefined
}

const variable = /^\s*var\(\s*--([\w-]+)\s*\)\s*$/

/** The maximum depth of references; a property that refers to itself has no value. */
const maxDepth = 8

/** The colour of a property; undefined if it cannot be computed without a browser. */
function colorIn(properties: Properties, name: string, depth = 0): Color | undefined {
  const value = properties[name]
  return value === undefined || depth > maxDepth ? undefined : evaluate(value, properties, depth)
}

function evaluate(text: string, properties: Properties, depth: number): Color | undefined {
  const value = text.trim()
  const [, name] = variable.exec(value) ?? []
  if (name !== undefined) return colorIn(properties, name, depth + 1)
  const [, first = '', percent = '50', second = ''] =
    /^color-mix\(\s*in oklab\s*,\s*(.+?)(?:\s+([\d.]+)%)?\s*,\s*([^,]+)\)$/.exec(value) ?? []
  if (first === '') return parseColor(value)
  const [left, right] = [first, second].map((each) => evaluate(each, properties, depth + 1))
  return left === undefined || right === undefined ? undefined : mix(left, Number(percent) / 100, right)
}
