import type { EntryComment, PersonName } from '../../../../../../client/admin.ts'

/** A comment while it is being written. */
export interface CommentDraft {
  readonly body: string
  /** The field that it is about; empty for the whole entry. */
  readonly field: string
  readonly mentions: readonly PersonName[]
}

/** Where a comment is being written, and by whom: people who share a browser do not find each other's. */
export interface CommentPlace {
  readonly userId: number
  readonly type: string
  readonly id: number
  /** What it answers, or changes; neither for a new one. */
  readonly parent?: EntryComment | undefined
  readonly edited?: EntryComment | undefined
}

/** Keeps what is written and not sent in this browser, over reloads and closed tabs. In one that keeps nothing, nothing is kept. */
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
      // It is full: what is written stays in the page.
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
