import { defaultHighlightStyle, HighlightStyle } from '@codemirror/language'

/** The colours of CodeMirror's own style, which are made for white pages, and those of the theme in their place. */
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

/** What the parts of a text look like, in light and dark. */
export const highlighting = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ tag, color }) => ({ tag, color: colours[color] ?? 'inherit' })),
)
