import type { Editor, JSONContent } from '@tiptap/core'
import type { MediaFile } from '../../../../../../../../client/client.ts'

/** Replaces the selection with pictures of the media library. */
export function insertPictures(editor: Editor, files: readonly MediaFile[]) {
  const { from, to } = editor.state.selection
  editor.chain().focus().insertContentAt({ from, to }, files.map(pictureOf)).run()
}

/** Includes the size, so that pages reserve space while it loads. */
function pictureOf({ url, alt, width, height }: MediaFile): JSONContent {
  const size = width === null || height === null ? null : { width: String(width), height: String(height) }
  return { type: 'image', attrs: { src: url, alt: alt ?? '', source: size && { attributes: size } } }
}

/**
 * For files still being uploaded: each is inserted where it was dropped, even if the text changes meanwhile, and without moving
 * the cursor. `alt` is the alternative text in the source, if any.
 */
export function insertLater(editor: Editor, position: number, alt = ''): (file: MediaFile) => void {
  let place = position
  editor.on('transaction', ({ transaction }) => {
    place = transaction.mapping.map(place)
  })
  return (file) => {
    if (editor.isDestroyed) return
    const picture = pictureOf({ ...file, alt: alt || file.alt })
    editor.commands.insertContentAt(place, picture, { updateSelection: false })
  }
}

/** Files pasted or dropped without text; an empty list if there is text, because word processors add a picture of it. */
export const filesIn = (data: DataTransfer | null): readonly File[] =>
  data === null || data.getData('text/plain') !== '' ? [] : [...data.files]
