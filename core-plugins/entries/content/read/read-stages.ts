import { type Awaitable, andThen, compilePipeline, type Pipeline } from '../../../../kernel/index.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { ContentTarget, ReadOperation } from '../content-target.ts'
import type { Entry } from '../entry/entry.ts'
import type { EntryQuery } from '../entry-query.ts'
import type { ReadContext, ReadResult, ReadStage } from '../read-middleware.ts'
import { aliasedFields, followOwnValues, type OwnValues, ownValues } from './aliased-fields.ts'
import { followShownCounts, type ShownCounts, shownCounts } from './followed-totals.ts'
import { keep } from './keep.ts'

/** A read wrapped in its middleware; `read` performs it. */
export type StagedRead = (context: ReadContext, read: () => Awaitable<ReadResult>) => Promise<ReadResult>

/** A read on its way through the stages, with the read that they wrap. */
interface RunningRead extends ReadContext {
  readonly read: () => Awaitable<ReadResult>
}

/** Who requests entries, and with which query. */
export interface ShownFor {
  readonly principal: Principal
  readonly query: EntryQuery
}

/**
 * Runs the middleware of a type on entries that are shown inside others; returns those it keeps. `complete`
 * adds what the entries are shown with.
 */
export type ShowEntries = (
  entries: readonly Entry[],
  shownFor: ShownFor,
  complete: () => Awaitable<void>,
) => Promise<readonly Entry[]>

/** The read middleware, compiled once for each type and operation. */
export interface ReadStages {
  /**
   * Whether any middleware applies to a type. If so, its entries are read with all fields, because middleware may depend on
   * fields that were not requested.
   */
  has(type: ContentType): boolean
  /** Whether all middleware of a type gives the same result for the same entries and permissions. */
  isPredictable(type: ContentType): boolean
  /** Undefined if no middleware applies. */
  around(type: ContentType, operation: ReadOperation): StagedRead | undefined
  /**
   * Undefined if no middleware applies. Middleware sees all entries as one list, except those of a single
   * type, which are never listed.
   */
  showing(type: ContentType): ShowEntries | undefined
}

/** @param stages complete once all plugins have booted; called at the first read of each type */
export function createReadStages(stages: () => readonly ReadStage[]): ReadStages {
  const compiled = new Map<string, StagedRead | undefined>()

  function compile(type: ContentType, operation: ReadOperation): StagedRead | undefined {
    const target = { type, operation }
    if (type.system || !stages().some((stage) => stage.matches(target))) return undefined
    const pipeline: Pipeline<RunningRead, ReadResult> = compilePipeline<
      ContentTarget,
      RunningRead,
      ReadResult
    >(stages(), target, (context) => context.read())
    return async (context, read) => {
      const aliases = aliasedFields(context.query)
      let before: OwnValues = new Map()
      let counts: ShownCounts = new Map()
      const readNoting = () =>
        andThen(read(), (result) => {
          if (aliases.length > 0) before = ownValues(entriesIn(result), aliases)
          counts = shownCounts(entriesIn(result))
          return result
        })
      const result = await pipeline({ ...context, read: readNoting })
      followOwnValues(entriesIn(result), aliases, before)
      followShownCounts(entriesIn(result), counts)
      return result
    }
  }

  const predictable = new Map<string, boolean>()
  const unpredictable = (type: ContentType) =>
    stages().filter(
      (stage) =>
        stage.isPredictable !== true &&
        (stage.matches({ type, operation: 'list' }) || stage.matches({ type, operation: 'find' })),
    )

  function around(type: ContentType, operation: ReadOperation): StagedRead | undefined {
    const key = `${operation} ${type.name}`
    if (!compiled.has(key)) compiled.set(key, compile(type, operation))
    return compiled.get(key)
  }

  return {
    has: (type) => around(type, 'list') !== undefined || around(type, 'find') !== undefined,
    isPredictable: (type) => keep(predictable, type.name, () => unpredictable(type).length === 0),
    around,
    showing(type) {
      const isSingle = type.kind === 'singleType'
      const staged = around(type, isSingle ? 'find' : 'list')
      if (staged === undefined) return undefined
      return isSingle ? showEach(type, staged) : showList(type, staged)
    },
  }
}

/** The entries that a read has found, whether a page or one. */
export function entriesIn(result: ReadResult): readonly Entry[] {
  if (result === undefined) return []
  return 'entry' in result ? [result.entry] : result.entries
}

function showList(type: ContentType, staged: StagedRead): ShowEntries {
  return async (entries, shownFor, complete) => {
    const context: ReadContext = { type, operation: 'list', id: 0, ...shownFor }
    const pagination = { limit: entries.length, hasMore: false }
    const read = async () => {
      await complete()
      return { entries: [...entries], pagination }
    }
    return entriesIn(await staged(context, read))
  }
}

function showEach(type: ContentType, staged: StagedRead): ShowEntries {
  return async (entries, shownFor, complete) => {
    await complete()
    const shown: Entry[] = []
    for (const entry of entries) {
      const context: ReadContext = { type, operation: 'find', id: entry.id, ...shownFor }
      shown.push(...entriesIn(await staged(context, () => ({ entry, version: '' }))))
    }
    return shown
  }
}
