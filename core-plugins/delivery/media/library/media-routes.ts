import { Type } from 'typebox'
import type { SystemEntries } from '../../../entries/content/content.ts'
import {
  defineRoute,
  idParams,
  idSchema,
  page,
  Reply,
  type Route,
  strict,
} from '../../../foundation/http/http.ts'
import type { MediaFormats } from '../media.ts'
import type { Descriptions } from './descriptions.ts'
import type { Library } from './library.ts'
import { contentQueryOf, listQuery } from './list-query.ts'
import { mediaSchema } from './record-schema.ts'

export const mediaAccess = {
  read: { access: 'permission', scope: 'media:read', policies: ['media.read'] },
  write: { access: 'permission', scope: 'media:write', policies: ['media.write'] },
  remove: { access: 'permission', scope: 'media:delete', policies: ['media.delete'] },
} as const

const { read, write, remove } = mediaAccess

const ids = Type.Array(idSchema, { minItems: 1, maxItems: 1_000 })

/** The ids of the files to move. */
export const moveSchema = Type.Object({ ids })
/** Limited, since each file is checked and written separately in one transaction. */
export const maxDescribed = 200

const countSchema = Type.Object({ count: Type.Integer(), ids: Type.Array(Type.Integer()) }, strict)

export interface MediaRouteDeps {
  readonly library: Library
  readonly descriptions: Descriptions
  readonly entries: SystemEntries
}

/** Specification, "Media": all routes except uploads, folders, usages and downloads. */
export function createMediaRoutes(deps: MediaRouteDeps): Route[] {
  return [
    listFiles(deps),
    readFile(deps),
    updateFile(deps),
    deleteFile(deps),
    listVariants(deps),
    describeFiles(deps),
    moveFiles(deps),
    deleteFiles(deps),
  ]
}

const listFiles = ({ entries }: MediaRouteDeps) =>
  defineRoute({
    ...read,
    name: 'media:files.list',
    tool: {
      name: 'list_media',
      description: 'Lists the files of the media library: their ids are what media fields take.',
    },
    method: 'GET',
    path: '/media',
    summary: 'List files',
    query: listQuery,
    response: Type.Array(mediaSchema),
    isPaginated: true,
    async handler({ query, principal }) {
      const { entries: found, pagination } = await entries.list(contentQueryOf(query), principal)
      return page(found, pagination)
    },
  })

const readFile = ({ library }: MediaRouteDeps) =>
  defineRoute({
    ...read,
    name: 'media:files.get',
    method: 'GET',
    path: '/media/:id',
    summary: 'Read what is known of a file',
    params: idParams,
    response: mediaSchema,
    async handler({ params, principal }) {
      const { entry, version } = await library.find(params.id, principal)
      return new Reply(200, { kind: 'data', data: entry, version })
    },
  })

const updateFile = ({ descriptions }: MediaRouteDeps) =>
  defineRoute({
    ...write,
    name: 'media:files.update',
    tool: {
      name: 'update_media',
      description:
        'Changes what is known of a file: alt, caption, tags, folder (null is the root), focalX and focalY (0 to 1).',
    },
    method: 'PUT',
    path: '/media/:id',
    summary: 'Change what is known of a file',
    description:
      '`alt`, `caption`, `focalX`, `focalY`, `tags`, `folder` (null for the root) and the attributes of `media.extension.json`.',
    params: idParams,
    body: Type.Object({}),
    response: mediaSchema,
    handler: (request) =>
      descriptions.change(
        { id: request.params.id, principal: request.principal, ifMatch: request.header('if-match') },
        request.body,
      ),
  })

const deleteFile = ({ library }: MediaRouteDeps) =>
  defineRoute({
    ...remove,
    name: 'media:files.delete',
    method: 'DELETE',
    path: '/media/:id',
    summary: 'Delete a file, and take it out of the entries that name it',
    params: idParams,
    response: mediaSchema,
    handler: (request) =>
      library.remove({
        id: request.params.id,
        principal: request.principal,
        ifMatch: request.header('if-match'),
      }),
  })

const listVariants = ({ library }: MediaRouteDeps) =>
  defineRoute({
    ...read,
    name: 'media:files.variants',
    method: 'GET',
    path: '/media/:id/variants',
    summary: 'List the thumbnails of an image',
    params: idParams,
    response: Type.Array(
      Type.Object({ name: Type.String(), url: Type.String(), width: Type.Integer() }, strict),
    ),
    async handler({ params, principal }) {
      const { entry } = await library.find(params.id, principal)
      return Object.entries(entry.formats as MediaFormats).map(([name, format]) => ({ name, ...format }))
    },
  })

const describeFiles = ({ descriptions }: MediaRouteDeps) =>
  defineRoute({
    ...write,
    name: 'media:files.bulk-update',
    method: 'PUT',
    path: '/media/bulk',
    summary: 'Change what is known of several files, all or none',
    description: 'Each with its `id` and what `PUT /media/:id` takes: alternative texts, tags, folder …',
    body: Type.Object(
      { files: Type.Array(Type.Object({ id: idSchema }), { minItems: 1, maxItems: maxDescribed }) },
      strict,
    ),
    response: Type.Array(mediaSchema),
    handler: ({ body, principal }) => descriptions.changeMany(body.files, principal),
  })

const moveFiles = ({ library }: MediaRouteDeps) =>
  defineRoute({
    ...write,
    name: 'media:files.bulk-move',
    method: 'PUT',
    path: '/media/bulk-move',
    summary: 'Move files to a folder, all or none',
    body: Type.Object({ ids, folderId: Type.Union([idSchema, Type.Null()]) }, strict),
    response: countSchema,
    handler: async ({ body, principal }) => counted(await library.move(body.ids, body.folderId, principal)),
  })

const deleteFiles = ({ library }: MediaRouteDeps) =>
  defineRoute({
    ...remove,
    name: 'media:files.bulk-delete',
    method: 'DELETE',
    path: '/media/bulk',
    summary: 'Delete files, all or none',
    body: Type.Object({ ids }, strict),
    response: countSchema,
    handler: async ({ body, principal }) => counted(await library.removeMany(body.ids, principal)),
  })

function counted(found: readonly number[]) {
  return { count: found.length, ids: found }
}
