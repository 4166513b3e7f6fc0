import type { Access } from '../../ground/access/access.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { hasDraftsBeside } from '../schema/drafts-beside.ts'

/** Identifies an entry by the URL of its screen. */
export interface EntryAddress {
  readonly type: DescribedType
  /** Undefined for a new entry and for the entry of a single type. */
  readonly id: number | undefined
  /** The locale of an entry that has no id yet; undefined for others and for types without localisation. */
  readonly locale: string | undefined
  /** Whether changes to a published entry are stored in a separate draft. */
  readonly hasDrafts: boolean
  /** The new entry begins as a copy of this one. */
  readonly copies: number | undefined
  /** The new entry is to be a version of this one in another locale. */
  readonly translates: number | undefined
}

export interface AddressParts {
  readonly type: DescribedType
  readonly id: number | undefined
  readonly search: URLSearchParams
  readonly access: Access
}

/** Reads the address of the screen. */
export function entryAddress({ type, id, search, access }: AddressParts): EntryAddress {
  const isLocalized = type.locales.length > 0 && access.isOn('i18n') && id === undefined
  const asked = search.get('locale') ?? ''
  const locale = type.locales.includes(asked) ? asked : (type.defaultLocale ?? undefined)
  const isNew = id === undefined && type.kind === 'collectionType'
  return {
    type,
    id,
    locale: isLocalized ? locale : undefined,
    hasDrafts: hasDraftsBeside(type, access),
    copies: isNew ? idIn(search, 'from') : undefined,
    translates: isNew && isLocalized ? idIn(search, 'translates') : undefined,
  }
}

function idIn(search: URLSearchParams, name: string): number | undefined {
  const id = Number(search.get(name) ?? Number.NaN)
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Whether the entry may not exist on the server yet. */
export const isNewAt = ({ type, id }: EntryAddress): boolean =>
  id === undefined && type.kind === 'collectionType'

/** The query cache key of an entry; different for each address. */
export const entryKey = ({ type, id, locale, hasDrafts, copies, translates }: EntryAddress) => [
  'entry',
  type.name,
  id ?? (type.kind === 'singleType' ? 'single' : 'new'),
  locale ?? '',
  hasDrafts,
  copies ?? '',
  translates ?? '',
]
