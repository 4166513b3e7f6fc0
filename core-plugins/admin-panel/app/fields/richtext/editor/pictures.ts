import type { Editor, JSONContent } from '@tiptap/core'
import type { MediaFile } from '../../../../../../client/client.ts'

/** Puts pictures of the library at a position of the text, or in place of what is selected. */
export function insertPictures(editor: Editor, files: readonly MediaFile[], position?: number) {
  const { from, to } = editor.state.selection
  const pictures = files.map(pictureOf)
  editor
    .chain()
    .focus()
    .insertContentAt(position ?? { from, to }, pictures)
    .run()
}

/** With its size, so that pages keep room for it while it loads. */
function pictureOf({ url, alt, width, height }: MediaFile): JSONContent {
  const size = width === null || height === null ? null : { width: String(width), height: String(height) }
  return { type: 'image', attrs: { src: url, alt: alt ?? '', source: size && { attributes: size } } }
}

/** For files that are still on their way: they come to stand where they were dropped, whatever is written meanwhile. */
export function insertLater(editor: Editor, position: number): (file: MediaFile) => void {
  let place = position
  editor.on('transaction', ({ transaction }) => {
    place = transaction.mapping.map(place)
  })
  return (file) => {
    if (!editor.isDestroyed) insertPictures(editor, [file], place)
  }
}

/** Files that are pasted or dropped; none where text comes with them, because word processors send a picture of it. */
export const filesIn = (data: DataTransfer | null): readonly File[] =>
  data === null || data.getData('text/plain') !== '' ? [] : [...data.files]
