import type { SchemaStore } from '../../core-plugins/foundation/database/sync/schema-store.ts'
import { synchronize } from '../../core-plugins/foundation/database/sync/synchronize.ts'
import { openUrl } from './open-test-database.ts'

// A separate process for tests that start several at once or kill one: syncs the tables given as JSON, and
// dies after a number of statements if one is given.
const [, , url = '', tables = '[]', statements = ''] = process.argv
const driver = await openUrl(url)
if (statements !== '') {
  Object.defineProperty(driver, 'schema', { value: dyingAfter(Number(statements), driver.schema) })
}
const { applied } = await synchronize(driver, JSON.parse(tables))
await driver.close()
process.stdout.write(JSON.stringify({ applied: applied.length }))

function dyingAfter(count: number, store: SchemaStore): SchemaStore {
  let left = count
  return {
    ...store,
    exclusively: (work) =>
      store.exclusively((connection) =>
        work({
          ...connection,
          async execute(statement) {
            await connection.execute(statement)
            left -= 1
            if (left === 0) process.kill(process.pid, 'SIGKILL')
          },
        }),
      ),
  }
}
