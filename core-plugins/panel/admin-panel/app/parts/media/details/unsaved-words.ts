import type { FileVersion } from '../media-queries.ts'
import type { Words } from './words.ts'

/** Unsaved edits of a file's description. */
export interface UnsavedWords {
  readonly edits: Partial<Words>
  /** The version that the first edit was based on. */
  readonly from: FileVersion
}

const unsaved = new Map<number, UnsavedWords>()

/** Keeps unsaved edits of files while the user navigates within this tab; before the tab closes, the browser asks. */
export const unsavedWords = {
  of: (fileId: number): UnsavedWords | undefined => unsaved.get(fileId),
  keep(fileId: number, words: UnsavedWords) {
    unsaved.set(fileId, words)
    addEventListener('beforeunload', askBeforeLeaving)
  },
  forget(fileId: number) {
    unsaved.delete(fileId)
    if (unsaved.size === 0) removeEventListener('beforeunload', askBeforeLeaving)
  },
}

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()
