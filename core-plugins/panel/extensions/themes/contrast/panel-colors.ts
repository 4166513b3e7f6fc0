/** Values of custom properties by their names without the two hyphens. */
export type Properties = Readonly<Record<string, string>>

/**
 * The colours of the panel that themes may replace, as declared in its style sheet. They are repeated here because the published
 * package contains no style sheet sources; a test keeps both equal.
 */
export const lightColors: Properties = {
  'color-primary': '#3a50c9',
  'color-on-primary': '#ffffff',
  'color-accent': 'var(--color-primary)',
  'color-background': '#f7f7f8',
  'color-surface': '#ffffff',
  'color-text': '#1d1f25',
  'color-danger': '#b3261e',
  'color-on-danger': '#ffffff',
  'color-success': '#17693c',
  'color-warning': '#7d5000',
  'color-info': '#245fa8',
  'text-muted': 'color-mix(in oklab, var(--color-text) 72%, var(--color-surface))',
  'text-faint': 'color-mix(in oklab, var(--color-text) 62%, var(--color-surface))',
  'line-strong': 'color-mix(in oklab, var(--color-text) 55%, var(--color-surface))',
  'fill-selected': 'color-mix(in oklab, var(--color-primary) 10%, transparent)',
  'fill-sunken': 'color-mix(in oklab, var(--color-text) 3%, var(--color-surface))',
  'primary-hover': 'color-mix(in oklab, var(--color-primary) 88%, black)',
  'primary-text': 'var(--color-primary)',
  'danger-hover': 'color-mix(in oklab, var(--color-danger) 88%, black)',
  'danger-fill': 'color-mix(in oklab, var(--color-danger) 8%, var(--color-surface))',
  'success-fill': 'color-mix(in oklab, var(--color-success) 9%, var(--color-surface))',
  'warning-fill': 'color-mix(in oklab, var(--color-warning) 10%, var(--color-surface))',
  'info-fill': 'color-mix(in oklab, var(--color-info) 9%, var(--color-surface))',
}

/** The colours that differ in dark mode. */
export const darkColors: Properties = {
  'color-primary': '#8c9eff',
  'color-on-primary': '#12163a',
  'color-background': '#131417',
  'color-surface': '#1b1d21',
  'color-text': '#e9eaee',
  'color-danger': '#ff9d94',
  'color-on-danger': '#3b0a07',
  'color-success': '#7fd3a2',
  'color-warning': '#f0c06a',
  'color-info': '#93c2ff',
  'primary-hover': 'color-mix(in oklab, var(--color-primary) 88%, white)',
  'danger-hover': 'color-mix(in oklab, var(--color-danger) 88%, white)',
}

/** A foreground colour and its background in the panel. */
export interface ColorPair {
  readonly front: string
  readonly back: string
  /** The minimum by WCAG: 4.5 for text, 3 for the outlines of inputs and focus. */
  readonly least: 4.5 | 3
}

const text = (front: string, ...backs: readonly string[]): ColorPair[] =>
  backs.map((back) => ({ front, back, least: 4.5 }))

const shape = (front: string, ...backs: readonly string[]): ColorPair[] =>
  backs.map((back) => ({ front, back, least: 3 }))

export const colorPairs: readonly ColorPair[] = [
  ...text('color-text', 'color-surface', 'color-background', 'fill-selected'),
  ...text('text-muted', 'color-surface', 'color-background', 'fill-sunken', 'warning-fill'),
  ...text('text-faint', 'color-surface'),
  ...text('primary-text', 'color-surface'),
  ...text('color-on-primary', 'color-primary', 'primary-hover'),
  ...text('color-on-danger', 'color-danger', 'danger-hover'),
  ...text('color-danger', 'color-surface', 'danger-fill'),
  ...text('color-success', 'success-fill'),
  ...text('color-warning', 'warning-fill'),
  ...text('color-info', 'info-fill'),
  ...shape('line-strong', 'color-surface'),
  ...shape('color-primary', 'color-surface'),
  ...shape('color-accent', 'color-surface', 'color-background'),
]
