import { column, defineTable } from '../../foundation/database/database.ts'

export const configTable = defineTable(
  'svc_config',
  {
    key: column.string(191),
    value: column.json(),
    updatedAt: column.datetime(),
    updatedBy: column.string().nullable(),
  },
  { primaryKey: ['key'] },
)

/** One row; its epoch counts the changes, so that each process can cheaply check for new ones. */
export const configStateTable = defineTable(
  'svc_config_state',
  { topic: column.string(20), epoch: column.integer() },
  { primaryKey: ['topic'] },
)
