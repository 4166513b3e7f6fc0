import { Type } from 'typebox'
import type { SystemEntries } from '../../../entries/content/content.ts'
import { idSchema } from '../../../foundation/http/http.ts'
import {
  EntryReference,
  type GraphqlFeature,
  type GraphqlFeatureField,
  type GraphqlTypeNames,
} from '../../graphql/graphql.ts'
import type { Descriptions, NamedDescription } from './descriptions.ts'
import { type Folders, folderAccess } from './folders.ts'
import type { Library } from './library.ts'
import { maxDescribed, mediaAccess, moveSchema } from './media-routes.ts'

export interface MediaFeatureDeps {
  readonly library: Library
  readonly descriptions: Descriptions
  readonly folders: Folders
  readonly entries: SystemEntries
}

type Fields = Readonly<Record<string, GraphqlFeatureField>>

const describedFiles = Type.Object({
  files: Type.Array(Type.Object({ id: idSchema }), { minItems: 1, maxItems: maxDescribed }),
})

/** The media library over GraphQL, except for uploads and downloads. */
export function mediaFeature(deps: MediaFeatureDeps): GraphqlFeature {
  return {
    ofType({ name }, names) {
      if (name === 'media') {
        return {
          types: fileTypes(names),
          queries: fileQueries(deps, names),
          mutations: fileMutations(deps, names),
        }
      }
      if (name !== 'media-folder') return {}
      return {
        types: folderTypes(names),
        queries: folderQueries(deps),
        mutations: folderMutations(deps, names),
      }
    },
  }
}

const fileTypes = ({ object, updateInput }: GraphqlTypeNames) => `
  input MediaDescription { id: ID! data: ${updateInput}! }
  type DescribedMedia { data: [${object}!]! }
  type DeletedMedia { count: Int! ids: [Int!]! }
  type MediaFiles { data: [${object}!]! pagination: Pagination! }
  type MediaFile { data: ${object} }
  type MovedMedia { count: Int! ids: [Int!]! }`

const folderTypes = ({ object }: GraphqlTypeNames) => `
  type MediaFolders { data: [${object}!]! }
  type WrittenFolder { data: ${object} }`

const file = (id: number, written?: EntryReference['written']) => ({
  data: new EntryReference('media', id, written),
})

function fileQueries({ entries }: MediaFeatureDeps, { filters }: GraphqlTypeNames): Fields {
  return {
    media: {
      type: 'MediaFiles',
      description: 'Files',
      arguments: `filters: ${filters}, sort: String, limit: Int, offset: Int`,
      ...mediaAccess.read,
      async resolve(args, { principal, asked }) {
        const total = asked.pagination?.total !== undefined
        const query = { ...args, fields: ['id'], total }
        const { entries: found, pagination } = await entries.list(query, principal)
        return { data: found.map(({ id }) => new EntryReference('media', id)), pagination }
      },
    },
    mediaFile: {
      type: 'MediaFile',
      description: 'What is known of one file; data is null where there is none',
      arguments: 'id: ID!',
      ...mediaAccess.read,
      resolve: ({ id }) => file(Number(id)),
    },
  }
}

function fileMutations(
  { library, descriptions }: MediaFeatureDeps,
  { updateInput }: GraphqlTypeNames,
): Fields {
  return {
    updateMedia: {
      type: 'MediaFile',
      description:
        'Changes what is known of a file: alt, caption, focal point, tags, folder; the rest is ignored',
      arguments: `id: ID!, data: ${updateInput}!`,
      ...mediaAccess.write,
      async resolve({ id, data }, { principal }) {
        const changed = await descriptions.change(
          { id: Number(id), principal, ifMatch: undefined },
          data as object,
        )
        return file(changed.id, changed)
      },
    },
    moveMedia: {
      type: 'MovedMedia',
      description: 'Moves files to a folder, all or none; without a folder to the root',
      arguments: 'ids: [ID!]!, folder: ID',
      ...mediaAccess.write,
      takes: moveSchema,
      effort: ({ ids }) => ({ writes: (ids as readonly unknown[]).length }),
      async resolve({ ids, folder }, { principal }) {
        const moved = await library.move(
          ids as number[],
          folder === undefined ? null : Number(folder),
          principal,
        )
        return { count: moved.length, ids: moved }
      },
    },
    bulkUpdateMedia: {
      type: 'DescribedMedia',
      description: 'Changes what is known of several files, all or none, each as `updateMedia` does',
      arguments: 'files: [MediaDescription!]!',
      ...mediaAccess.write,
      takes: describedFiles,
      effort: ({ files }) => ({ writes: (files as readonly unknown[]).length }),
      async resolve({ files }, { principal }) {
        const named = files as readonly { readonly id: number; readonly data: object }[]
        const changed = await descriptions.changeMany(
          named.map(({ id, data }): NamedDescription => ({ ...data, id })),
          principal,
        )
        return { data: changed.map((each) => new EntryReference('media', each.id, each)) }
      },
    },
    bulkDeleteMedia: {
      type: 'DeletedMedia',
      description: 'Deletes files, all or none',
      arguments: 'ids: [ID!]!',
      ...mediaAccess.remove,
      takes: moveSchema,
      effort: ({ ids }) => ({ writes: (ids as readonly unknown[]).length }),
      async resolve({ ids }, { principal }) {
        const removed = await library.removeMany(ids as number[], principal)
        return { count: removed.length, ids: removed }
      },
    },
    deleteMedia: {
      type: 'MediaFile',
      description: 'Deletes a file, and takes it out of the entries that name it',
      arguments: 'id: ID!',
      ...mediaAccess.remove,
      async resolve({ id }, { principal }) {
        const removed = await library.remove({ id: Number(id), principal, ifMatch: undefined })
        return file(removed.id, removed)
      },
    },
  }
}

function folderQueries({ folders }: MediaFeatureDeps): Fields {
  return {
    mediaFolders: {
      type: 'MediaFolders',
      description: 'All folders, by name; parent says in which one each is',
      ...folderAccess.read,
      async resolve() {
        const ids = await folders.ids()
        return { data: ids.map((id) => new EntryReference('media-folder', id)) }
      },
    },
  }
}

function folderMutations({ folders }: MediaFeatureDeps, { input, updateInput }: GraphqlTypeNames): Fields {
  const folder = (entry: { readonly id: number }) => ({
    data: new EntryReference('media-folder', entry.id, entry),
  })
  return {
    createMediaFolder: {
      type: 'WrittenFolder',
      arguments: `data: ${input}!`,
      ...folderAccess.write,
      resolve: async ({ data }, { principal }) => folder(await folders.create(data as object, { principal })),
    },
    updateMediaFolder: {
      type: 'WrittenFolder',
      description: 'Renames or moves a folder',
      arguments: `id: ID!, data: ${updateInput}!`,
      ...folderAccess.write,
      resolve: async ({ id, data }, { principal }) =>
        folder(await folders.update({ id: Number(id), principal }, data as object)),
    },
    deleteMediaFolder: {
      type: 'WrittenFolder',
      description: 'Deletes an empty folder',
      arguments: 'id: ID!',
      ...folderAccess.remove,
      resolve: async ({ id }) => folder(await folders.remove({ id: Number(id) })),
    },
  }
}
