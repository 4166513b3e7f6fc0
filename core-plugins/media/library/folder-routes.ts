import { Type } from 'typebox'
import type { SystemEntries } from '../../content/content.ts'
import type { Database } from '../../database/database.ts'
import { AppError, created, defineRoute, idParams, Reply, type Route } from '../../http/http.ts'
import { createFolderPlaces, createFolderTree } from './folder-tree.ts'
import { folderSchema } from './record-schema.ts'

export interface FolderRouteDeps {
  readonly database: Database
  readonly folders: SystemEntries
}

const read = { access: 'permission', scope: 'media:read', policies: ['media.read'] } as const
const write = { access: 'permission', scope: 'media:write', policies: ['media.write'] } as const
const remove = { access: 'permission', scope: 'media:delete', policies: ['media.delete'] } as const

/** For the description only: content validates it as the type `media-folder`. */
const body = Type.Object({
  name: Type.Optional(Type.Unknown({ description: 'A text' })),
  parent: Type.Optional(Type.Unknown({ description: 'The id of a folder, or null for the root' })),
})

/** Specification, "Media", and see docs/media.md: folders. */
export function createFolderRoutes(deps: FolderRouteDeps): Route[] {
  return [createFolder(deps), readTree(deps), readFolder(deps), updateFolder(deps), deleteFolder(deps)]
}

const createFolder = ({ database, folders }: FolderRouteDeps) => {
  const places = createFolderPlaces(database, folders)
  return defineRoute({
    ...write,
    name: 'media:folders.create',
    method: 'POST',
    path: '/media-folders',
    summary: 'Create a folder',
    body,
    response: folderSchema,
    successStatus: 201,
    async handler({ body, principal }) {
      return created(
        await database.transaction(async (tx) => {
          const now = new Date().toISOString()
          const values = await folders.check(named(body), { principal, tx, now })
          const { parent } = values
          if (typeof parent === 'number') await places.assertPossible({ id: undefined, parent }, tx)
          return folders.insert(values, { tx, now })
        }),
      )
    },
  })
}

const readTree = ({ database }: FolderRouteDeps) => {
  const tree = createFolderTree(database)
  return defineRoute({
    ...read,
    name: 'media:folders.tree',
    method: 'GET',
    path: '/media-folders/tree',
    summary: 'Read all folders, each with those inside',
    response: Type.Array(
      Type.Object({ id: Type.Integer(), name: Type.String(), children: Type.Array(Type.Unknown()) }),
    ),
    handler: () => tree.read(),
  })
}

const readFolder = ({ folders }: FolderRouteDeps) =>
  defineRoute({
    ...read,
    name: 'media:folders.get',
    method: 'GET',
    path: '/media-folders/:id',
    summary: 'Read a folder',
    params: idParams,
    response: folderSchema,
    async handler({ params, principal }) {
      const found = await folders.find(params.id, '', principal)
      if (found === undefined) throw AppError.notFound(`folder ${params.id}`)
      return new Reply(200, { kind: 'data', data: found.entry, version: found.version })
    },
  })

const updateFolder = ({ database, folders }: FolderRouteDeps) => {
  const places = createFolderPlaces(database, folders)
  return defineRoute({
    ...write,
    name: 'media:folders.update',
    method: 'PUT',
    path: '/media-folders/:id',
    summary: 'Rename or move a folder',
    params: idParams,
    body,
    response: folderSchema,
    handler: (request) =>
      database.transaction(async (tx) => {
        const { params, principal } = request
        const now = new Date().toISOString()
        const before = await folders.open(params.id, { tx, ifMatch: request.header('if-match') })
        const values = await folders.check(named(request.body), { before, principal, tx, now })
        const { parent } = values
        const isMoved = typeof parent === 'number' && parent !== before.parent
        if (isMoved) await places.assertPossible({ id: before.id, parent }, tx)
        return Object.keys(values).length === 0 ? before : folders.update(before, values, { tx, now })
      }),
  })
}

const deleteFolder = ({ database, folders }: FolderRouteDeps) =>
  defineRoute({
    ...remove,
    name: 'media:folders.delete',
    method: 'DELETE',
    path: '/media-folders/:id',
    summary: 'Delete an empty folder',
    params: idParams,
    response: folderSchema,
    handler: (request) =>
      database.transaction(async (tx) => {
        const folder = await folders.open(request.params.id, { tx, ifMatch: request.header('if-match') })
        await folders.remove(folder, tx)
        return folder
      }),
  })

/** A name of spaces only is no name. */
function named(body: { readonly name?: unknown }) {
  return typeof body.name === 'string' ? { ...body, name: body.name.trim() } : body
}
