import { groupBy } from '../../../../kernel/index.ts'
import type { ReferenceSpec } from '../tables/table-spec.ts'
import type { LiveColumn, LiveIndex, LiveReference, LiveSchema } from './live-schema.ts'

/** The rows of the databases' catalogues, in a common format. */
export interface LiveRows {
  readonly columns: readonly {
    table: string
    name: string
    type: string
    nullable: boolean | number
    default: string | null
    /** Its position in the primary key, from 1; 0 if it is not part of it. */
    keyPosition: number
  }[]
  readonly indexes: readonly {
    table: string
    name: string
    /** Joined by commas; expressions are omitted. */
    columns: string | null
    /** 0 or 1 for each column, joined by commas; null if it does not matter. */
    nullsFirst?: string | null
    sql?: string
  }[]
  readonly references: readonly {
    table: string
    constraint?: string
    column: string
    target: string
    onDelete: string
  }[]
}

/** Combines the catalogue's rows by table. */
export function buildLiveSchema(rows: LiveRows): LiveSchema {
  const indexes = groupBy(rows.indexes, (row) => row.table)
  const references = groupBy(rows.references, (row) => row.table)
  const tables = [...groupBy(rows.columns, (row) => row.table)].map(([name, columns]) => ({
    name,
    columns: new Map(columns.map((row) => [row.name, liveColumn(row)])),
    primaryKey: keyOf(columns),
    indexes: new Map((indexes.get(name) ?? []).map((row) => [row.name, liveIndex(row)])),
    references: (references.get(name) ?? []).map(liveReference),
  }))
  return new Map(tables.map((table) => [table.name, table]))
}

function liveColumn({
  name,
  type,
  nullable,
  default: value,
  keyPosition,
}: LiveRows['columns'][number]): LiveColumn {
  return { name, type, nullable: Boolean(nullable) && keyPosition === 0, default: value }
}

function liveIndex({ name, columns, nullsFirst, sql }: LiveRows['indexes'][number]): LiveIndex {
  return {
    name,
    columns: columns?.split(',') ?? [],
    sql,
    nullsFirst: nullsFirst?.split(',').map((flag) => flag === '1'),
  }
}

function liveReference({
  column,
  target,
  onDelete,
  constraint,
}: LiveRows['references'][number]): LiveReference {
  return { column, table: target, onDelete: onDelete as ReferenceSpec['onDelete'], constraint }
}

function keyOf(rows: LiveRows['columns']): string[] {
  return rows
    .filter((row) => row.keyPosition > 0)
    .sort((left, right) => left.keyPosition - right.keyPosition)
    .map((row) => row.name)
}
