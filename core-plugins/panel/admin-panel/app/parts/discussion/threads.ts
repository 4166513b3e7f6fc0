import type { EntryComment } from '../../../../../../client/admin.ts'

/** A comment with its replies, oldest first. */
export interface Thread {
  readonly comment: EntryComment
  readonly answers: readonly EntryComment[]
}

/** Groups comments into threads; replies to replies belong to the same thread. */
export function threadsOf(comments: readonly EntryComment[]): readonly Thread[] {
  const byId = new Map(comments.map((comment) => [comment.id, comment]))
  const answers = new Map<number, EntryComment[]>()
  const roots = comments.filter((comment) => {
    const root = rootOf(comment, byId)
    if (root === comment) return true
    answers.set(root.id, [...(answers.get(root.id) ?? []), comment])
    return false
  })
  return roots.map((comment) => ({ comment, answers: answers.get(comment.id) ?? [] }))
}

/** A parent always has a lower id, so the loop ends. */
function rootOf(comment: EntryComment, byId: ReadonlyMap<number, EntryComment>): EntryComment {
  const parent = byId.get(comment.parent ?? 0)
  return parent === undefined ? comment : rootOf(parent, byId)
}
