import type { TableSpec } from '../database/database.ts'

/** `file_name` is below the folder of backups. `made_by_job` keeps a schedule's job from making two of them. */
export const backupsTable: TableSpec = {
  name: 'svc_backups',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'name', kind: 'string' },
    { name: 'status', kind: 'string', length: 20 },
    { name: 'sections', kind: 'json' },
    { name: 'size', kind: 'integer', nullable: true },
    { name: 'checksum', kind: 'string', length: 64, nullable: true },
    { name: 'counts', kind: 'json' },
    { name: 'retention_days', kind: 'decimal' },
    { name: 'expires_at', kind: 'datetime' },
    { name: 'created_at', kind: 'datetime' },
    { name: 'completed_at', kind: 'datetime', nullable: true },
    { name: 'error', kind: 'text', nullable: true },
    { name: 'file_name', kind: 'string', nullable: true },
    { name: 'job_id', kind: 'integer', nullable: true },
    { name: 'made_by_job', kind: 'integer', nullable: true },
  ],
  indexes: [
    { columns: ['status', 'id'], type: 'index' },
    { columns: ['expires_at'], type: 'index' },
    { columns: ['made_by_job'], type: 'unique' },
  ],
}

/** `active` is 1 until the restore has ended, so that there is one at a time. */
export const restoresTable: TableSpec = {
  name: 'svc_backup_restores',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'backup_id', kind: 'integer' },
    { name: 'sections', kind: 'json' },
    { name: 'active', kind: 'integer', nullable: true },
    { name: 'status', kind: 'string', length: 20 },
    { name: 'requested_by', kind: 'json' },
    { name: 'ip', kind: 'string', nullable: true },
    { name: 'result', kind: 'json', nullable: true },
    { name: 'refusal', kind: 'json', nullable: true },
    { name: 'job_id', kind: 'integer', nullable: true },
    { name: 'created_at', kind: 'datetime' },
    { name: 'completed_at', kind: 'datetime', nullable: true },
  ],
  indexes: [{ columns: ['active'], type: 'unique' }],
}

/** What the schedule of backups makes, in one row. */
export const scheduleTable: TableSpec = {
  name: 'svc_backup_schedule',
  columns: [
    { name: 'name', kind: 'string', length: 20 },
    { name: 'retention_days', kind: 'decimal' },
    { name: 'sections', kind: 'json' },
    { name: 'made_by', kind: 'string', length: 40, nullable: true },
  ],
  primaryKey: ['name'],
}
