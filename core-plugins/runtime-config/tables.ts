import type { TableSpec } from '../database/database.ts'

export const configTable: TableSpec = {
  name: 'svc_config',
  columns: [
    { name: 'key', kind: 'string', length: 191 },
    { name: 'value', kind: 'json' },
    { name: 'updated_at', kind: 'datetime' },
    { name: 'updated_by', kind: 'string', nullable: true },
  ],
  primaryKey: ['key'],
}

/** One row; its epoch counts the changes, so that each process finds out cheaply whether there was one. */
export const configStateTable: TableSpec = {
  name: 'svc_config_state',
  columns: [
    { name: 'topic', kind: 'string', length: 20 },
    { name: 'epoch', kind: 'integer' },
  ],
  primaryKey: ['topic'],
}
