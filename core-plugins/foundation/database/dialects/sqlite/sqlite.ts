import { resolve } from 'node:path'
import type { DialectDefinition } from '../../dialect-definition.ts'

export const sqlite: DialectDefinition<'sqlite'> = {
  name: 'sqlite',
  products: ['SQLite'],
  isForDevelopment: true,
  schemes: ['sqlite'],
  exampleUrl: 'sqlite:./data/content.db',

  /** A file, or `:memory:`. */
  targetOf(address) {
    const file = address.replace(/^\/\/(?=.)/, '')
    return file === '' || file.includes('\0') ? undefined : file
  },

  async open({ target, workingDirectory, ...options }) {
    const { SqliteDriver } = await import('./sqlite-driver.ts')
    return new SqliteDriver({
      ...options,
      file: target === ':memory:' ? target : resolve(workingDirectory, target),
      busyTimeoutMs: options.waitTimeoutMs,
      idleTransactionTimeoutMs: options.queryTimeoutMs,
    })
  },

  async openSnapshot(source) {
    const { openSqliteSnapshot } = await import('./sqlite-snapshot.ts')
    return openSqliteSnapshot(source)
  },
}
