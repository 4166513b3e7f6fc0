import type { Auth, ContentAction } from '../../accounts/auth/auth.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { BulkWrites, EntryToSave, SaveOptions } from './services/bulk-writes-service.ts'
import type { Content, ContentReads, ContentWrites, UnguardedContent } from './services/content-service.ts'
import type { Guarded } from './services/guarded.ts'
import type { Trash } from './services/trash-service.ts'
import type { WriteRequest } from './write-request.ts'

/** Checks before anything is known about the type, as policies do. @throws AppError 401, 403 */
export type Guard = (principal: Principal, type: string, action: ContentAction) => void

export function createGuard(auth: Auth): Guard {
  return (principal, type, action) => {
    if (!auth.mayContent(principal, type, action)) auth.refuse(principal)
  }
}

/** The permission to create an entry: a single type is created by its update. */
export function creatingAction({ types }: Schemas, type: string): ContentAction {
  return types.get(type)?.kind === 'singleType' ? 'update' : 'create'
}

/** The face for whoever has not checked: a forgotten check refuses, and does not reveal. */
export function guardContent(unguarded: UnguardedContent, guard: Guard, schemas: Schemas): Content {
  return {
    ...guardReads(unguarded, guard),
    ...guardWrites(unguarded, guard, schemas),
    within: (budget) => guardReads(unguarded.within(budget), guard),
    unguarded,
  }
}

function guardReads(reads: ContentReads, guard: Guard): ContentReads {
  return {
    list(type, query, principal, recipient) {
      guard(principal, type, 'read')
      return reads.list(type, query, principal, recipient)
    },
    async findMany(type, ids, request) {
      guard(request.principal, type, 'read')
      return reads.findMany(type, ids, request)
    },
    find(type, id, query, principal, recipient) {
      guard(principal, type, 'read')
      return reads.find(type, id, query, principal, recipient)
    },
    findSingle(type, query, principal, recipient) {
      guard(principal, type, 'read')
      return reads.findSingle(type, query, principal, recipient)
    },
    // It adds to an entry that the caller was given already; what it adds is checked by the query.
    populateInto: (...asked) => reads.populateInto(...asked),
  }
}

function guardWrites(writes: ContentWrites, guard: Guard, schemas: Schemas): ContentWrites {
  const may = guarding(guard)
  return {
    create: may('create', writes.create),
    update: may('update', writes.update),
    delete: may('delete', writes.delete),
    publish: may('publish', writes.publish),
    unpublish: may('publish', writes.unpublish),
    discard: may('update', writes.discard),
    link: may('update', writes.link),
    unlink: may('update', writes.unlink),
    putSingle: may('update', writes.putSingle),
    deleteSingle: may('delete', writes.deleteSingle),
    async checkCreate(request, data) {
      guard(request.principal, request.type, creatingAction(schemas, request.type))
      return writes.checkCreate(request, data)
    },
    checkUpdate: may('update', writes.checkUpdate),
  }
}

export function guardBulkWrites(unguarded: BulkWrites, guard: Guard, schemas: Schemas): Guarded<BulkWrites> {
  const may = guarding(guard)
  return {
    updateMany: may('update', unguarded.updateMany),
    deleteMany: may('delete', unguarded.deleteMany),
    publishMany: may('publish', unguarded.publishMany),
    unpublishMany: may('publish', unguarded.unpublishMany),
    async saveMany(request, entries, options) {
      const actions = [creatingAction(schemas, request.type), ...savingActions(entries, options)]
      for (const action of actions) guard(request.principal, request.type, action)
      return unguarded.saveMany(request, entries, options)
    },
    unguarded,
  }
}

/** The permissions that `saveMany` needs, besides the one to create entries. */
function savingActions(entries: readonly EntryToSave[], { match }: SaveOptions = {}): ContentAction[] {
  const isChanging = match !== undefined || entries.some(({ id }) => id !== undefined)
  const isPublishing = entries.some(({ published }) => published !== undefined)
  return [...(isChanging ? ['update' as const] : []), ...(isPublishing ? ['publish' as const] : [])]
}

export function guardTrash(unguarded: Trash, auth: Auth): Guarded<Trash> {
  const guard = createGuard(auth)
  const may = guarding((principal, type, action) => {
    guard(principal, type, action)
    if (!auth.isAdministrator(principal)) auth.refuse(principal)
  })
  return {
    restore: may('delete', unguarded.restore),
    purge: may('delete', unguarded.purge),
    emptyTrash: may('delete', unguarded.emptyTrash),
    unguarded,
  }
}

/** Puts the check of an action in front of a write. */
const guarding =
  (guard: Guard) =>
  <Request extends WriteRequest, Rest extends readonly unknown[], Result>(
    action: ContentAction,
    write: (request: Request, ...rest: Rest) => Promise<Result>,
  ) =>
  async (request: Request, ...rest: Rest): Promise<Result> => {
    guard(request.principal, request.type, action)
    return write(request, ...rest)
  }
