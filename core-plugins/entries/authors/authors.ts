import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Queries } from '../../foundation/database/database.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'

/** Who has written an entry. */
export interface Author {
  /** `admin`, `user` or `token`. */
  readonly kind: string
  readonly id: number
  /** As it was at that time. */
  readonly username: string
}

/** Who has written entries, for other plugins. It is told to callers who see drafts of the type. */
export interface Authors {
  /** Who last wrote entries, by their ids, with one query; those of whom that is not known are left out. */
  lastOf(type: ContentType, ids: readonly number[], on: Queries): Promise<ReadonlyMap<number, Author>>
}

export const authorsService: ServiceToken<Authors> = service('authors')
