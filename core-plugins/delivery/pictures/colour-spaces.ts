/** Converts a stored value (0 to 1) to linear light, where 1 is the white of a screen. */
export type Curve = (stored: number) => number

/** As x and y coordinates of CIE 1931. */
export interface Primaries {
  readonly white: readonly [number, number]
  readonly red: readonly [number, number]
  readonly green: readonly [number, number]
  readonly blue: readonly [number, number]
}

/** The meaning of a picture's colour values. */
export interface ColourSpace {
  readonly primaries: Primaries
  readonly curve: Curve
}

const d65 = [0.3127, 0.329] as const

export const srgbPrimaries: Primaries = {
  white: d65,
  red: [0.64, 0.33],
  green: [0.3, 0.6],
  blue: [0.15, 0.06],
}

/** By the numbers in table 2 of ITU-T H.273 (CICP). */
const primariesByNumber: Readonly<Record<number, Primaries>> = {
  1: srgbPrimaries,
  5: { white: d65, red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06] },
  6: { white: d65, red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07] },
  7: { white: d65, red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07] },
  9: { white: d65, red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046] },
  11: { white: [0.314, 0.351], red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06] },
  12: { white: d65, red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06] },
}

const srgb: Curve = (stored) => (stored <= 0.04045 ? stored / 12.92 : ((stored + 0.055) / 1.055) ** 2.4)

export const gamma =
  (exponent: number): Curve =>
  (stored) =>
    stored ** exponent

/** The upper end of tone mapping, as a multiple of the reference white of 203 nits: 1,000 nits. */
const brightest = 1_000 / 203

/** Compresses light so that values brighter than white fit; white becomes half of a screen's light, as in Chromium 156. */
function toneMapped(light: number): number {
  if (light <= 1) return light / 2
  const share = Math.min(Math.log(light) / Math.log(brightest), 1)
  return 0.5 + 0.5 * (1.2 * share - 0.2 * share ** 2)
}

/** SMPTE ST 2084. */
const pq: Curve = (stored) => {
  const root = stored ** (1 / 78.84375)
  const nits =
    10_000 * (Math.max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)
  return toneMapped(nits / 203)
}

/** ARIB STD-B67, with the system gamma for a screen of 1,000 nits. */
const hlg: Curve = (stored) => {
  const scene =
    stored <= 0.5 ? stored ** 2 / 3 : (Math.exp((stored - 0.55991073) / 0.17883277) + 0.28466892) / 12
  return toneMapped(scene ** 1.2 * brightest)
}

/** By the numbers in table 3, without those of television. */
const curves: Readonly<Record<number, Curve>> = {
  4: gamma(2.2),
  5: gamma(2.8),
  8: gamma(1),
  13: srgb,
  16: pq,
  18: hlg,
}

/** BT.601, BT.709 and BT.2020, which browsers interpret differently in AVIF and in PNG. */
const televisionCurves = [1, 6, 14, 15]
const televisionCurveOf = { avif: srgb, png: gamma(2.4) } as const

/** Undefined for sRGB, and for unspecified or unknown colour spaces, which are also shown as sRGB. */
export function colourSpaceOf(
  primaries: number,
  transfer: number,
  format: 'avif' | 'png',
): ColourSpace | undefined {
  const curve = televisionCurves.includes(transfer) ? televisionCurveOf[format] : (curves[transfer] ?? srgb)
  const gamut = primariesByNumber[primaries] ?? srgbPrimaries
  return gamut === srgbPrimaries && curve === srgb ? undefined : { primaries: gamut, curve }
}
