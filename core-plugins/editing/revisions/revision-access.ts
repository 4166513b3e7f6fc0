import { isDeepStrictEqual } from 'node:util'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Content, StoredEntries } from '../../entries/content/content.ts'
import { AppError, type Policy, type Principal } from '../../foundation/http/http.ts'
import type { EntryKey, Revision } from './revisions.ts'

/** The parts of revisions that a caller may see. Administrators see them as stored. */
export interface RevisionAccess {
  /** @throws AppError 404 if the caller may not see the entry in its current state */
  assertEntry(entry: EntryKey, principal: Principal): Promise<void>
  /** The same, except for administrators, who may also see entries in the trash. */
  assertVisible(entry: EntryKey, principal: Principal): Promise<void>
  /** Revisions of one entry as the caller may see them; takes no more queries than a single revision. */
  shown(entry: EntryKey, revisions: readonly Revision[], principal: Principal): Promise<readonly Revision[]>
  /**
   * The data that the caller can restore: only fields whose whole content the caller sees. The others stay unchanged, so that
   * hidden values are neither lost nor brought back.
   */
  restorable(entry: EntryKey, revision: Revision, principal: Principal): Promise<Revision>
}

export interface RevisionAccessDeps {
  readonly auth: Auth
  readonly content: Content
  readonly storedEntries: StoredEntries
}

export function createRevisionAccess({ auth, content, storedEntries }: RevisionAccessDeps): RevisionAccess {
  /** Completes the components, as reads do. */
  function whole(type: string, revision: Revision): Revision {
    const data = { ...revision.data }
    storedEntries.fitToSchema(type, data)
    return { ...revision, data }
  }

  const assertEntry: RevisionAccess['assertEntry'] = async ({ type, id }, principal) => {
    const found = await content.unguarded.find(type, id, 'fields=id', principal)
    if (found === undefined) throw AppError.notFound(`${type} ${id}`)
  }

  const shown: RevisionAccess['shown'] = async ({ type, id }, revisions, principal) => {
    const all = revisions.map((revision) => whole(type, revision))
    if (auth.isAdministrator(principal)) return all
    const states = all.map(({ data }) => ({ ...data, id }))
    const visible = await storedEntries.shownTo(principal, type, states)
    return all.map((revision, index) => {
      const { id: _id, ...data } = visible[index] ?? { id }
      return { ...revision, data }
    })
  }

  return {
    assertEntry,
    shown,
    async assertVisible(entry, principal) {
      if (!auth.isAdministrator(principal)) await assertEntry(entry, principal)
    },
    async restorable(entry, revision, principal) {
      const { data } = whole(entry.type, revision)
      if (auth.isAdministrator(principal)) return { ...revision, data }
      const [visible] = await shown(entry, [revision], principal)
      const kept = Object.entries(data).filter(
        ([name, value]) =>
          visible !== undefined &&
          Object.hasOwn(visible.data, name) &&
          isDeepStrictEqual(value, visible.data[name]),
      )
      return { ...revision, data: Object.fromEntries(kept) }
    },
  }
}

/** Administrators, and admin users who may update the type if `advanced.revisions.visibleToEditors` allows it. */
export function revisionPolicy({ auth, isOpen }: { auth: Auth; isOpen: () => boolean }): Policy {
  return {
    name: 'content.revisions',
    check: ({ principal, params: { type = '' } }) =>
      auth.isAdministrator(principal) ||
      (principal.kind === 'admin' && isOpen() && auth.mayContent(principal, type, 'update')),
  }
}
