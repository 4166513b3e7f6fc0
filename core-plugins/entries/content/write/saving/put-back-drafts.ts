import { isSame } from '../changed-values.ts'
import type { Write } from '../contexts.ts'
import { asRepair } from '../repair.ts'
import { latestOf, withTheirDrafts } from '../stored-entries.ts'
import type { WritableType, WriteDeps } from '../write-deps.ts'
import { changeTogether } from '../write-together.ts'
import type { SavedRow } from './save-row.ts'

interface PutBackParts {
  readonly deps: WriteDeps
  readonly type: WritableType
  readonly write: Write & { readonly now: string }
}

/**
 * Restores the drafts that were set aside, without the fields that are public now. They get a new version, because the entry
 * beneath them has changed.
 */
export async function putBackDrafts(
  { deps, type, write }: PutBackParts,
  saved: readonly SavedRow[],
): Promise<void> {
  const drafts = new Map(
    saved.flatMap(({ id, aside }) => (aside === undefined ? [] : [[id, aside] as const])),
  )
  if (drafts.size === 0) return
  const rows = await type.store.loadMany([...drafts.keys()], write.tx)
  const changes = (await withTheirDrafts(type, rows, write.tx)).flatMap((stored) => {
    const { values = {}, updatedAt = '' } = drafts.get(stored.row.id) ?? {}
    const latest = latestOf(type, stored)
    const data = Object.fromEntries(
      Object.entries(values).filter(([name, value]) => !isSame(value, latest[name])),
    )
    if (Object.keys(data).length === 0) return []
    const later = [updatedAt, stored.draft?.updatedAt ?? ''].sort()[1] ?? updatedAt
    const draft = { values: stored.draft?.values ?? {}, updatedAt: later }
    return [{ stored: { row: stored.row, draft }, data, isDraftWrite: true }]
  })
  if (changes.length === 0) return
  await changeTogether(deps, type, changes, { ...write, annotations: asRepair(write), operation: 'update' })
}
