import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Queries } from '../../foundation/database/database.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'

/** The user or token that wrote an entry. */
export interface Author {
  /** `admin`, `user` or `token`. */
  readonly kind: string
  readonly id: number
  /** The name at the time of the write. */
  readonly username: string
}

/** The authors of entries, for other plugins. May be shown only to callers who see drafts of the type. */
export interface Authors {
  /** The last authors by entry id, with one query; entries with an unknown author are left out. */
  lastOf(type: ContentType, ids: readonly number[], on: Queries): Promise<ReadonlyMap<number, Author>>
}

export const authorsService: ServiceToken<Authors> = service('authors')
