import { type Static, Type } from 'typebox'
import { assertIdList, idListQuery } from './id-list.ts'
import { separator } from './tags.ts'

/** The parameters of `GET /api/media`; specification, "Media". */
export const listQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    sort: Type.Optional(
      Type.String({
        description: '`originalName`, `filename`, `size`, `created_at`, `id`, …; `size:desc,id`',
      }),
    ),
    sortOrder: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
    folder: Type.Optional(
      Type.String({ pattern: '^(root|[1-9][0-9]{0,14})$', description: '`root`, or the id of a folder' }),
    ),
    type: Type.Optional(
      Type.Union(['images', 'videos', 'audio', 'audios', 'files'].map((kind) => Type.Literal(kind))),
    ),
    mimeType: Type.Optional(Type.String({ maxLength: 255, description: '`image/png`, or `image/*`' })),
    search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name, in any case' })),
    tag: Type.Optional(Type.String({ maxLength: 100, description: 'A whole tag, in any case' })),
    ids: Type.Optional(idListQuery),
  },
  { additionalProperties: false },
)

type ListQuery = Static<typeof listQuery>

const families: Readonly<Record<string, string>> = {
  images: 'image/',
  videos: 'video/',
  audio: 'audio/',
  audios: 'audio/',
}

/** The same query as a query string of the content API. */
export function contentQueryOf(query: ListQuery): string {
  const parameters = new URLSearchParams()
  for (const name of ['limit', 'offset', 'sort', 'sortOrder'] as const) {
    const value = query[name]
    if (value !== undefined) parameters.set(name, String(value))
  }
  conditionsOf(query).forEach((conditions, index) => {
    for (const [path, value] of conditions) parameters.append(`filters[$and][${index}]${path}`, value)
  })
  return parameters.toString()
}

type Condition = readonly (readonly [string, string])[]

function conditionsOf({ folder, type, mimeType, search, tag, ids }: ListQuery): Condition[] {
  return [
    ...(folder === undefined ? [] : [inFolder(folder)]),
    ...(type === undefined ? [] : ofKind(String(type))),
    ...(mimeType === undefined ? [] : [ofType(mimeType)]),
    ...(search === undefined || search === '' ? [] : [named(search)]),
    ...(tag === undefined || tag.trim() === '' ? [] : [tagged(tag.trim())]),
    ...(ids === undefined ? [] : [amongIds(ids)]),
  ]
}

function inFolder(folder: string): Condition {
  return folder === 'root' ? [['[folder][$null]', 'true']] : [['[folder][$eq]', folder]]
}

function ofKind(kind: string): Condition[] {
  const family = families[kind]
  if (family !== undefined) return [[['[mimeType][$startsWith]', family]]]
  const others = [...new Set(Object.values(families))]
  return others.map((other) => [['[$not][mimeType][$startsWith]', other]])
}

function ofType(mimeType: string): Condition {
  return mimeType.endsWith('/*')
    ? [['[mimeType][$startsWith]', mimeType.slice(0, -1)]]
    : [['[mimeType][$eq]', mimeType]]
}

function named(search: string): Condition {
  return [
    ['[$or][0][originalName][$containsi]', search],
    ['[$or][1][filename][$containsi]', search],
  ]
}

/** Matches a tag in the stored text, in which tags are joined by `separator`. */
function tagged(tag: string): Condition {
  return [
    ['[$or][0][tags][$eqi]', tag],
    ['[$or][1][tags][$startsWithi]', tag + separator],
    ['[$or][2][tags][$endsWithi]', separator + tag],
    ['[$or][3][tags][$containsi]', separator + tag + separator],
  ]
}

/** As one value, since one parameter per id would exceed the length limit of a query. */
function amongIds(ids: string): Condition {
  return [['[id][$in]', assertIdList(ids).join(',')]]
}
