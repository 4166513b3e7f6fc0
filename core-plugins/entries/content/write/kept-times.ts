import { type WriteAnnotation, writeAnnotation } from '../write-annotation.ts'

/** The times that an entry brings along from elsewhere; ISO 8601. */
export interface KeptTimes {
  /** Only of new entries. */
  readonly createdAt?: string | undefined
  readonly updatedAt?: string | undefined
}

/** Set on writes of entries that are brought in from elsewhere. */
export const keptTimes: WriteAnnotation<KeptTimes> = writeAnnotation('content.kept-times')
