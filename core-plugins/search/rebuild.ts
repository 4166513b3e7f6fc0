import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { Type } from 'typebox'
import {
  type Columns,
  type Database,
  query,
  type Row,
  selectList,
  type Transaction,
} from '../database/database.ts'
import { defineJob, type JobKind, type Jobs } from '../jobs/jobs.ts'
import { type ContentType, columnOf, type Schemas } from '../schemas/schemas.ts'
import { documentOf } from './document.ts'
import type { IndexScope } from './index-stage.ts'

export interface RebuildScope extends IndexScope {
  readonly database: Database
  readonly schemas: Schemas
  readonly jobs: Jobs
  /** Whether the table of a type has a column `locale`. */
  readonly hasLocale: (type: ContentType) => boolean
}

export interface Rebuild {
  readonly job: JobKind<{ isForced: boolean; fingerprint: string }>
  /** Has those types indexed anew whose documents are not as they should be; all of them where it is forced. */
  request(tx: Transaction, kind: 'stale' | 'all'): Promise<void>
}

const entriesAtOnce = 50
/** Raised when documents are made in another way. */
const indexVersion = 2

export function createRebuild(scope: RebuildScope): Rebuild {
  const { database, engine, texts, state, jobs } = scope
  const fingerprintOf = (type: ContentType) =>
    digest([
      ...[indexVersion, scope.defaultLocale(), describe(type, scope.schemas), texts.titleField(type)],
      ...(scope.hasLocale(type) ? ['locale'] : []),
    ])

  async function rebuildType(type: ContentType, signal: AbortSignal): Promise<number> {
    const nextEntries = entryReader(type, scope)
    const source = (entry: Row) => ({
      ...{ type, entry, texts: texts.of(type, entry) },
      defaultLocale: scope.defaultLocale(),
    })
    let after = 0
    let count = 0
    for (;;) {
      signal.throwIfAborted()
      const entries = await database.transaction(async (tx) => {
        // Locked, so that no write comes between what is read here and what is made of it.
        const entries = await nextEntries(after, tx)
        const ids = entries.map(({ id }) => Number(id))
        await engine.remove(type.name, ids, tx)
        await engine.insert(
          entries.map((entry) => documentOf(source(entry))),
          tx,
        )
        return entries
      })
      count += entries.length
      if (entries.length < entriesAtOnce) break
      after = Number(entries.at(-1)?.id)
    }
    await removeOrphans(type.name, type, signal)
    return count
  }

  /** Documents of entries that were deleted while nobody looked. */
  async function removeOrphans(name: string, type: ContentType | undefined, signal: AbortSignal) {
    for (;;) {
      signal.throwIfAborted()
      const removed = await database.transaction(async (tx) => {
        const ids = await state.orphans(name, type, tx)
        if (ids.length > 0) await engine.remove(name, ids, tx)
        return ids.length
      })
      if (removed === 0) return
    }
  }

  async function forgetOthers(signal: AbortSignal): Promise<void> {
    const known = new Set(texts.types.map(({ name }) => name))
    for (const name of await state.types()) if (!known.has(name)) await removeOrphans(name, undefined, signal)
  }

  const job = defineJob({
    name: 'search.reindex',
    payload: Type.Object({ isForced: Type.Boolean(), fingerprint: Type.String() }),
    timeoutMs: 24 * 60 * 60_000,
    async run({ isForced }, { signal, reportProgress }) {
      let entries = 0
      for (const [index, type] of texts.types.entries()) {
        const fingerprint = fingerprintOf(type)
        const isRight = (await state.fingerprint(type.name)) === fingerprint && (await state.isComplete(type))
        if (isForced || !isRight) {
          entries += await rebuildType(type, signal)
          await engine.settle()
          await state.setFingerprint(type.name, fingerprint)
        }
        reportProgress(((index + 1) / texts.types.length) * 100)
      }
      await forgetOthers(signal)
      return { entries }
    },
  })

  return {
    job,
    async request(tx, kind) {
      const isForced = kind === 'all'
      const fingerprint = digest(texts.types.map(fingerprintOf))
      const key = `search.reindex ${kind} ${fingerprint}`
      await jobs.enqueue(tx, job, { isForced, fingerprint }, { key, mailbox: 'search.reindex' })
    },
  }
}

/** Reads what documents are made of, in the order of ids. */
function entryReader(type: ContentType, { database, hasLocale }: RebuildScope) {
  const attributes = [...type.attributes.values()].flatMap((attribute) => {
    const column = columnOf(attribute)
    const isSearched = column !== undefined && ['string', 'text', 'json'].includes(column.kind)
    return isSearched ? [[attribute.name, { column: column.name, kind: column.kind }] as const] : []
  })
  const system = [
    'updated_at',
    ...(type.options.draftAndPublish ? ['published_at'] : []),
    ...(hasLocale(type) ? ['locale'] : []),
  ]
  const columns: Columns = {
    ...Object.fromEntries(attributes),
    ...Object.fromEntries(
      system.map((column) => [
        column,
        { column, kind: column === 'locale' ? 'string' : 'datetime' } as const,
      ]),
    ),
    id: { column: 'id', kind: 'id' },
  }
  const present: SQL = type.options.softDelete ? sql` and deleted_at is null` : sql``
  const next = query<Row>(
    database,
    (value) => sql`select ${selectList(database, columns)} from ${sql.identifier(type.table)}
      where id > ${value('after', 'id')}${present} order by id limit ${sql.raw(String(entriesAtOnce))}
      ${database.dialect.forUpdate}`,
    columns,
  )
  return (after: number, tx: Transaction) => next.all({ after }, tx)
}

/** All that decides what of an entry is searched. */
function describe(type: ContentType, schemas: Schemas): unknown {
  const components = [...schemas.components.values()].map(({ uid, attributes }) => [
    uid,
    [...attributes.values()],
  ])
  return [type.name, type.options, [...type.attributes.values()], components]
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)
}
