import type { Editor, JSONContent } from '@tiptap/core'
import type { MediaFile } from '../../../../../../../../client/client.ts'

/** Puts pictures of the library in place of what is selected. */
export function insertPictures(editor: Editor, files: readonly MediaFile[]) {
  const { from, to } = editor.state.selection
  editor.chain().focus().insertContentAt({ from, to }, files.map(pictureOf)).run()
}

/** With its size, so that pages keep room for it while it loads. */
function pictureOf({ url, alt, width, height }: MediaFile): JSONContent {
  const size = width === null || height === null ? null : { width: String(width), height: String(height) }
  return { type: 'image', attrs: { src: url, alt: alt ?? '', source: size && { attributes: size } } }
}

/**
 * For files that are still on their way: they come to stand where they were dropped, whatever is written meanwhile, and do
 * not disturb whoever writes. `alt` is what the text that they come from says of them.
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

/** Files that are pasted or dropped by themselves; none where text comes with them, because word processors send a picture of it. */
export const filesIn = (data: DataTransfer | null): readonly File[] =>
  data === null || data.getData('text/plain') !== '' ? [] : [...data.files]
