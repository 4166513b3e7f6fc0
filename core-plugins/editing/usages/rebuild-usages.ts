import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { createPace, defineJob, type JobKind, type Jobs } from '../../background/jobs/jobs.ts'
import type { StoredEntries } from '../../entries/content/content.ts'
import { areEmptyTables, type Database, query, type Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { usagesTable } from './tables.ts'
import type { UsagePlaces } from './usage-places.ts'
import type { EntryRange, UsageStore } from './usage-store.ts'

export interface RebuildParts {
  readonly database: Database
  readonly jobs: Jobs
  readonly places: UsagePlaces
  readonly store: UsageStore
  readonly storedEntries: StoredEntries
}

export interface UsageRebuild {
  /** Builds the index from all entries. */
  readonly job: JobKind<{ schemas: string }>
  request(tx: Transaction): Promise<void>
  /** Requests it if the index was built for other schemas, or never. */
  requestIfStale(): Promise<void>
}

/** Acts on behalf of the service, which sees everything. */
const itself: Principal = { kind: 'token', id: 0, name: 'usages', scopes: new Set(['admin:*']) }

const mostAtOnce = 200
const endOfIds = Number.MAX_SAFE_INTEGER

export function createUsageRebuild(parts: RebuildParts): UsageRebuild {
  const { database, jobs, places, store } = parts
  const job = defineJob({
    name: 'usages.reindex',
    payload: Type.Object({ schemas: Type.String() }),
    timeoutMs: 24 * 60 * 60_000,
    async run({ schemas }, { signal, reportProgress }) {
      for (const [index, type] of [...places.types].entries()) {
        await rebuildType(type, parts, signal)
        reportProgress(((index + 1) / places.types.size) * 100)
      }
      await forgetOtherTypes(parts)
      // If another process has other schemas, its own job follows.
      await store.setFingerprint(schemas)
    },
  })
  const request = async (tx: Transaction) => {
    const schemas = places.fingerprint
    await jobs.enqueue(tx, job, { schemas }, { key: `usages.reindex ${schemas}` })
  }
  return {
    job,
    request,
    async requestIfStale() {
      if ((await store.fingerprint()) === places.fingerprint) return
      // Writes keep the index from here on.
      if (await isNothingThere(parts)) await store.setFingerprint(places.fingerprint)
      else await database.transaction(request)
    },
  }
}

/** Neither entries nor what the index says of earlier ones. */
const isNothingThere = ({ database, places }: RebuildParts) =>
  areEmptyTables(database, [usagesTable.name, ...[...places.types].map(({ table }) => table)])

async function rebuildType(type: ContentType, parts: RebuildParts, signal: AbortSignal): Promise<void> {
  const { database } = parts
  const next = nextIds(type, database)
  const pace = createPace({ database, most: mostAtOnce })
  for (let after = 0; after !== endOfIds; ) {
    signal.throwIfAborted()
    after = await pace.portion((items) =>
      database.transaction(
        async (tx) => {
          const ids = (await next.all({ after, limit: items }, tx)).map(({ id }) => id)
          const last = ids.length < items ? endOfIds : (ids.at(-1) ?? endOfIds)
          await rebuildRange({ type: type.name, after, last }, { type, ids }, parts, tx)
          return last
        },
        { isBackground: true },
      ),
    )
  }
}

async function rebuildRange(
  range: EntryRange,
  { type, ids }: { readonly type: ContentType; readonly ids: readonly number[] },
  { places, store, storedEntries }: RebuildParts,
  tx: Transaction,
): Promise<void> {
  const entries = await storedEntries.lock({ type: type.name, principal: itself, tx }, ids)
  const drafts = await storedEntries.drafts(type.name, ids, tx)
  const found = entries.map((entry) => ({
    type: type.name,
    entryId: entry.id,
    usages: places.of(type, entry, drafts.get(entry.id)),
  }))
  await store.replaceRange(range, found, tx)
}

function nextIds({ table, options }: ContentType, database: Database) {
  const present = options.softDelete ? sql`and deleted_at is null` : sql``
  return query<{ id: number }>(
    database,
    (value) => sql`select id from ${sql.identifier(table)} where id > ${value('after', 'id')} ${present}
      order by id limit ${value('limit', 'integer')}`,
    { id: { column: 'id', kind: 'id' } },
  )
}

async function forgetOtherTypes({ database, places, store }: RebuildParts): Promise<void> {
  const declared = new Set([...places.types].map(({ name }) => name))
  for (const type of await store.types()) {
    if (declared.has(type)) continue
    await database.transaction((tx) => store.replaceRange({ type, after: 0, last: endOfIds }, [], tx))
  }
}
