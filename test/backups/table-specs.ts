import type { ArchivedTable, Manifest } from '../../core-plugins/administration/backups/archive/manifest.ts'
import type { SectionTable } from '../../core-plugins/administration/backups/section-tables.ts'
import type { ColumnKind, TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Sections } from '../../core-plugins/foundation/sections/sections.ts'

export const all: Sections = { schemas: true, components: true, config: true, content: true, media: true }

/** A table of an archive, of content unless told otherwise, with no rows that are anywhere. */
export function archivedTable(
  name: string,
  columns: readonly { readonly name: string; readonly kind: ColumnKind }[],
  more: Partial<ArchivedTable> = {},
): ArchivedTable {
  return {
    ...{ name, section: 'content', type: null, rows: 1, parts: [] },
    columns: columns.map((column) => ({ name: column.name, kind: column.kind })),
    key: [columns[0]?.name ?? ''],
    filled: columns.map((column) => column.name),
    ...more,
  }
}

export function manifestOf(...tables: ArchivedTable[]): Manifest {
  return {
    ...{
      format: 1,
      service: 'test',
      createdAt: '2026-01-31T08:00:00.000Z',
      database: 'sqlite',
      name: 'test',
    },
    ...{ media: { files: 0, bytes: 0 }, schemas: [], components: [], checksums: '0'.repeat(64) },
    ...{ sections: all, tables },
  }
}

/** A table of this service, of content unless told otherwise. */
export function sectionTable(
  name: string,
  spec: Omit<TableSpec, 'name'>,
  more: Partial<SectionTable> = {},
): SectionTable {
  const id = spec.columns.find(({ kind }) => kind === 'id')
  return {
    ...{ name, section: 'content', type: null, label: name },
    spec: { ...spec, name },
    columns: spec.columns.map((column) => ({ name: column.name, kind: column.kind })),
    key: id === undefined ? (spec.primaryKey ?? []) : [id.name],
    ...more,
  }
}
