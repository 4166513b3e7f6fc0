import { Type } from 'typebox'
import type { SystemEntries } from '../../../entries/content/content.ts'
import { AppError, created, defineRoute, idParams, Reply, type Route } from '../../../foundation/http/http.ts'
import { type Folders, folderAccess } from './folders.ts'
import { folderSchema } from './record-schema.ts'

export interface FolderRouteDeps {
  readonly folders: Folders
  readonly entries: SystemEntries
}

const { read, write, remove } = folderAccess

/** Only for the API description: content validates the body as the type `media-folder`. */
const body = Type.Object({
  name: Type.Optional(Type.Unknown({ description: 'A text' })),
  parent: Type.Optional(Type.Unknown({ description: 'The id of a folder, or null for the root' })),
})

/** Specification, "Media", and see docs/media.md: folders. */
export function createFolderRoutes(deps: FolderRouteDeps): Route[] {
  return [createFolder(deps), readTree(deps), readFolder(deps), updateFolder(deps), deleteFolder(deps)]
}

const createFolder = ({ folders }: FolderRouteDeps) =>
  defineRoute({
    ...write,
    name: 'media:folders.create',
    method: 'POST',
    path: '/media-folders',
    summary: 'Create a folder',
    body,
    response: folderSchema,
    successStatus: 201,
    handler: async ({ body, principal }) => created(await folders.create(body, { principal })),
  })

const readTree = ({ folders }: FolderRouteDeps) =>
  defineRoute({
    ...read,
    name: 'media:folders.tree',
    method: 'GET',
    path: '/media-folders/tree',
    summary: 'Read all folders, each with those inside',
    response: Type.Array(
      Type.Object({ id: Type.Integer(), name: Type.String(), children: Type.Array(Type.Unknown()) }),
    ),
    handler: () => folders.tree(),
  })

const readFolder = ({ entries }: FolderRouteDeps) =>
  defineRoute({
    ...read,
    name: 'media:folders.get',
    method: 'GET',
    path: '/media-folders/:id',
    summary: 'Read a folder',
    params: idParams,
    response: folderSchema,
    async handler({ params, principal }) {
      const found = await entries.find(params.id, '', principal)
      if (found === undefined) throw AppError.notFound(`folder ${params.id}`)
      return new Reply(200, { kind: 'data', data: found.entry, version: found.version })
    },
  })

const updateFolder = ({ folders }: FolderRouteDeps) =>
  defineRoute({
    ...write,
    name: 'media:folders.update',
    method: 'PUT',
    path: '/media-folders/:id',
    summary: 'Rename or move a folder',
    params: idParams,
    body,
    response: folderSchema,
    handler(request) {
      const { params, principal, body } = request
      return folders.update({ id: params.id, ifMatch: request.header('if-match'), principal }, body)
    },
  })

const deleteFolder = ({ folders }: FolderRouteDeps) =>
  defineRoute({
    ...remove,
    name: 'media:folders.delete',
    method: 'DELETE',
    path: '/media-folders/:id',
    summary: 'Delete an empty folder',
    params: idParams,
    response: folderSchema,
    handler: (request) => folders.remove({ id: request.params.id, ifMatch: request.header('if-match') }),
  })
