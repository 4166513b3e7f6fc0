import type { TightLimit } from '../../database-service.ts'

/** The process does not learn of changes made by other processes. */
export const deafBehindPooler: TightLimit = {
  message:
    'the pooler pools by transaction and passes on no notifications: processes find changes of others when they look, after some seconds',
  remedy: 'set DATABASE_DIRECT_URL to the address of the database itself, or REDIS_URL',
}

/** Time limits are set inside transactions, and single reads run without one. */
export function endlessBehindPooler(account: string): TightLimit {
  return {
    message:
      'the pooler pools by transaction, and the account has no limit of its own: a read that was given up runs on in the server',
    remedy: `alter role "${account}" set statement_timeout = '30s'`,
  }
}
