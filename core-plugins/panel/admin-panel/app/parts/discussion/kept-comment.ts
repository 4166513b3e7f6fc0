import type { EntryComment, PersonName } from '../../../../../../client/admin.ts'

/** A comment while it is being written. */
export interface CommentDraft {
  readonly body: string
  /** The path of the field that it is about; '' for the whole entry. */
  readonly field: string
  readonly mentions: readonly PersonName[]
}

/** Identifies a comment draft, including its author: people who share a browser do not see each other's drafts. */
export interface CommentPlace {
  readonly userId: number
  readonly type: string
  readonly id: number
  /** The comment that it replies to or edits; neither for a new one. */
  readonly parent?: EntryComment | undefined
  readonly edited?: EntryComment | undefined
}

/** Stores unsent comments in this browser across reloads and closed tabs. If the browser offers no storage, they are not kept. */
export const keptComment = {
  read(place: CommentPlace): CommentDraft | undefined {
    try {
      const text = localStorage.getItem(keyOf(place))
      return text === null ? undefined : (JSON.parse(text) as CommentDraft)
    } catch {
      return undefined
    }
  },
  write(place: CommentPlace, draft: CommentDraft) {
    try {
      localStorage.setItem(keyOf(place), JSON.stringify(draft))
    } catch {
      // Storage is full: the draft stays in the page only.
    }
  },
  forget(place: CommentPlace) {
    try {
      localStorage.removeItem(keyOf(place))
    } catch {}
  },
}

const keyOf = ({ userId, type, id, parent, edited }: CommentPlace) =>
  ['mortise.comment', userId, type, id, parent?.id ?? 0, edited?.id ?? 0].join(' ')
