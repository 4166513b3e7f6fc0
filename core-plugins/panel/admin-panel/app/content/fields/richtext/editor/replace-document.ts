import type { Editor, JSONContent } from '@tiptap/core'

/**
 * Shows another text, which has come from elsewhere: an undo, a merge. Only what differs is replaced, so that the cursor
 * stays where it is if it can.
 */
export function replaceDocument({ state, view, schema }: Editor, content: JSONContent) {
  const next = schema.nodeFromJSON(content)
  const start = state.doc.content.findDiffStart(next.content)
  const end = state.doc.content.findDiffEnd(next.content)
  if (start === null || end === null) return
  // What is repeated on both sides of a difference is found from both ends.
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  const slice = next.slice(start, end.b + overlap)
  view.dispatch(state.tr.replace(start, end.a + overlap, slice).setMeta('preventUpdate', true))
}
