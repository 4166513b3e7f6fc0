import type { ErrorDetail } from '../../../../../../client/client.ts'

/** The response of a dry run and of a restore. */
export interface Restoration {
  readonly success: boolean
  readonly restartRequired: boolean
  readonly problems?: readonly ErrorDetail[]
  /** By section: counts of rows by type, or names of files. */
  readonly changes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** How many content users get a different role, because the role in the backup is missing. */
  readonly replacedRoles: Readonly<Record<string, number>>
}

/** The changes to one part of a backup. */
export interface ChangedPart {
  readonly id: string
  readonly section: string
  /** A type; undefined for a whole section. */
  readonly part?: string
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
}

/** The changes as table rows, for database tables and sections of files alike: changed parts first, empty ones left out. */
export function changedParts({ changes = {} }: Pick<Restoration, 'changes'>): readonly ChangedPart[] {
  const parts = Object.entries(changes).flatMap(([section, change]): ChangedPart[] =>
    Array.isArray(change.added)
      ? [{ id: section, section, ...countsOf(change) }]
      : Object.entries(change).map(([part, counts]) => ({
          ...{ id: `${section} ${part}`, section, part },
          ...countsOf(counts as Readonly<Record<string, unknown>>),
        })),
  )
  const filled = parts.filter((part) => hasChanges(part) || part.unchanged > 0)
  return filled.sort((left, right) => Number(hasChanges(right)) - Number(hasChanges(left)))
}

export const hasChanges = ({ added, changed, removed }: ChangedPart): boolean => added + changed + removed > 0

/** Schema files missing from the backup stay, so none is removed. */
const countsOf = ({ added, changed, removed, unchanged }: Readonly<Record<string, unknown>>) => ({
  added: numberOf(added),
  changed: numberOf(changed),
  removed: numberOf(removed),
  unchanged: numberOf(unchanged),
})

const numberOf = (value: unknown): number => (Array.isArray(value) ? value.length : Number(value ?? 0))
