import assert from 'node:assert/strict'
import type { Answer } from '../support/client.ts'
import type { LoadClient, Work } from './load.ts'
import type { SampleFile } from './media-files.ts'
import { type ShownMedia, uploadForm } from './upload-folder.ts'

/** The content of a file; undefined where there is none. */
type Content = SampleFile | undefined

/** A file of the library, one client's own. */
interface Upload {
  /** Its original name without the extension. */
  readonly name: string
  id: number
  content: Content
  /** What a request that had no answer would have made of it. */
  asked: { readonly content: Content; readonly request: object } | undefined
}

/** What clients upload, replace and delete; a client gives up files whose last request had no answer. */
export interface UploadJournal {
  readonly work: Work
  /**
   * Finds out what has become of requests without an answer.
   * @returns the content that each record must have
   * @throws AssertionError where records are missing or too many, or a request was carried out by half
   */
  settle(records: readonly ShownMedia[]): ReadonlyMap<ShownMedia, SampleFile>
}

export function createUploadJournal(samples: readonly SampleFile[]): UploadJournal {
  const uploads: Upload[] = []

  function begin(index: number): Upload {
    const name = `file ${index}-${uploads.length}`
    const upload: Upload = { name, id: 0, content: undefined, asked: undefined }
    uploads.push(upload)
    return upload
  }

  async function add(load: LoadClient, count: number): Promise<Upload[]> {
    const added = Array.from({ length: count }, () => begin(load.index))
    const contents = added.map(() => load.random.pick(samples))
    const field = count === 1 ? 'file' : 'files'
    const send = async () => load.client.request('POST', '/api/upload', await form(field, added, contents))
    const data = await change(load, { uploads: added, contents, send })
    for (const [index, { id }] of [data].flat().entries()) (added[index] as Upload).id = id
    return added
  }

  async function replace(load: LoadClient, upload: Upload): Promise<void> {
    // A text cannot take the place of an image where entries show it.
    const contents = [load.random.pick(samples.filter(({ width }) => width !== null))]
    const path = `/api/media/${upload.id}/file`
    const send = async () => load.client.request('PUT', path, await form('file', [upload], contents))
    await change(load, { uploads: [upload], contents, send })
  }

  async function remove(load: LoadClient, upload: Upload): Promise<void> {
    const send = () => load.client.delete(`/api/media/${upload.id}`)
    await change(load, { uploads: [upload], contents: [undefined], send })
  }

  async function removeAll(load: LoadClient, several: readonly Upload[]): Promise<void> {
    const ids = several.map(({ id }) => id)
    const send = () => load.client.delete('/api/media/bulk', { ids })
    await change(load, { uploads: several, contents: several.map(() => undefined), send })
  }

  return {
    async work(load) {
      while (!load.isOver()) {
        const [one] = await add(load, 1)
        if (one !== undefined && load.random.chance(0.4)) await replace(load, one)
        if (one !== undefined && load.random.chance(0.3)) await remove(load, one)
        const several = await add(load, 2 + load.random.below(2))
        if (load.random.chance(0.5)) await removeAll(load, several)
      }
    },
    settle(records) {
      const byName = new Map(records.map((record) => [nameOf(record), record]))
      const asked = uploads.filter((upload) => upload.asked !== undefined)
      const carriedOut = new Map<object, boolean>()
      for (const upload of asked) settleOne(upload, byName.get(upload.name), carriedOut)
      const expected = uploads.filter(({ content }) => content !== undefined)
      assert.deepEqual([...byName.keys()].sort(), expected.map(({ name }) => name).sort(), 'the records')
      return new Map(
        expected.map(({ name, content }) => [byName.get(name) as ShownMedia, content as SampleFile]),
      )
    },
  }
}

interface Change {
  readonly uploads: readonly Upload[]
  /** What becomes of each. */
  readonly contents: readonly Content[]
  send(): Promise<Answer>
}

/** Notes what is asked for first: what has no answer may have been carried out. */
async function change(load: LoadClient, { uploads, contents, send }: Change) {
  const request = {}
  uploads.forEach((upload, index) => {
    upload.asked = { content: contents[index], request }
  })
  const { status, body } = await send()
  assert.ok(status === 200 || status === 201, JSON.stringify(body))
  for (const upload of uploads) {
    upload.content = upload.asked?.content
    upload.asked = undefined
  }
  load.acknowledge()
  return body.data
}

/** `carriedOut` tells of requests what their first file has told. */
function settleOne(upload: Upload, record: ShownMedia | undefined, carriedOut: Map<object, boolean>): void {
  const { asked, content, name } = upload
  if (asked === undefined) return
  const extension = record === undefined ? undefined : extensionOf(record)
  // A replacement by a file of the same kind cannot be told from what was there, nor need it be.
  const isDone = asked.content?.extension === extension
  if (!isDone)
    assert.equal(content?.extension, extension, `${name} is neither as it was nor as was asked for`)
  const isFirst = !carriedOut.has(asked.request)
  if (isFirst) carriedOut.set(asked.request, isDone)
  else assert.equal(isDone, carriedOut.get(asked.request), `half of the request for ${name}`)
  if (isDone) upload.content = asked.content
  upload.asked = undefined
}

function form(field: string, uploads: readonly Upload[], contents: readonly Content[]) {
  const named = uploads.flatMap(({ name }, index) => {
    const content = contents[index]
    return content === undefined ? [] : [{ bytes: content.bytes, name: `${name}.${content.extension}` }]
  })
  return uploadForm(field, named)
}

const nameOf = ({ originalName }: ShownMedia) => originalName.slice(0, originalName.lastIndexOf('.'))
const extensionOf = ({ originalName }: ShownMedia) =>
  originalName.slice(originalName.lastIndexOf('.') + 1).replace('jpg', 'jpeg')
