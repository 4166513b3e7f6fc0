import assert from 'node:assert/strict'
import { it } from 'node:test'
import { databasesUnderTest, runOnPostgres } from '../support/databases.ts'
import { openUrl } from '../support/open-test-database.ts'

const postgres = (await databasesUnderTest()).find(({ name }) => name === 'postgres')

it('PostgreSQL that ends idle sessions is told, with the remedy', {
  skip: postgres === undefined,
}, async () => {
  if (postgres === undefined) return
  const created = await postgres.createUrl()
  const limits = async () => {
    const driver = await openUrl(created.url)
    try {
      return await driver.tightLimits?.()
    } finally {
      await driver.close()
    }
  }
  try {
    assert.deepEqual(await limits(), [])
    const { pathname, username } = new URL(created.url)
    await runOnPostgres(
      created.url,
      `alter database "${pathname.slice(1)}" set idle_session_timeout = '5min'`,
    )
    const [limit, ...more] = (await limits()) ?? []
    assert.deepEqual(more, [])
    assert.match(limit?.message ?? '', /idle for 5min/)
    assert.equal(
      limit?.remedy,
      `alter role "${username}" set idle_session_timeout = 0, and start the service anew`,
    )
  } finally {
    await created.drop()
  }
})
