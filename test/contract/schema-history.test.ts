import { it } from 'node:test'
import fc from 'fast-check'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { anySequence, carryOut } from './schema-history/sequence.ts'

/** How many sequences each database has, the seed of them or `random`, and where fast-check found a shorter one. */
const { SCHEMA_HISTORY_RUNS = '2', SCHEMA_HISTORY_SEED = '1', SCHEMA_HISTORY_PATH } = process.env

eachDatabase((database) => {
  it(
    'whatever changes in the schema, everybody is shown what was written, where it was written',
    slow,
    async () => {
      const property = fc.asyncProperty(anySequence, async (rounds) => {
        const { url, drop } = await database.createUrl()
        await carryOut(rounds, url, database.name !== 'sqlite').finally(drop)
      })
      await fc.assert(property, {
        numRuns: Number(SCHEMA_HISTORY_RUNS),
        seed: SCHEMA_HISTORY_SEED === 'random' ? Date.now() : Number(SCHEMA_HISTORY_SEED),
        ...(SCHEMA_HISTORY_PATH === undefined ? {} : { path: SCHEMA_HISTORY_PATH }),
      })
    },
  )
})
