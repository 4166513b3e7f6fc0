import assert from 'node:assert/strict'
import sharp from 'sharp'
import { type CrashWorld, crashTest, type Running, type Scenario } from './crash-test.ts'
import { eventually } from './eventually.ts'
import { hashOf, type SampleFile, sampleFiles } from './media-files.ts'
import { checkNothingRuns, expectNoJobs, storedJobs } from './remains.ts'
import { allMedia, createUploadFolder, fetchBytes, type ShownMedia } from './upload-folder.ts'
import { createUploadJournal } from './upload-journal.ts'

async function createScenario(world: CrashWorld): Promise<Scenario> {
  const journal = createUploadJournal(await sampleFiles())
  const files = createUploadFolder(world)
  const known = new Set<string>()

  /** Each record with its own bytes and thumbnails; those that were looked at before are left out. */
  async function checkFiles({ url, token }: Running, contents: ReadonlyMap<ShownMedia, SampleFile>) {
    for (const [record, content] of contents) {
      if (known.has(record.filename)) continue
      known.add(record.filename)
      await checkFile((path) => fetchBytes(url + path, token), record, content)
    }
  }

  return {
    clients: 4,
    work: journal.work,
    beforeRestart: files.age,
    async check([first]) {
      const running = first as Running
      await eventually(() => expectNoJobs(running.client))
      const records = await allMedia(running.client)
      await checkFiles(running, journal.settle(records))
      await eventually(() => files.check(records))
    },
    async finish([first]) {
      await (first as Running).service.end('SIGKILL')
      await files.age()
      const last = await world.start()
      await eventually(async () => {
        await expectNoJobs(last.client)
        await files.check(await allMedia(last.client))
        await files.checkSwept()
      })
      await world.look(async (database) => checkNothingRuns(await storedJobs(database)))
    },
  }
}

async function checkFile(
  fetchFile: (path: string) => Promise<Uint8Array>,
  record: ShownMedia,
  content: SampleFile,
): Promise<void> {
  const bytes = await fetchFile(record.url)
  assert.deepEqual(
    [bytes.length, hashOf(bytes), record.size, record.width],
    [content.bytes.length, content.hash, content.bytes.length, content.width],
    record.originalName,
  )
  const formats = Object.values(record.formats)
  assert.equal(formats.length, content.width === null ? 0 : 3, record.originalName)
  for (const { url, width } of formats) {
    const thumbnail = await sharp(await fetchFile(url)).metadata()
    assert.deepEqual([thumbnail.format, thumbnail.width], ['webp', width], url)
  }
}

crashTest('making thumbnails', { project: { schemas: {} }, create: createScenario })
