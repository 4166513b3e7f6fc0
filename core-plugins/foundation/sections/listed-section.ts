import type { TSchema } from 'typebox'
import type { Transaction } from '../database/database.ts'
import { AppError, bodyValidator, type Principal, whenNeeded } from '../http/http.ts'
import { compareKeys, hashOf, type Value } from './canonical.ts'
import type { ItemToPut, JudgedChange, SectionWrite, TransferSection } from './section.ts'
import { nameOf, type TransferItem } from './transfer-item.ts'

/** An item of a section with few of them. */
export interface ListedItem {
  readonly key: string
  readonly label: string | null
  readonly value: Value
  /** ISO 8601; null if unknown. */
  readonly changedAt: string | null
}

/** A section with so few items that all of them can be read for each request, such as the roles. */
export interface ListedSectionDefinition {
  readonly name: string
  /** The right required for reading: `admin:roles:read`. */
  readonly readingTakes: string
  mayRead(principal: Principal): boolean
  /** See `TransferSection`. */
  refusal(principal: Principal): string | undefined
  /** The schema of values. */
  readonly valueSchema: TSchema
  /** The pattern of keys; default: anything. */
  readonly keyPattern?: RegExp
  /** All items, in any order; locked until the end of the transaction, if there is one. */
  list(tx: Transaction | undefined): Promise<readonly ListedItem[]>
  /** Rights beyond those of `refusal` that a change requires and the caller lacks, in words. */
  missingRights?(principal: Principal, change: JudgedChange): Iterable<string>
  /** @throws AppError */
  put(items: readonly ItemToPut[], write: SectionWrite): Promise<void>
  /** @throws AppError */
  remove(keys: readonly string[], write: SectionWrite): Promise<void>
}

/** Creates a section from a list. */
export function listedSection(definition: ListedSectionDefinition): TransferSection {
  const { name, readingTakes, valueSchema, keyPattern, list, missingRights, put, remove } = definition
  const check = whenNeeded(() => bodyValidator(valueSchema))

  async function items(tx?: Transaction): Promise<TransferItem[]> {
    const listed = [...(await list(tx))].sort((left, right) => compareKeys(left.key, right.key))
    return listed.map((item) => ({ ...item, hash: hashOf(item.value), references: [] }))
  }

  return {
    name,
    readingTakes,
    mayRead: (principal) => definition.mayRead(principal),
    refusal: (principal) => definition.refusal(principal),
    async page(after, limit) {
      return (await items()).filter(({ key }) => compareKeys(key, after) > 0).slice(0, limit)
    },
    async find(keys, { tx } = {}) {
      const wanted = new Set(keys)
      return (await items(tx)).filter(({ key }) => wanted.has(key))
    },
    assertForm({ value, ...item }) {
      const [problem] = check(value)
      if (problem !== undefined) {
        throw AppError.invalid([{ ...problem, path: `${nameOf(item)}.${problem.path}` }])
      }
      if (keyPattern?.test(item.key) === false) {
        throw AppError.invalid([{ path: nameOf(item), code: 'format', message: 'has no possible key' }])
      }
    },
    *missingRights(principal, change) {
      const refusal = definition.refusal(principal)
      if (refusal !== undefined) yield refusal.replace(/^takes /, '')
      yield* missingRights?.(principal, change) ?? []
    },
    begin: async () => ({
      async put(some, write) {
        await put(some, write)
        return []
      },
      remove,
    }),
  }
}
