import { isObject } from '../../../../kernel/index.ts'
import { MigrationError } from '../migration-error.ts'

/** An attribute in a schema of Strapi. */
export interface StrapiAttribute {
  readonly type: string
  readonly [option: string]: unknown
}

/** A content type or component in an export. */
export interface StrapiSchema {
  readonly uid: string
  readonly modelType: 'contentType' | 'component'
  readonly kind?: string
  readonly info: {
    readonly singularName?: string
    readonly pluralName?: string
    readonly displayName?: string
    readonly name?: string
    readonly description?: string
    readonly icon?: string
  }
  readonly options?: { readonly draftAndPublish?: boolean }
  readonly pluginOptions?: { readonly i18n?: { readonly localized?: boolean } }
  readonly attributes: Readonly<Record<string, StrapiAttribute>>
}

/** A row of an entity. */
export interface StrapiRow {
  readonly type: string
  readonly id: number
  readonly data: Readonly<Record<string, unknown>>
}

/** A reference, from its owner to its target. */
export interface StrapiLink {
  /** A content type or a component. */
  readonly ownerType: string
  readonly ownerId: number
  readonly field: string
  readonly position: number
  readonly targetType: string
  readonly targetId: number
}

type Json = Readonly<Record<string, unknown>>

/** @throws MigrationError */
export function schemaIn(value: Json): StrapiSchema {
  const { uid, modelType, info, attributes } = value
  const isSchema = typeof uid === 'string' && isObject(info) && isObject(attributes)
  if (!isSchema || (modelType !== 'contentType' && modelType !== 'component')) {
    throw new MigrationError(`the export has a schema that is none: ${shown(value)}`)
  }
  const wrong = Object.entries(attributes).find(
    ([, each]) => !isObject(each) || typeof each.type !== 'string',
  )
  if (wrong !== undefined)
    throw new MigrationError(`the attribute ${wrong[0]} of ${uid} in the export has no type`)
  return value as unknown as StrapiSchema
}

/** @throws MigrationError */
export function rowIn(value: Json): StrapiRow {
  const { type, data } = value
  const id = idIn(value.id)
  if (typeof type === 'string' && id !== undefined && isObject(data)) return { type, id, data }
  throw new MigrationError(`the export has an entity that is none: ${shown(value)}`)
}

/** Undefined for links that only connect localisations, if `documentId` connects them already. @throws MigrationError */
export function linkIn(value: Json): StrapiLink | undefined {
  const { left, right } = value
  if (!isEnd(left) || !isEnd(right))
    throw new MigrationError(`the export has a link that is none: ${shown(value)}`)
  const [leftId, rightId] = [idIn(left.ref), idIn(right.ref)]
  if (leftId === undefined || rightId === undefined) return undefined
  // In Strapi the file owns the links to what uses it; here the entry owns the reference.
  const isOfFile =
    left.type === 'plugin::upload.file' && left.field === 'related' && typeof right.field === 'string'
  const [owner, target] = isOfFile ? [right, left] : [left, right]
  return {
    ownerType: owner.type,
    ownerId: isOfFile ? rightId : leftId,
    field: String(owner.field),
    position: Number(owner.pos ?? target.pos ?? 0) || 0,
    targetType: target.type,
    targetId: isOfFile ? leftId : rightId,
  }
}

interface End {
  readonly type: string
  readonly ref: unknown
  readonly field?: unknown
  readonly pos?: unknown
}

const isEnd = (value: unknown): value is End => isObject(value) && typeof value.type === 'string'

function idIn(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined
}

const shown = (value: unknown) => JSON.stringify(value).slice(0, 200)
