import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createWorkFolder } from '../../core-plugins/administration/backups/files/work-folder.ts'

describe('files of backups that are not complete', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'mortise-work-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  /** Files of this process, of one that runs, one that has ended, one of another machine, and of none. */
  async function leaveFiles() {
    const own = basename(await createWorkFolder(directory).newPartial())
    const of = (owner: number) => own.replace(`.${process.pid}.`, `.${owner}.`)
    const { pid: dead } = spawnSync(process.execPath, ['--version'])
    const files = {
      own,
      running: of(process.ppid),
      dead: of(dead),
      deadSums: `${of(dead)}.sums`,
      elsewhere: `${'0'.repeat(24)}.another-host.${dead}.partial`,
      nameless: `${'1'.repeat(24)}.partial`,
      archive: 'backup-2026-01-31T08-00-00-000Z-0123456789ab.tar',
    }
    for (const name of Object.values(files)) writeFileSync(join(directory, name), 'x')
    return files
  }

  it('go when the process that made them has ended', async () => {
    const { dead, deadSums, ...left } = await leaveFiles()
    await createWorkFolder(directory).removeLeftovers()
    assert.deepEqual(readdirSync(directory).sort(), Object.values(left).sort())
  })

  it('go at the start where that process had the number of this one', async () => {
    const { own, dead, deadSums, ...left } = await leaveFiles()
    await createWorkFolder(directory).removeLeftoversAtStart()
    assert.deepEqual(readdirSync(directory).sort(), Object.values(left).sort())
  })

  it('go when nobody has written to them for hours, whoever made them', async () => {
    const { archive, ...files } = await leaveFiles()
    const longAgo = new Date(Date.now() - 7 * 60 * 60_000)
    for (const name of [archive, ...Object.values(files)]) utimesSync(join(directory, name), longAgo, longAgo)
    await createWorkFolder(directory).removeLeftovers()
    assert.deepEqual(readdirSync(directory), [archive])
  })

  it('need no folder', async () => {
    rmSync(directory, { recursive: true })
    await createWorkFolder(directory).removeLeftoversAtStart()
  })
})
