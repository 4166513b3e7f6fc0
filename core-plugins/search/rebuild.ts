import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { Type } from 'typebox'
import type { ChangeLog } from '../changes/changes.ts'
import {
  type Columns,
  type Database,
  query,
  type Row,
  selectList,
  type Transaction,
} from '../database/database.ts'
import { defineJob, type JobContext, type JobKind, type Jobs } from '../jobs/jobs.ts'
import { type ContentType, columnOf, type Schemas } from '../schemas/schemas.ts'
import { sourceOf } from './document.ts'
import { documentFormat } from './engines/document-row.ts'
import type { IndexDeps } from './index-stage.ts'
import { indexName } from './index-state.ts'
import type { Tokenizers } from './tokenizers.ts'

export interface RebuildDeps extends IndexDeps {
  readonly database: Database
  readonly tokenizers: Tokenizers
  readonly schemas: Schemas
  readonly jobs: Jobs
  readonly changeLog: ChangeLog | undefined
  /** Whether the table of a type has a column `locale`. */
  readonly hasLocale: (type: ContentType) => boolean
}

export interface Rebuild {
  readonly job: JobKind<{ isForced: boolean; fingerprint: string }>
  /** Rebuilds the documents of types whose index is outdated, or of all types. */
  request(tx: Transaction, kind: 'stale' | 'all'): Promise<void>
}

/** SQLite cannot serve other requests meanwhile. */
const entriesAtOnce = 50

/** One run of the job. */
interface RebuildRun {
  readonly job: number
  readonly signal: AbortSignal
  /** Reports the finished fraction of the type's entries, up to 1. */
  advance(part: number): void
}

interface Portion {
  readonly type: ContentType
  readonly nextEntries: ReturnType<typeof entryReader>
  readonly job: number
}

class DocumentRebuild implements Rebuild {
  readonly job: Rebuild['job']
  readonly #deps: RebuildDeps

  constructor(deps: RebuildDeps) {
    this.#deps = deps
    this.job = defineJob({
      name: 'search.reindex',
      payload: Type.Object({ isForced: Type.Boolean(), fingerprint: Type.String() }),
      timeoutMs: 24 * 60 * 60_000,
      run: ({ isForced }, context) => this.#rebuildAll(isForced, context),
    })
  }

  async request(tx: Transaction, kind: 'stale' | 'all') {
    const { jobs, texts } = this.#deps
    const isForced = kind === 'all'
    const fingerprint = digest(texts.types.map((type) => this.#fingerprintOf(type)))
    const key = `search.reindex ${kind} ${fingerprint}`
    await jobs.enqueue(tx, this.job, { isForced, fingerprint }, { key, mailbox: 'search.reindex' })
  }

  async #rebuildAll(isForced: boolean, { job: { id: job }, signal, log, reportProgress }: JobContext) {
    const { types } = this.#deps.texts
    let entries = 0
    for (const [index, type] of types.entries()) {
      const advance = (part: number) => reportProgress(((index + part) / types.length) * 100)
      const from = await this.#startOf(type, { job, isForced })
      if (from !== undefined) {
        const behind = from > 0 ? { after: from } : {}
        log.info({ type: type.name, ...behind }, 'rebuilding the search documents of a type')
        entries += await this.#rebuildWhole(type, from, { job, signal, advance })
      }
      advance(1)
    }
    await this.#forgetOtherTypes(signal)
    return { entries }
  }

  /** The entry after which a job continues with a type; undefined if there is nothing to do. */
  async #startOf(type: ContentType, { job, isForced }: { job: number; isForced: boolean }) {
    const { state } = this.#deps
    const progress = await state.progress(type.name, job)
    if (progress !== 'done' && progress > 0) return progress
    if (isForced) return progress === 'done' ? undefined : 0
    const isKnown = (await state.fingerprint(type.name)) === this.#fingerprintOf(type)
    return isKnown && (await state.isComplete(type)) ? undefined : 0
  }

