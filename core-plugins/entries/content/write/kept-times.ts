import { type WriteAnnotation, writeAnnotation } from '../write-annotation.ts'

/** The timestamps that an entry keeps when it is brought in from elsewhere; ISO 8601. */
export interface KeptTimes {
  /** For new entries only. */
  readonly createdAt?: string | undefined
  readonly updatedAt?: string | undefined
}

/** Set on writes of entries that are brought in from elsewhere. */
export const keptTimes: WriteAnnotation<KeptTimes> = writeAnnotation('content.kept-times')
