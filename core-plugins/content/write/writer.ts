import type { Transaction } from '../../database/database.ts'
import { AppError, type Principal } from '../../http/http.ts'
import type {
  Content,
  Entry,
  EntryWriteRequest,
  SingleWriteRequest,
  WriteOperation,
  WriteRequest,
} from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import { requireVersion } from '../version.ts'
import { type LinkChange, relinked } from './relinked.ts'
import {
  type CompiledType,
  createWriteRunner,
  shownEntry,
  type WriteRunner,
  type WriterScope,
} from './write-runner.ts'

/** Entries that are written together. */
const entriesAtOnce = 50

export type Writer = Omit<
  Content,
  | 'list'
  | 'find'
  | 'findMany'
  | 'findSingle'
  | 'field'
  | 'fieldNames'
  | 'select'
  | 'singleId'
  | 'forgetQueries'
  | 'expander'
  | 'systemEntries'
>

/** All writes, with middleware, events and transactions. */
export function createWriter(scope: WriterScope): Writer {
  const runner = createWriteRunner(scope)
  const { typeOf, inTransaction, run, open } = runner

  /** One operation on one entry that is there. */
  function onEntry(operation: WriteOperation, request: EntryWriteRequest, data?: unknown): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal, ip } = request
    return inTransaction(request, async (tx) => {
      const before = await open(type, request, tx)
      return run(type, { operation, principal, ip, tx, before, data })
    })
  }

  /** Who may publish may do so with drafts, also where they may not read those. */
  function onDraft(
    operation: 'publish' | 'unpublish',
    request: EntryWriteRequest,
    data: unknown,
  ): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal, ip, id, ifMatch } = request
    requireDrafts(type.model)
    return inTransaction(request, async (tx) => {
      const before = await type.store.load(id, tx)
      if (before === undefined) throw AppError.notFound(`${request.type} ${id}`)
      requireVersion(ifMatch, before)
      return run(type, { operation, principal, ip, tx, before, data })
    })
  }

  function onMany(
    operation: 'update' | 'delete',
    request: WriteRequest,
    ids: readonly number[],
    data?: unknown,
  ) {
    const type = typeOf(request.type)
    const { principal, ip } = request
    return inTransaction(request, async (tx) => {
      const entries: Entry[] = []
      for (const before of await openMany(runner, type, ids, principal, tx)) {
        entries.push(await run(type, { operation, principal, ip, tx, before, data }))
      }
      return entries
    })
  }

  async function onManyDrafts(
    operation: 'publish' | 'unpublish',
    request: WriteRequest,
    ids: readonly number[],
  ): Promise<void> {
    const type = typeOf(request.type)
    const { principal, ip } = request
    requireDrafts(type.model)
    await inTransaction(request, async (tx) => {
      for (const portion of portionsOf(ids)) {
        const entries = await type.store.loadMany(portion, tx)
        requireAll(type.model, entries, portion)
        // Of one moment, so that they are written alike.
        const now = new Date().toISOString()
        const writes = entries.map((before) => ({ operation, principal, ip, tx, before, data: {}, now }))
        await runner.runTogether(type, writes, tx)
      }
    })
  }

  function create(request: WriteRequest, data: unknown): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal, ip } = request
    return inTransaction(request, (tx) => run(type, { operation: 'create', principal, ip, tx, data }))
  }

  async function openSingle(
    type: CompiledType,
    { query, ...request }: SingleWriteRequest,
    { tx, data = {} }: { readonly tx: Transaction; readonly data?: unknown },
  ) {
    const { id, values } = await scope.singles.ofWrite(type.model, { query, data }, tx)
    return { values, before: id === undefined ? undefined : await open(type, { ...request, id }, tx) }
  }

  const putSingle: Writer['putSingle'] = async (request, data) => {
    const type = typeOf(request.type)
    const { principal, ip } = request
    const put = () =>
      inTransaction(request, async (tx) => {
        const { before, values } = await openSingle(type, request, { tx, data })
        const entry =
          before === undefined
            ? await run(type, {
                operation: 'create',
                principal,
                ip,
                tx,
                data: { ...Object(data), ...values },
              })
            : await run(type, { operation: 'update', principal, ip, tx, before, data })
        return { entry, isNew: before === undefined }
      })
    try {
      return await put()
    } catch (error) {
      // Somebody else made the entry between the look and the write; now it can be updated.
      if (error instanceof AppError && error.code === 'CONFLICT' && request.tx === undefined) return put()
      throw error
    }
  }

  const deleteSingle: Writer['deleteSingle'] = (request) => {
    const type = typeOf(request.type)
    const { principal, ip } = request
    return inTransaction(request, async (tx) => {
      const { before } = await openSingle(type, request, { tx })
      if (before === undefined) throw AppError.notFound(request.type)
      return run(type, { operation: 'delete', principal, ip, tx, before })
    })
  }

  const restore: Writer['restore'] = (request) => {
    const type = typeOf(request.type)
    const { principal, ip } = request
    return inTransaction(request, async (tx) => {
      const before = await type.store.loadDeleted(request.id, tx)
      if (before === undefined) throw AppError.notFound(`deleted ${request.type} ${request.id}`)
      requireVersion(request.ifMatch, before)
      return run(type, { operation: 'restore', principal, ip, tx, before })
    })
  }

  const repair: Writer['repair'] = (request, change) => {
    const type = typeOf(request.type)
    const { id, principal, ip } = request
    return inTransaction(request, async (tx) => {
      const before = await type.store.load(id, tx)
      const data = before === undefined ? {} : change(before)
      if (before === undefined || Object.keys(data).length === 0) return
      await run(type, { operation: 'update', principal, ip, tx, before, data, isRepair: true })
    })
  }

  const repairMany: Writer['repairMany'] = (request, ids, change) => {
    const type = typeOf(request.type)
    const { principal, ip } = request
    return inTransaction(request, async (tx) => {
      for (const portion of portionsOf(ids)) {
        // Of one moment, so that they are written alike.
        const now = new Date().toISOString()
        const writes = (await type.store.loadMany(portion, tx))
          .map((before) => ({ before, data: change(before) }))
          .filter(({ data }) => Object.keys(data).length > 0)
          .map((each) => ({ operation: 'update' as const, principal, ip, tx, ...each, isRepair: true, now }))
        if (writes.length > 0) await runner.runTogether(type, writes, tx)
      }
    })
  }

  /** A link from the inverse side is a change of the entry on the owning side. */
  function relink(
    request: EntryWriteRequest,
    field: string,
    targetId: number,
    change: LinkChange,
  ): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal, ip } = request
    return inTransaction(request, async (tx) => {
      const before = await open(type, request, tx)
      const inverse = type.model.inverses.get(field)
      if (inverse === undefined) {
        const data = relinked(type.model, before, field, change, targetId)
        return run(type, { operation: 'update', principal, ip, tx, before, data })
      }
      if (!scope.auth.mayContent(principal, inverse.target.name, 'update')) scope.auth.refuse(principal)
      const ownerType = typeOf(inverse.target.name)
      const owner = await openTarget(runner, ownerType, targetId, principal, tx)
      const data = relinked(ownerType.model, owner, inverse.owner.name, change, request.id)
      await run(ownerType, { operation: 'update', principal, ip, tx, before: owner, data })
      return shownEntry(type.model, before)
    })
  }

  return {
    create,
    update: (request, data) => onEntry('update', request, data),
    delete: (request) => onEntry('delete', request),
    restore,
    lock: ({ type, tx }, ids) => typeOf(type).store.loadMany(ids, tx),
    repair,
    repairMany,
    publish: (request, publishedAt) =>
      onDraft('publish', request, publishedAt === undefined ? {} : { publishedAt }),
    unpublish: (request) => onDraft('unpublish', request, {}),
    publishMany: (request, ids) => onManyDrafts('publish', request, ids),
    unpublishMany: (request, ids) => onManyDrafts('unpublish', request, ids),
    putSingle,
    deleteSingle,
    updateMany: (request, ids, data) => onMany('update', request, ids, data),
    deleteMany: (request, ids) => onMany('delete', request, ids),
    link: (request, field, targetId) => relink(request, field, targetId, 'link'),
    unlink: (request, field, targetId) => relink(request, field, targetId, 'unlink'),
  }
}

