import type { Entry } from '../entry/entry.ts'
import { type WriteAnnotation, writeAnnotation } from '../write-annotation.ts'

/** For one of many changes that are made together: all entries to be changed, with their drafts. */
export const storedTogether: WriteAnnotation<readonly Entry[]> = writeAnnotation('content.stored-together')
