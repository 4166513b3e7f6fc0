import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'
import type { Transaction } from '../database/database.ts'

export const sectionNames = ['schemas', 'components', 'config', 'content', 'media'] as const

/** Specification, "Backup sections". */
export type SectionName = (typeof sectionNames)[number]

/** Which sections a backup or a restore covers. */
export type Sections = Readonly<Record<SectionName, boolean>>

/**
 * Called within the transaction of a restore, after all rows have been written, to update derived data. Throwing
 * rolls the restore back. Slow work belongs in a job.
 */
export type RestoreStep = (tx: Transaction, sections: Sections) => Promise<unknown>

/** Contribute in `register` or `init`. */
export const restoreSteps: ExtensionPoint<RestoreStep> = extensionPoint('restoreSteps')
