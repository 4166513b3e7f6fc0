import type { Transaction } from '../../../foundation/database/database.ts'
import type { Entry } from '../entry/entry.ts'
import type { StoredChange, StoredEntries } from '../services/stored-entries-service.ts'
import { repairWrite, WriteAnnotations } from '../write-annotation.ts'
import type { StoredEntry } from '../write-context.ts'
import type { WriteRequest } from '../write-request.ts'
import { changeContext, type Write } from './contexts.ts'
import { latestOf, withItsDraft, withTheirDrafts } from './stored-entries.ts'
import type { WritableType, WriteDeps } from './write-deps.ts'
import { inTransaction, runWrite } from './write-path.ts'
import { changeTogether, portionsOf } from './write-together.ts'

/** See `StoredEntries.repair`. */
export function repairEntry(
  deps: WriteDeps,
  request: Parameters<StoredEntries['repair']>[0],
  change: StoredChange,
): Promise<void> {
  const type = deps.typeNamed(request.type)
  return inTransaction(deps, request, async (tx) => {
    const row = await type.store.load(request.id, tx)
    if (row === undefined) return
    const write = { ...request, annotations: asRepair(request), tx }
    await repairDraft(deps, type, write, { stored: await withItsDraft(type, row, tx), change })
    const data = change(row)
    if (Object.keys(data).length === 0) return
    // The update above may have changed the draft.
    const stored = await withItsDraft(type, row, tx)
    await runWrite(deps, type, changeContext(type, 'update', write, stored, { data }))
  })
}

/** Repairs only the fields that the draft contains; the others belong to the entry. */
async function repairDraft(
  deps: WriteDeps,
  type: WritableType,
  write: Write,
  { stored, change }: { readonly stored: StoredEntry; readonly change: StoredChange },
): Promise<void> {
  const { draft } = stored
  if (draft === undefined) return
  const changed = Object.entries(change(latestOf(type, stored)))
  const data = Object.fromEntries(changed.filter(([name]) => Object.hasOwn(draft.values, name)))
  if (Object.keys(data).length === 0) return
  await runWrite(deps, type, changeContext(type, 'update', write, stored, { data, isDraftWrite: true }))
}

/** See `StoredEntries.repairMany`. */
export function repairEntries(
  deps: WriteDeps,
  request: WriteRequest,
  ids: readonly number[],
  change: StoredChange,
): Promise<void> {
  const type = deps.typeNamed(request.type)
  const changeOf = (entry: Entry) => {
    const data = change(entry)
    return Object.keys(data).length === 0 ? undefined : data
  }
  return inTransaction(deps, request, (tx) => repairTogether(deps, type, { ...request, ids, tx }, changeOf))
}

type Repair = Omit<Write, 'now'> & { readonly ids: readonly number[]; readonly tx: Transaction }

/** Like `repairMany`. If `change` returns undefined, the entry stays unchanged; without fields, it only gets a new version. */
export async function repairTogether(
  deps: WriteDeps,
  type: WritableType,
  repair: Repair,
  change: (entry: Entry) => Readonly<Record<string, unknown>> | undefined,
): Promise<void> {
  const { ids, tx } = repair
  for (const portion of portionsOf(ids)) {
    const now = new Date().toISOString()
    const rows = await type.store.loadMany(portion, tx)
    const changes = (await withTheirDrafts(type, rows, tx)).flatMap((stored) => {
      const data = change(stored.row)
      return data === undefined ? [] : [{ stored, data }]
    })
    if (changes.length === 0) continue
    await changeTogether(deps, type, changes, {
      ...{ ...repair, annotations: asRepair(repair), now },
      operation: 'update',
    })
  }
}

/** Marks the write as a repair by the service itself. */
export function asRepair({
  annotations = WriteAnnotations.none,
}: Pick<Write, 'annotations'>): WriteAnnotations {
  return annotations.with(repairWrite, true)
}
