import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import {
  createPace,
  defineJob,
  type JobContext,
  type JobKind,
  type Jobs,
} from '../../background/jobs/jobs.ts'
import { areEmptyTables, emptyTables, type Transaction } from '../../foundation/database/database.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import { type BuildingRun, createDocumentRanges, type DocumentRangeDeps } from './document-ranges.ts'
import { documentFormat } from './engines/document-row.ts'
import { endOfIds } from './index-comparison.ts'
import type { Tokenizers } from './tokenizers.ts'

export interface RebuildDeps extends DocumentRangeDeps {
  readonly tokenizers: Tokenizers
  readonly schemas: Schemas
  readonly jobs: Jobs
}

export interface Rebuild {
  readonly job: JobKind<{ isForced: boolean; fingerprint: string }>
  /** Rebuilds the documents of types whose index is outdated, or of all types. */
  request(tx: Transaction, kind: 'stale' | 'all'): Promise<void>
  /**
   * To be called at the start: records that types without entries need no rebuild, since their writes keep the index complete.
   * @returns whether no type needs a rebuild
   */
  noteEmptyTypes(): Promise<boolean>
}

/** The maximum number of documents that an engine removes at once. */
const mostAtOnce = 50
/** The number of entries compared with their documents at once. */
const mostCompared = 2_000

class DocumentRebuild implements Rebuild {
  readonly job: Rebuild['job']
  readonly #deps: RebuildDeps
  readonly #ranges: ReturnType<typeof createDocumentRanges>

  constructor(deps: RebuildDeps) {
    this.#deps = deps
    this.#ranges = createDocumentRanges(deps)
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

  async noteEmptyTypes() {
    const { database, engine, state, texts } = this.#deps
    const [builtFor, empty, hasNoDocuments] = await Promise.all([
      state.fingerprints(),
      emptyTables(
        database,
        texts.types.map(({ table }) => table),
      ),
      areEmptyTables(database, [engine.table]),
    ])
    const noted = texts.types
      .filter(({ name, table }) => empty.has(table) && (hasNoDocuments || !builtFor.has(name)))
      .map((type) => ({ type: type.name, fingerprint: this.#fingerprintOf(type), job: null }))
      .filter(({ type, fingerprint }) => builtFor.get(type) !== fingerprint)
    if (noted.length > 0) await state.finish(noted)
    return hasNoDocuments && texts.types.every(({ table }) => empty.has(table))
  }

  async #rebuildAll(isForced: boolean, { job: { id: job }, signal, log, reportProgress }: JobContext) {
    const { database, texts } = this.#deps
    const pace = createPace({ database, most: mostAtOnce })
    let entries = 0
    for (const [index, type] of texts.types.entries()) {
      const advance = (part: number) => reportProgress(((index + part) / texts.types.length) * 100)
      const from = await this.#startOf(type, { job, isForced })
      if (from !== undefined) {
        const behind = from > 0 ? { after: from } : {}
        log.info({ type: type.name, ...behind }, 'rebuilding the search documents of a type')
        entries += await this.#rebuildWhole(type, from, { job, signal, pace, advance })
      }
      // Entries may have been written without their documents while this plugin or the job did not run.
      const isResumed = from !== undefined && from > 0
      if (isResumed || (from === undefined && !isForced))
        entries += await this.#rebuildOutdated(type, { signal, pace, advance })
      advance(1)
    }
    await this.#forgetOtherTypes(signal)
    return { entries }
  }

  /** The entry after which to build the documents of a type, 0 for all; undefined if all have been built. */
  async #startOf(type: ContentType, { job, isForced }: { job: number; isForced: boolean }) {
    const { state } = this.#deps
    const progress = await state.progress(type.name, job)
    if (progress !== 'done' && progress > 0) return progress
    if (isForced) return progress === 'done' ? undefined : 0
    return (await state.fingerprint(type.name)) === this.#fingerprintOf(type) ? undefined : 0
  }

  /** Continues after the last entry that the same job processed before it was interrupted. */
  async #rebuildWhole(type: ContentType, from: number, run: BuildingRun & { job: number }): Promise<number> {
    const { engine, state } = this.#deps
    const entries = await this.#ranges.build(type, { after: from, last: endOfIds }, run)
    await engine.settle()
    await state.finish([{ type: type.name, fingerprint: this.#fingerprintOf(type), job: run.job }])
    return entries
  }

  /** Builds only documents that are missing or outdated. */
  async #rebuildOutdated(type: ContentType, run: BuildingRun): Promise<number> {
    const { comparison, database } = this.#deps
    const pace = createPace({ database, most: mostCompared })
    let count = 0
    for (let after = 0; after < endOfIds; ) {
      run.signal.throwIfAborted()
      const { last, isCurrent } = await pace.portion((items) => comparison.compare(type, { after, items }))
      if (!isCurrent) count += await this.#ranges.build(type, { after, last }, run)
      after = last
    }
    return count
  }

  async #forgetOtherTypes(signal: AbortSignal): Promise<void> {
    const { state, texts } = this.#deps
    const known = new Set(texts.types.map(({ name }) => name))
    for (const name of await state.types()) {
      if (known.has(name)) continue
      await this.#ranges.removeOrphans({ name, type: undefined }, { after: 0, last: endOfIds }, signal)
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

/** Everything that decides which parts of an entry are searched. */
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
