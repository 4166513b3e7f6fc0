import type { Finding } from '../source.ts'

/** How the values of an attribute are converted. */
export type ConvertedField =
  | { readonly kind: 'value'; readonly name: string; readonly type: string; readonly isShared: boolean }
  | {
      readonly kind: 'reference'
      readonly name: string
      readonly isMany: boolean
      readonly isShared: boolean
    }
  | {
      readonly kind: 'components'
      readonly name: string
      readonly isMany: boolean
      readonly isZone: boolean
      /** The uid in Strapi of the component of all items; undefined for dynamic zones, whose items name theirs. */
      readonly component: string | undefined
      readonly isShared: boolean
    }

/** Fields by the name of the attribute in Strapi. */
export type ConvertedFields = ReadonlyMap<string, ConvertedField>

export interface ConvertedType {
  readonly uid: string
  /** The singular name here. */
  readonly name: string
  readonly hasDrafts: boolean
  readonly hasLocales: boolean
  readonly fields: ConvertedFields
}

export interface ConvertedSchemas {
  readonly files: ReadonlyMap<string, object>
  /** By uid in Strapi. */
  readonly types: ReadonlyMap<string, ConvertedType>
  readonly components: ReadonlyMap<string, { readonly name: string; readonly fields: ConvertedFields }>
  readonly findings: readonly Finding[]
}
