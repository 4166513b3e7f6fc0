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

/** A colour in sRGB; every channel from 0 to 1. */
export type Color = Rgb

/** Parses any CSS colour except those that depend on the page, such as `currentcolor`. */
export function parseColor(text: string): Color | undefined {
  const color = rgb(parse(text.trim()))
  // Colours outside of sRGB are clamped, as on screens.
  return color && clampRgb(color)
}

/** Mixes two colours as `color-mix(in oklab, first share, second)` does. */
export function mix(first: Color, share: number, second: Color): Color {
  return clampRgb(rgb(interpolateWithPremultipliedAlpha([second, first], 'oklab')(share)))
}

/** Blends a partly transparent colour over another one. */
export const over = (front: Color, back: Color): Color => blend([back, front], 'normal', 'rgb')

/** The WCAG contrast ratio of two colours: from 1 to 21. */
export const contrastOf = (first: Color, second: Color): number => wcagContrast(first, second)

/** The WCAG luminance, from 0 to 1. */
export const luminance = (color: Color): number => wcagLuminance(color)

/** As `#rrggbb`. */
export const hexOf = (color: Color): string => formatHex(color)
