import type { Editor } from '@tiptap/core'
import type { Slice } from '@tiptap/pm/model'
import { dropPoint } from '@tiptap/pm/transform'
import type { EditorProps } from '@tiptap/pm/view'
import { t } from '../../../../../ground/i18n/translate.ts'
import { toast } from '../../../../../ground/kit/toast/toast.tsx'
import { kindOf } from '../../../../files/file-kind.ts'
import { filesIn } from '../pictures.ts'
import { type Cleaned, cleanPasted } from './clean-pasted.ts'
import { rememberCopied } from './copied.ts'
import { insertPasted, ownFirstParagraph } from './insert-pasted.ts'
import type { PastedPicture } from './pictures-in-html.ts'
import { picturesInRtf } from './pictures-in-rtf.ts'

/** Uploads files pasted or dropped at a position of the text; `alt` is their alternative text if known. */
export type TakeFiles = (editor: Editor, files: readonly File[], position: number, alt?: string) => void

interface Insertion {
  readonly slice: Slice
  /** The position for files. */
  readonly position: number
  /** The position for text, if not the selection. */
  readonly at?: number
}

/** Handlers for paste and drop: text is cleaned, pictures are uploaded, and omitted content is reported. */
export function pasteInto(editorOf: () => Editor, takeFiles: TakeFiles): EditorProps {
  let cleaned: Cleaned | undefined

  function take(data: DataTransfer | null, insert: Insertion): boolean {
    const { pictures = [], leftOut = [] } = cleaned ?? {}
    cleaned = undefined
    const files = filesIn(data)
    if (files.length > 0) {
      takeFiles(editorOf(), files, insert.position)
      return true
    }
    const found = pictures.length === 0 ? pictures : withFiles(pictures, data)
    tellLeftOut(found, leftOut)
    if (pictures.length === 0) return false
    for (const { picture, position } of insertPasted(editorOf(), insert.slice, found, insert.at)) {
      if (picture.file !== undefined) takeFiles(editorOf(), [picture.file], position, picture.alt)
    }
    return true
  }

  return {
    transformPastedHTML(html) {
      cleaned = cleanPasted(html)
      return cleaned.html
    },
    transformPasted: (slice, { state }) => ownFirstParagraph(slice, state.selection),
    handlePaste: ({ state }, { clipboardData }, slice) =>
      take(clipboardData, { slice, position: state.selection.to }),
    handleDrop(view, { dataTransfer, clientX, clientY }, slice) {
      const place = view.posAtCoords({ left: clientX, top: clientY })?.pos ?? view.state.selection.to
      return take(dataTransfer, {
        slice,
        position: place,
        at: dropPoint(view.state.doc, place, slice) ?? place,
      })
    },
    transformCopied: rememberCopied,
  }
}

/** Files that the HTML only names may be on the clipboard as well, in the same order. */
function withFiles(pictures: readonly PastedPicture[], data: DataTransfer | null): readonly PastedPicture[] {
  const missing = pictures.filter(({ file }) => file === undefined)
  const beside = [...(data?.files ?? [])].filter(({ type }) => kindOf(type) === 'images')
  const files = [beside, picturesInRtf(data?.getData('text/rtf') ?? '')].find(
    ({ length }) => length === missing.length,
  )
  return pictures.map((picture) => ({ ...picture, file: picture.file ?? files?.[missing.indexOf(picture)] }))
}

function tellLeftOut(pictures: readonly PastedPicture[], names: readonly string[]) {
  const count = pictures.filter(({ file }) => file === undefined).length
  const elements = [...new Set(names)].map((name) => `<${name}>`)
  const what = [...(count === 0 ? [] : [t('richtext.leftOutPictures', { count })]), ...elements]
  if (what.length > 0) toast('info', t('richtext.leftOut', { what: what.join(', ') }))
}
