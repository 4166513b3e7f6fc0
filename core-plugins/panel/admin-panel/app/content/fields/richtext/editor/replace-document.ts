import type { Editor, JSONContent } from '@tiptap/core'

/**
 * Shows text changed from outside the editor, by undo or a merge. Only the differing part is replaced, so that the cursor keeps
 * its place if possible.
 */
export function replaceDocument({ state, view, schema }: Editor, content: JSONContent) {
  const next = schema.nodeFromJSON(content)
  const start = state.doc.content.findDiffStart(next.content)
  const end = state.doc.content.findDiffEnd(next.content)
  if (start === null || end === null) return
  // Text repeated around a difference is matched from both ends, so the two ranges may overlap.
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  const slice = next.slice(start, end.b + overlap)
  view.dispatch(state.tr.replace(start, end.a + overlap, slice).setMeta('preventUpdate', true))
}
