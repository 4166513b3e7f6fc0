import { EditorView } from '@codemirror/view'

/** In the colours of the panel. A style sheet would lose: those of the panel are in layers, CodeMirror's own are not. */
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
