import { compilePipeline, type Pipeline } from '../../../kernel/index.ts'
import type { Principal } from '../../http/http.ts'
import type { ContentType } from '../../schemas/schemas.ts'
import { type Awaitable, andThen } from '../awaitable.ts'
import type { Entry, EntryQuery, ReadContext, ReadOperation, ReadResult, ReadStage } from '../content.ts'
import { aliasedFields, followOwnValues, type OwnValues, ownValues } from './aliased-fields.ts'

/** A read with its middleware around it; `read` does what is asked for. */
export type StagedRead = (context: ReadContext, read: () => Awaitable<ReadResult>) => Promise<ReadResult>

/** Who asks for entries, and how. */
export interface ShownFor {
  readonly principal: Principal
  readonly query: EntryQuery
}

/**
 * Asks the middleware of a type about entries that are shown with others; answers those that it leaves. `complete`
 * puts into them what they are shown with.
 */
export type ShowEntries = (
  entries: readonly Entry[],
  shownFor: ShownFor,
  complete: () => Awaitable<void>,
) => Promise<readonly Entry[]>

/** The read middleware, compiled once for each type and operation. */
export interface ReadStages {
  /** Whether any has a say in a type. Such entries are read whole: it may decide by fields that nobody asked for. */
  has(type: ContentType): boolean
  /** Undefined where no middleware has a say. */
  around(type: ContentType, operation: ReadOperation): StagedRead | undefined
  /**
   * Undefined where no middleware has a say. All entries are one list for it, except those of a single type, which
   * nobody ever lists.
   */
  showing(type: ContentType): ShowEntries | undefined
}

/** @param stages complete once all plugins have booted; asked at the first read of each type */
export function createReadStages(stages: () => readonly ReadStage[]): ReadStages {
  const compiled = new Map<string, StagedRead | undefined>()
  const reads = new WeakMap<ReadContext, () => Awaitable<ReadResult>>()

  function compile(type: ContentType, operation: ReadOperation): StagedRead | undefined {
    const target = { type, operation }
    if (type.system || !stages().some((stage) => stage.matches(target))) return undefined
    const pipeline: Pipeline<ReadContext, ReadResult> = compilePipeline(stages(), target, (context) =>
      reads.get(context)?.(),
    )
    return async (context, read) => {
      const aliases = aliasedFields(context.query)
      let before: OwnValues = new Map()
      reads.set(context, () =>
        andThen(read(), (result) => {
          if (aliases.length > 0) before = ownValues(entriesIn(result), aliases)
          return result
        }),
      )
      const result = await pipeline(context)
      followOwnValues(entriesIn(result), aliases, before)
      return result
    }
  }

  function around(type: ContentType, operation: ReadOperation): StagedRead | undefined {
    const key = `${operation} ${type.name}`
    if (!compiled.has(key)) compiled.set(key, compile(type, operation))
    return compiled.get(key)
  }

  return {
    has: (type) => around(type, 'list') !== undefined || around(type, 'find') !== undefined,
    around,
    showing(type) {
      const isSingle = type.kind === 'singleType'
      const staged = around(type, isSingle ? 'find' : 'list')
      if (staged === undefined) return undefined
      return isSingle ? showEach(type, staged) : showList(type, staged)
    },
  }
}

/** What a read has found, be it a page or one. */
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
