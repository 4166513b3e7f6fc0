import type {
  Database,
  Queries,
  Statement,
  Transaction,
} from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import type { WaitingRows } from '../../core-plugins/foundation/database/schema/waiting-rows.ts'
import type {
  SchemaConnection,
  SchemaStore,
} from '../../core-plugins/foundation/database/sync/schema-store.ts'

/** The change log is numbered and polled independently of requests, so its statements are not counted. */
const isCounted = (text: string, about: string) => text.includes(about) && !text.includes('svc_changes')

/**
 * Counts the statements run on a database during `work` by any caller, inside and outside transactions: all, or those whose text
 * contains `about`.
 */
export async function countStatements(
  database: Database,
  work: () => Promise<unknown>,
  about = '',
): Promise<number> {
  let count = 0
  const counting = <Q extends Queries>(queries: Q): Q =>
    new Proxy(queries, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (['all', 'get', 'run'].includes(String(name))) {
          return (...values: unknown[]) => {
            const [statement] = values as [Statement]
            if (isCounted(statement.text, about)) count += 1
            return value.apply(target, values)
          }
        }
        if (name === 'insertSoon') {
          return (rows: WaitingRows) => {
            if (`insert into ${rows.insert.table}`.includes(about)) count += 1
            value.call(target, rows)
          }
        }
        return value.bind(target)
      },
    })
  const { all, get, run, transaction } = database
  const counted = counting({ all: all.bind(database), get: get.bind(database), run: run.bind(database) })
  const own = Object.getOwnPropertyDescriptors(database)
  Object.assign(database, {
    ...{ all: counted.all, get: counted.get, run: counted.run },
    transaction: (inner: (tx: Transaction) => Promise<unknown>) =>
      transaction.call(database, (tx) => inner(counting(tx))),
  })
  try {
    await work()
  } finally {
    for (const name of ['all', 'get', 'run', 'transaction']) {
      Reflect.deleteProperty(database, name)
      const before = own[name as keyof typeof own]
      if (before !== undefined) Object.defineProperty(database, name, before)
    }
  }
  return count
}

/** Counts the statements that syncs of the schema run from now on. */
export function countSchemaStatements(driver: Driver): { count(): number } {
  let count = 0
  const { schema } = driver
  const counting = <Arguments extends unknown[], Result>(run: (...values: Arguments) => Result) => {
    return (...values: Arguments): Result => {
      count += 1
      return run(...values)
    }
  }
  const exclusively: SchemaStore['exclusively'] = (work) =>
    schema.exclusively((connection) => {
      const { all, get, run, execute } = connection
      const counted = {
        all: counting(all),
        get: counting(get),
        run: counting(run),
        execute: counting(execute),
      }
      return work({ ...connection, ...(counted as Partial<SchemaConnection>) })
    })
  Object.defineProperty(driver, 'schema', { value: { ...schema, exclusively } })
  return { count: () => count }
}
