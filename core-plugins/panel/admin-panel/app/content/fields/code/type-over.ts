import { EditorView } from '@codemirror/view'

/**
 * Applies a key typed over selected text as an editor change. Otherwise WebKit would insert inline styles with the colours of the
 * replaced text, which the page's Content Security Policy blocks and reports.
 */
export const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event
    const { from, to, empty } = view.state.selection.main
    if (inputType !== 'insertText' || data === null || empty || view.composing) return false
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' })
    const isTaken = view.state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, from, to, data, insert))
    if (!isTaken) view.dispatch(insert())
    return true
  },
})