  async #rebuildWhole(type: ContentType, from: number, run: RebuildRun): Promise<number> {
    const { engine, state } = this.#deps
    let entries = await this.#rebuildType(type, from, run)
    // While the job was interrupted, entries may have been written without their documents.
    if (from > 0 && !(await state.isComplete(type))) entries += await this.#rebuildType(type, 0, run)
    await engine.settle()
    await state.finish(type.name, { job: run.job, fingerprint: this.#fingerprintOf(type) })
    return entries
  }

  /** Continues after the last entry that the same job processed before it was interrupted. */
  async #rebuildType(type: ContentType, from: number, run: RebuildRun): Promise<number> {
    const nextEntries = entryReader(type, this.#deps)
    const newest = (await newestEntry(this.#deps.database, type).get())?.newest ?? 0
    let after = from
    let count = 0
    for (;;) {
      run.signal.throwIfAborted()
      const entries = await this.#rebuildAfter(after, { type, nextEntries, job: run.job })
      count += entries.length
      if (entries.length < entriesAtOnce) break
      after = Number(entries.at(-1)?.id)
      run.advance(after / Math.max(after, newest))
    }
    await this.#removeOrphans(type.name, type, run.signal)
    return count
  }

  /** Need not survive a power failure: progress is lost along with the documents, so they are built again. */
  #rebuildAfter(after: number, { type, nextEntries, job }: Portion): Promise<Row[]> {
    const { database, documents, engine, state, texts, vocabulary } = this.#deps
    const defaultLocale = this.#deps.defaultLocale()
    return database.transaction(
      async (tx) => {
        // Locked, so that no write happens between reading the entries and indexing them.
        const entries = await nextEntries(after, tx)
        const ids = entries.map(({ id }) => Number(id))
        const { rows, spelled } = documents.now(
          entries.map((entry) => sourceOf(type, entry, { texts: texts.of(type, entry), defaultLocale })),
        )
        await engine.remove(type.name, ids, tx)
        engine.insert(rows, tx)
        await vocabulary.add(spelled, tx)
        if (ids.length > 0) this.#noteChange(tx)
        await state.setProgress(type.name, { job, upTo: ids.at(-1) ?? after }, tx)
        return entries
      },
      { durability: 'relaxed' },
    )
  }

  /** Removes documents of entries that were deleted without updating the index. */
  async #removeOrphans(name: string, type: ContentType | undefined, signal: AbortSignal) {
    const { database, engine, state } = this.#deps
    for (;;) {
      signal.throwIfAborted()
      const removed = await database.transaction(async (tx) => {
        const ids = await state.orphans(name, type, tx)
        if (ids.length === 0) return 0
        await engine.remove(name, ids, tx)
        this.#noteChange(tx)
        return ids.length
      })
      if (removed === 0) return
    }
  }

  /** Nothing of the entries has changed, but what is found of them. */
  #noteChange(tx: Transaction): void {
    this.#deps.changeLog?.note({ kind: 'update', type: indexName }, tx)
  }

  async #forgetOtherTypes(signal: AbortSignal): Promise<void> {
    const { state, texts } = this.#deps
    const known = new Set(texts.types.map(({ name }) => name))
    for (const name of await state.types()) {
      if (!known.has(name)) await this.#removeOrphans(name, undefined, signal)
    }
  }

  #fingerprintOf(type: ContentType): string {
    const { defaultLocale, hasLocale, schemas, texts, tokenizers } = this.#deps
    const { versions } = tokenizers
    return digest([
      ...[documentFormat, defaultLocale(), describe(type, schemas), texts.titleField(type)],
      ...(hasLocale(type) ? ['locale'] : []),
      ...(versions.length > 0 ? [versions] : []),
    ])
  }
}

/** Creates the service that rebuilds search documents. */
export function createRebuild(deps: RebuildDeps): Rebuild {
  return new DocumentRebuild(deps)
}

function newestEntry(database: Database, { table }: ContentType) {
  return query<{ newest: number | null }>(
    database,
    () => sql`select max(id) as ${sql.identifier('newest')} from ${sql.identifier(table)}`,
    { newest: { column: 'newest', kind: 'integer' } },
  )
}

/** Reads the data for documents, in order of ids. */
function entryReader(type: ContentType, { database, hasLocale }: RebuildDeps) {
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
    (
      value,
    ) => sql`select ${selectList(database, columns)} from ${sql.identifier(type.table)} ${database.dialect.byPrimaryKey}
      where id > ${value('after', 'id')}${present} order by id limit ${sql.raw(String(entriesAtOnce))}
      ${database.dialect.forUpdate}`,
    columns,
  )
  return (after: number, tx: Transaction) => next.all({ after }, tx)
}

/** Everything that determines which parts of an entry are searched. */
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
