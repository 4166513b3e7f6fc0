import { defaultHighlightStyle, HighlightStyle } from '@codemirror/language'

/** Maps the colours of CodeMirror's default style, which is made for white pages, to those of the theme. */
const colours: Readonly<Record<string, string>> = {
  '#708': 'var(--color-info)',
  '#219': 'var(--color-warning)',
  '#164': 'var(--color-warning)',
  '#a11': 'var(--color-success)',
  '#e40': 'var(--color-success)',
  '#085': 'var(--color-info)',
  '#940': 'var(--text-muted)',
  '#f00': 'var(--color-danger)',
}

/** The styles of syntax tokens, for light and dark mode. */
export const highlighting = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ tag, color }) => ({ tag, color: colours[color] ?? 'inherit' })),
)
