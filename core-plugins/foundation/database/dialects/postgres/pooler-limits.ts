import type { TightLimit } from '../../database-service.ts'

/** Nothing tells a process of changes by others. */
export const deafBehindPooler: TightLimit = {
  message:
    'the pooler pools by transaction and passes on no notifications: processes find changes of others when they look, after some seconds',
  remedy: 'set DATABASE_DIRECT_URL to the address of the database itself, or REDIS_URL',
}

/** Limits are set inside transactions, which single reads do without. */
export function endlessBehindPooler(account: string): TightLimit {
  return {
    message:
      'the pooler pools by transaction, and the account has no limit of its own: a read that was given up runs on in the server',
    remedy: `alter role "${account}" set statement_timeout = '30s'`,
  }
}