/** In the order of their ids, each once. */
function portionsOf(ids: readonly number[]): number[][] {
  const sorted = [...new Set(ids)].sort((left, right) => left - right)
  return Array.from({ length: Math.ceil(sorted.length / entriesAtOnce) }, (_, index) =>
    sorted.slice(index * entriesAtOnce, (index + 1) * entriesAtOnce),
  )
}

function requireDrafts({ type }: EntryModel): void {
  if (type.options.draftAndPublish) return
  const message = `${type.name} has no drafts; set options.draftAndPublish in its schema to publish entries`
  throw AppError.invalid([{ path: 'type', code: 'unsupported', message }])
}

/** Locks many entries with one query. @throws AppError 404 naming those that are not there */
async function openMany(
  runner: WriteRunner,
  type: CompiledType,
  ids: readonly number[],
  principal: Principal,
  tx: Transaction,
) {
  const found = (await type.store.loadMany(ids, tx)).filter((entry) =>
    runner.maySee(type.model, entry, principal),
  )
  requireAll(type.model, found, ids)
  return found
}

function requireAll({ type }: EntryModel, found: readonly Entry[], ids: readonly number[]): void {
  const foundIds = new Set(found.map(({ id }) => id))
  const missing = [...new Set(ids)].filter((id) => !foundIds.has(id))
  if (missing.length > 0) throw AppError.notFound(`${type.name} ${missing.slice(0, 20).join(', ')}`)
}

async function openTarget(
  runner: WriteRunner,
  type: CompiledType,
  id: number,
  principal: Principal,
  tx: Transaction,
): Promise<Entry> {
  const entry = await type.store.load(id, tx)
  if (entry !== undefined && runner.maySee(type.model, entry, principal)) return entry
  const message = `there is no ${type.model.type.name} with id ${id}`
  throw AppError.invalid([{ path: 'id', code: 'reference', message }])
}
