import type { DatabaseUnderTest } from './databases.ts'
import { startService, type TestService } from './service.ts'

/** The schema files of a version, and what happens while the service runs with them. */
export type Version = readonly [
  schemas: Readonly<Record<string, object>>,
  work: (service: TestService) => Promise<void>,
]

/** Starts the service with each of `versions` in turn, on one database. `prepare` comes first in each. */
export async function onEachVersion(
  database: DatabaseUnderTest,
  versions: readonly Version[],
  prepare: (service: TestService) => Promise<void> = async () => undefined,
): Promise<void> {
  const { url, drop } = await database.createUrl()
  try {
    for (const [schemas, work] of versions) {
      const service = await startService({ database: { url }, schemas })
      try {
        await prepare(service)
        await work(service)
      } finally {
        await service.stop()
      }
    }
  } finally {
    await drop()
  }
}
