import { useQuery } from '@tanstack/react-query'
import { type PluginPartOf, useParts } from '../../../shell/plugins/parts.ts'
import { PluginPart } from '../../../shell/plugins/plugin-part.tsx'
import { reportPluginError } from '../../../shell/plugins/report-error.ts'
import { isRefusal } from '../../../shell/plugins/run-action.ts'
import type { EntryRow } from '../data/entry-row.ts'

export interface ColumnCellProps {
  /** Of the column. */
  readonly id: string
  readonly type: string
  readonly entry: EntryRow
}

/** A cell in a column of a plugin. */
export function ColumnCell({ id, ...row }: ColumnCellProps) {
  const column = useParts('columns').find(({ part }) => part.id === id)
  return column === undefined ? null : <KnownCell column={column} {...row} />
}

type KnownCellProps = Omit<ColumnCellProps, 'id'> & { readonly column: PluginPartOf<'columns'> }

function KnownCell({ column: { plugin, part }, type, entry }: KnownCellProps) {
  const { id, load, cell: Cell } = part
  const { data } = useQuery({
    queryKey: ['plugin-column', id, type, entry.id, entry.updated_at ?? null],
    queryFn: () => loadTogether({ plugin, part }, type, entry.id),
    enabled: load !== undefined,
    retry: false,
  })
  return (
    <PluginPart plugin={plugin} where={`column ${id}`} size="cell">
      <Cell value={data ?? undefined} entry={entry} />
    </PluginPart>
  )
}

type Column = PluginPartOf<'columns'>

interface Batch {
  readonly ids: Set<number>
  readonly values: Promise<Readonly<Record<number, unknown>>>
}

/** Combines the requests of rows that become visible together. */
const batches = new Map<string, Batch>()

async function loadTogether(column: Column, type: string, id: number): Promise<unknown> {
  const key = `${column.part.id} ${type}`
  const batch = batches.get(key) ?? openBatch(key, column, type)
  batch.ids.add(id)
  // The query client caches null but treats undefined as an error.
  return (await batch.values)[id] ?? null
}

function openBatch(key: string, { plugin, part: { id, load } }: Column, type: string): Batch {
  const ids = new Set<number>()
  const values = new Promise<void>((resolve) => setTimeout(resolve)).then(async () => {
    batches.delete(key)
    try {
      return (await load?.({ type, ids: [...ids] })) ?? {}
    } catch (error) {
      if (!isRefusal(error)) reportPluginError(plugin, `column ${id}`, error)
      throw error
    }
  })
  const batch = { ids, values }
  batches.set(key, batch)
  return batch
}
