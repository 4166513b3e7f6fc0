import type { ErrorDetail } from '../../../../../../client/client.ts'

/** What a dry run answers, and a restore. */
export interface Restoration {
  readonly success: boolean
  readonly restartRequired: boolean
  readonly problems?: readonly ErrorDetail[]
  /** By section: numbers of rows by type, or names of files. */
  readonly changes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Content users who get another role, by the role of the backup. */
  readonly replacedRoles: Readonly<Record<string, number>>
}

/** What would happen to a part of a backup. */
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

/** Tables and sections of files alike as rows, those with changes first, without those that have nothing at all. */
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

/** Schema files that the backup does not have stay, so none of them is removed. */
const countsOf = ({ added, changed, removed, unchanged }: Readonly<Record<string, unknown>>) => ({
  added: numberOf(added),
  changed: numberOf(changed),
  removed: numberOf(removed),
  unchanged: numberOf(unchanged),
})

const numberOf = (value: unknown): number => (Array.isArray(value) ? value.length : Number(value ?? 0))
