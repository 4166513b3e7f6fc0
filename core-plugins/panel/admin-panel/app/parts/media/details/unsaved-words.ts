import type { FileVersion } from '../media-queries.ts'
import type { Words } from './words.ts'

/** What somebody has typed about a file and not saved. */
export interface UnsavedWords {
  readonly edits: Partial<Words>
  /** What the first edit was made from. */
  readonly from: FileVersion
}

const unsaved = new Map<number, UnsavedWords>()

/** Keeps what was typed about files while one goes elsewhere in this tab; before it closes, the browser asks. */
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
