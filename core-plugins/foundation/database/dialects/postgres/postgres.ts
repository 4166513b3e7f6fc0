import type { DialectDefinition } from '../../dialect-definition.ts'
import { serverUrl } from '../server-url.ts'

export const postgres: DialectDefinition<'postgres'> = {
  name: 'postgres',
  products: ['PostgreSQL'],
  isForDevelopment: false,
  schemes: ['postgres', 'postgresql'],
  exampleUrl: 'postgres://user:password@host/database',
  targetOf: (address) => serverUrl('postgres', address),

  async open({ target, ...options }) {
    const { PostgresDriver } = await import('./postgres-driver.ts')
    return new PostgresDriver({ ...options, url: target })
  },

  async openSnapshot(source) {
    const { openPostgresSnapshot } = await import('./postgres-snapshot.ts')
    return openPostgresSnapshot(source)
  },
}
