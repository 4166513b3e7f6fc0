import type { Transaction } from '../../database/database.ts'
import { AppError, type Principal } from '../../http/http.ts'
import type { Content, Entry, EntryWriteRequest, WriteOperation, WriteRequest } from '../content.ts'
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

export type Writer = Omit<Content, 'list' | 'find' | 'findSingle'>

/** All writes, with middleware, events and transactions. */
export function createWriter(scope: WriterScope): Writer {
  const runner = createWriteRunner(scope)
  const { typeOf, inTransaction, run, open } = runner

  /** One operation on one entry that is there. */
  function onEntry(operation: WriteOperation, request: EntryWriteRequest, data?: unknown): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal } = request
    return inTransaction(request, async (tx) => {
      const before = await open(type, request, tx)
      return run(type, { operation, principal, tx, before, data })
    })
  }

  /** Who may publish may do so with drafts, also where they may not read those. */
  function onDraft(
    operation: 'publish' | 'unpublish',
    request: EntryWriteRequest,
    data: unknown,
  ): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal, id, ifMatch } = request
    requireDrafts(type.model)
    return inTransaction(request, async (tx) => {
      const before = await type.store.load(id, tx)
      if (before === undefined) throw AppError.notFound(`${request.type} ${id}`)
      requireVersion(ifMatch, before)
      return run(type, { operation, principal, tx, before, data })
    })
  }

  function onMany(
    operation: 'update' | 'delete',
    request: WriteRequest,
    ids: readonly number[],
    data?: unknown,
  ) {
    const type = typeOf(request.type)
    const { principal } = request
    return inTransaction(request, async (tx) => {
      const entries: Entry[] = []
      for (const before of await openMany(runner, type, ids, principal, tx)) {
        entries.push(await run(type, { operation, principal, tx, before, data }))
      }
      return entries
    })
  }

  function create(request: WriteRequest, data: unknown): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal } = request
    return inTransaction(request, (tx) => run(type, { operation: 'create', principal, tx, data }))
  }

  async function openSingle(
    type: CompiledType,
    request: WriteRequest & { ifMatch?: string | undefined },
    tx: Transaction,
  ) {
    const found = await type.store.loadSingle(tx)
    if (found === undefined) return undefined
    return open(type, { ...request, id: found.id }, tx)
  }

  const putSingle: Writer['putSingle'] = async (request, data) => {
    const type = typeOf(request.type)
    const { principal } = request
    const put = () =>
      inTransaction(request, async (tx) => {
        const before = await openSingle(type, request, tx)
        const entry =
          before === undefined
            ? await run(type, { operation: 'create', principal, tx, data })
            : await run(type, { operation: 'update', principal, tx, before, data })
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
    const { principal } = request
    return inTransaction(request, async (tx) => {
      const before = await openSingle(type, request, tx)
      if (before === undefined) throw AppError.notFound(request.type)
      return run(type, { operation: 'delete', principal, tx, before })
    })
  }

  const restore: Writer['restore'] = (request) => {
    const type = typeOf(request.type)
    const { principal } = request
    return inTransaction(request, async (tx) => {
      const before = await type.store.loadDeleted(request.id, tx)
      if (before === undefined) throw AppError.notFound(`deleted ${request.type} ${request.id}`)
      requireVersion(request.ifMatch, before)
      return run(type, { operation: 'restore', principal, tx, before })
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
    const { principal } = request
    return inTransaction(request, async (tx) => {
      const before = await open(type, request, tx)
      const inverse = type.model.inverses.get(field)
      if (inverse === undefined) {
        const data = relinked(type.model, before, field, change, targetId)
        return run(type, { operation: 'update', principal, tx, before, data })
      }
      if (!scope.auth.mayContent(principal, inverse.target.name, 'update')) scope.auth.refuse(principal)
      const ownerType = typeOf(inverse.target.name)
      const owner = await openTarget(runner, ownerType, targetId, principal, tx)
      const data = relinked(ownerType.model, owner, inverse.owner.name, change, request.id)
      await run(ownerType, { operation: 'update', principal, tx, before: owner, data })
      return shownEntry(type.model, before)
    })
  }

  return {
    create,
    update: (request, data) => onEntry('update', request, data),
    delete: (request) => onEntry('delete', request),
    restore,
    publish: (request, publishedAt) =>
      onDraft('publish', request, publishedAt === undefined ? {} : { publishedAt }),
    unpublish: (request) => onDraft('unpublish', request, {}),
    putSingle,
    deleteSingle,
    updateMany: (request, ids, data) => onMany('update', request, ids, data),
    deleteMany: (request, ids) => onMany('delete', request, ids),
    link: (request, field, targetId) => relink(request, field, targetId, 'link'),
    unlink: (request, field, targetId) => relink(request, field, targetId, 'unlink'),
  }
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
  const foundIds = new Set(found.map(({ id }) => id))
  const missing = [...new Set(ids)].filter((id) => !foundIds.has(id))
  if (missing.length > 0)
    throw AppError.notFound(`${type.model.type.name} ${missing.slice(0, 20).join(', ')}`)
  return found
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
