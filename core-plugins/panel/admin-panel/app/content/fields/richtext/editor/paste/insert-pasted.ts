import type { Editor } from '@tiptap/core'
import { type Node, Slice } from '@tiptap/pm/model'
import type { Selection } from '@tiptap/pm/state'
import { markedPicture, type PastedPicture } from './pictures-in-html.ts'

/** A picture being uploaded, and its position. */
export interface PicturePlace {
  readonly picture: PastedPicture
  readonly position: number
}

/** Inserts pasted content in place of the selection or at a position, and returns the positions of its pictures. */
export function insertPasted(
  { view }: Editor,
  slice: Slice,
  pictures: readonly PastedPicture[],
  position?: number,
): PicturePlace[] {
  const { tr } = view.state
  if (position === undefined) tr.replaceSelection(slice)
  else tr.replaceRange(position, position, slice)
  const marks = marksIn(tr.doc)
  for (const { position: at } of marks.toReversed()) tr.delete(at, at + 1)
  view.dispatch(tr.scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'))
  return marks.flatMap(({ index, position: at }, before) => {
    const picture = pictures[index]
    return picture === undefined ? [] : [{ picture, position: at - before }]
  })
}

/** The first pasted paragraph joins the paragraph at the cursor; in an empty one it replaces it and keeps its alignment. */
export function ownFirstParagraph(slice: Slice, { $from }: Selection): Slice {
  const { content, openStart, openEnd } = slice
  const isKept = openStart === 1 && (content.firstChild?.attrs.source ?? null) !== null
  if (!isKept || $from.parent.content.size > 0) return slice
  return new Slice(content, 0, content.childCount === 1 ? 0 : openEnd)
}

function marksIn(doc: Node) {
  const found: { readonly index: number; readonly position: number }[] = []
  doc.descendants(({ attrs }, position) => {
    const index = markedPicture(attrs.src)
    if (index !== undefined) found.push({ index, position })
  })
  return found
}
