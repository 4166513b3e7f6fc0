import type { Transaction } from '../../database/database.ts'
import { AppError, type Principal } from '../../http/http.ts'
import type { ItemVersion, TransferItem } from '../transfer-item.ts'

/** Items of one sort, such as the entries of a type, or the roles. */
export interface Section {
  /** `content:article`, `media-folders`, `roles` */
  readonly name: string
  /** What reading it takes: the same as for downloading a backup with it. */
  readonly readingTakes: string
  mayRead(principal: Principal): boolean
  /** What items are at present, after a key and in the order of their keys. */
  page(after: string, limit: number): Promise<readonly ItemVersion[]>
  /** Those that exist, in any order; locked until the end of the transaction, if there is one. */
  find(keys: readonly string[], tx?: Transaction): Promise<readonly TransferItem[]>
}

/** Whoever may not read a section does not learn whether there is one. @throws AppError 403 */
export function readableSection(
  sections: ReadonlyMap<string, Section>,
  name: string,
  principal: Principal,
): Section {
  const section = sections.get(name)
  if (section?.mayRead(principal) === true) return section
  const takes = section?.readingTakes ?? `to read ${name.split(':', 2).at(-1)} with drafts`
  throw AppError.forbidden(`the section ${name} takes the right ${takes}, if there is one`)
}
