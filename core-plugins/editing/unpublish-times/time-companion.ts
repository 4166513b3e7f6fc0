import { type Static, Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { StoredEntries } from '../../entries/content/content.ts'
import { AppError, strict } from '../../foundation/http/http.ts'
import type { CompanionWrite, CompanionWriter, EntryCompanion } from '../../foundation/sections/sections.ts'
import { assertInOrder, type TimeChanges } from './time-changes.ts'
import type { TimeStore } from './time-store.ts'

const valueSchema = Type.Object(
  {
    at: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
      format: 'date-time',
    }),
  },
  strict,
)

type TimeValue = Static<typeof valueSchema>

export interface TimeCompanionDeps {
  readonly auth: Auth
  readonly store: TimeStore
  readonly changes: TimeChanges
  readonly storedEntries: StoredEntries
}

/** Unpublish times in transfers. The caller who applies a package counts as their setter. */
export function timeCompanion({ auth, store, changes, storedEntries }: TimeCompanionDeps): EntryCompanion {
  return {
    name: 'unpublishing',
    matches: ({ options, system }) => options.draftAndPublish && !system,
    valueSchema,
    async read({ name }, ids, tx) {
      const times = await (tx === undefined ? store.find(name, ids) : store.lock(name, ids, tx))
      return new Map([...times].map(([id, { unpublishAt }]) => [id, { at: unpublishAt } satisfies TimeValue]))
    },
    *missingRights(principal, type) {
      if (!auth.mayContent(principal, type.name, 'publish')) yield 'the right to publish'
    },
    async write(type, writes, by) {
      const ids = writes.map(({ id }) => id)
      const entries = await storedEntries.lock({ type: type.name, principal: by.principal, tx: by.tx }, ids)
      const publishedAt = new Map(entries.map((entry) => [entry.id, entry.published_at]))
      for (const write of writes)
        await put(type.name, write, { ...by, publishedAt: publishedAt.get(write.id) })
    },
  }

  async function put(
    type: string,
    { id, name, value }: CompanionWrite,
    { tx, principal, ip, publishedAt }: CompanionWriter & { readonly publishedAt: unknown },
  ): Promise<void> {
    const unpublishAt = (value as TimeValue | undefined)?.at ?? null
    try {
      if (unpublishAt !== null) assertInOrder(unpublishAt, publishedAt)
    } catch (error) {
      throw error instanceof AppError ? inEntry(error, name) : error
    }
    await changes.put(tx, { type, id, unpublishAt, principal, ip })
  }
}

function inEntry(error: AppError, name: string): AppError {
  const path = `${name}.beside.unpublishing`
  return AppError.reworded(error, `${path}: ${error.message}`, {
    details: error.details?.map((each) => ({ ...each, path })) ?? [],
  })
}
