import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  createPendingFiles,
  pendingFilesTable,
} from '../../core-plugins/delivery/media/files/pending-files.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase } from '../support/open-test-database.ts'

eachDatabase((engine) => {
  it('files that are pending can be announced again, as by a restore that is resumed', async (test) => {
    const { driver, close } = await openTestDatabase(engine, [pendingFilesTable.spec])
    test.after(close)
    const pending = createPendingFiles(driver)
    await pending.announce(['a.png', 'b.png'])
    await pending.announce(['a.png'])
    const settled = await driver.transaction((tx) => pending.settle(['a.png', 'b.png'], tx))
    assert.equal(settled, 2)
  })
})
