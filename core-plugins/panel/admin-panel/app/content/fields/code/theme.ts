import { EditorView } from '@codemirror/view'

/**
 * The editor's theme in the panel's colours. A style sheet cannot do this: the panel's rules are in cascade layers, which
 * CodeMirror's unlayered rules override.
 */
export const theme = EditorView.theme({
  '&': { minHeight: '6rem', maxHeight: '70vh' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    fontSize: 'var(--text-s)',
    lineHeight: '1.6',
    overflow: 'auto',
  },
  '.cm-content': { paddingBlock: 'var(--space-2)', caretColor: 'var(--color-text)' },
  '.cm-content:focus-visible': { boxShadow: 'none' },
  '.cm-gutters': {
    background: 'var(--fill-sunken)',
    borderInlineEnd: '1px solid var(--line)',
    color: 'var(--text-faint)',
  },
})
