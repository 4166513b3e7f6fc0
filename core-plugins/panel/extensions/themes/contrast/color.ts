import {
  blend,
  clampRgb,
  formatHex,
  interpolateWithPremultipliedAlpha,
  parse,
  type Rgb,
  rgb,
  wcagContrast,
  wcagLuminance,
} from 'culori'

/** A colour as screens show it; every channel from 0 to 1. */
export type Color = Rgb

/** Reads whatever CSS calls a colour, but for those that only a page knows, such as `currentcolor`. */
export function parseColor(text: string): Color | undefined {
  const color = rgb(parse(text.trim()))
  // What is outside of sRGB is cut off, as screens do.
  return color && clampRgb(color)
}

/** Mixes two colours as `color-mix(in oklab, first share, second)` does. */
export function mix(first: Color, share: number, second: Color): Color {
  return clampRgb(rgb(interpolateWithPremultipliedAlpha([second, first], 'oklab')(share)))
}

/** A colour that is partly transparent, over another one. */
export const over = (front: Color, back: Color): Color => blend([back, front], 'normal', 'rgb')

/** The ratio by which WCAG says how well one is read on the other: from 1 to 21. */
export const contrastOf = (first: Color, second: Color): number => wcagContrast(first, second)

/** From 0 to 1. */
export const luminance = (color: Color): number => wcagLuminance(color)

/** As `#rrggbb`. */
export const hexOf = (color: Color): string => formatHex(color)
