import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openRemoteSide, type TransferSide } from '../../core-plugins/administration/transfer/transfer.ts'
import { type Place, startPlace, transfer } from '../contract/transfer-world.ts'
import { slow } from '../support/scope.ts'

/** What the other side answers, by path below `/api/admin/transfer`. */
type Answers = Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>>

let here: Place
const servers: Server[] = []

const environment = randomUUID()
const sections = ['media-folders', 'media', 'content:author'].map((name) => ({
  ...{ name, group: name, isStep: false, refusal: null },
}))
const honest: Answers = {
  '/': () => ({ environment, version: '0.1.0', sections }),
  '/items': () => [],
  '/agreements': () => [],
  '/agreements/find': () => [],
  '/records': () => ({ items: [], rest: [] }),
}

/** Another environment, which answers as it likes. */
async function otherSide(answers: Answers): Promise<TransferSide> {
  const all = { ...honest, ...answers }
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname.replace('/api/admin/transfer', '') || '/'
    const data = all[path]?.(request, response)
    if (data !== undefined) response.end(JSON.stringify({ success: true, data }))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return openRemoteSide({ url: `http://127.0.0.1:${port}`, token: 'mor_x' })
}

const pull = async (answers: Answers, selection = {}) =>
  transfer(here, await otherSide(answers), here.side, {}, selection)

const key = randomUUID()
const hash = createHash('sha256').update('text').digest('hex')
const file = { name: 'file.txt', hash, size: 4 }
const item = (more = {}) => ({
  ...{
    key,
    hash: 'h'.repeat(43),
    label: 'x',
    value: { file, data: {} },
    file,
    references: [],
    changedAt: null,
  },
  ...more,
})
const ofSection = (name: string, found: object[]) => (request: IncomingMessage) => {
  const query = new URL(request.url ?? '', 'http://x').searchParams
  return query.get('section') === name && query.get('after') === '' ? found : []
}
const media = (own: object): Answers => ({
  '/items': ofSection('media', [{ key, hash: 'h'.repeat(43) }]),
  '/records': () => ({ items: [item(own)], rest: [] }),
})
const received = () => {
  try {
    return readdirSync(join(here.service.workingDirectory, 'data', 'transfers', 'files'))
  } catch {
    return []
  }
}

describe('a transfer from a hostile side', () => {
  before(async () => {
    here = await startPlace('sqlite')
  })
  after(async () => {
    for (const server of servers) server.close().closeAllConnections()
    await here?.service.stop()
  })

  it('a side that leads elsewhere does not get the token there', async () => {
    let asked = 0
    const elsewhere = await otherSide({
      '/': () => {
        asked++
        return {}
      },
    })
    const redirecting = pull({
      '/': (_, response) => {
        response.writeHead(307, { location: `http://${elsewhere.name}/api/admin/transfer` }).end()
      },
    })
    await assert.rejects(redirecting, { code: 'BAD_GATEWAY', message: /leads to/ })
    assert.equal(asked, 0)
  })

  it('answers without end, in circles or of another form end the transfer', slow, async () => {
    const endless = (_: IncomingMessage, response: ServerResponse) => {
      const chunk = Buffer.alloc(4 * 1024 * 1024, ' ')
      const write = () => {
        if (!response.destroyed) response.write(chunk, () => setImmediate(write))
      }
      write()
    }
    const page = [{ key, hash: 'h'.repeat(43) }]
    const wrong: [Answers, RegExp][] = [
      [{ '/': endless }, /sends more than was asked for/],
      [{ '/items': () => page }, /not in the order of their keys/],
      [{ '/items': () => [...page, ...page] }, /not in the order of their keys/],
      [
        { '/items': ofSection('content:author', page), '/records': () => ({ items: [], rest: [key] }) },
        /does not answer what it is asked for/,
      ],
      [{ '/items': (_, response) => void response.end('<html>') }, /does not answer like Mortise/],
      [{ '/': () => ({ environment: '../x', sections: 7 }) }, /does not answer like Mortise/],
    ]
    for (const [answers, message] of wrong) await assert.rejects(pull(answers), { message })
  })

  it(
    'files with other bytes, more or fewer of them are refused, and nothing of them stays',
    slow,
    async () => {
      const sends = (text: string) => ({
        '/file': (_: IncomingMessage, response: ServerResponse) => void response.end(text),
      })
      for (const [answers, message] of [
        [sends('xxxx'), /other bytes than its hash says/],
        [sends('tex'), /other bytes than its hash says/],
      ] as const) {
        await assert.rejects(pull({ ...media({}), ...answers }), { code: 'BAD_GATEWAY', message })
        assert.deepEqual(received(), [])
      }
      // What has arrived before waits for its rest.
      const endless = pull({ ...media({}), ...sends('text and more') })
      await assert.rejects(endless, { code: 'BAD_GATEWAY', message: /sends more than was asked for/ })
      const outside = { ...file, hash: `../../${'x'.repeat(58)}` }
      await assert.rejects(
        pull({ ...media({ file: outside, value: { file: outside, data: {} } }), ...sends('text') }),
        { message: /hash/ },
      )
      const { body } = await here.service.admin.get('/api/media')
      assert.deepEqual(body.data, [])
      await pull({ ...media({}), ...sends('text') })
      assert.equal((await here.service.admin.get('/api/media')).body.data.length, 1)
      assert.deepEqual(received(), [])
    },
  )

  it('values that pollute prototypes are refused', async () => {
    const text = JSON.stringify({
      success: true,
      data: { items: [item({ value: 0, file: undefined })], rest: [] },
    })
    const polluting = text.replace('"value":0', '"value":{"data":{"name":"x","__proto__":{"isAdmin":true}}}')
    await assert.rejects(
      pull({
        '/items': ofSection('content:author', [{ key, hash: 'h'.repeat(43) }]),
        '/records': (_, response) => void response.end(polluting),
      }),
      { code: 'VALIDATION_ERROR' },
    )
    assert.equal(Reflect.get({}, 'isAdmin'), undefined)
  })
})
