import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import {
  createDownloads,
  DownloadError,
} from '../../core-plugins/administration/import-export/imports/download.ts'
import { openGuard, RefusedAddressError } from '../../core-plugins/foundation/outgoing/outgoing.ts'
import { image } from '../api/media-support.ts'
import { collectGarbage } from '../support/collect-garbage.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { sendFile, startImports } from './import-world.ts'

/** A site with files; what it was asked for. */
interface Site {
  readonly url: string
  readonly asked: string[]
  close(): void
}

async function startSite(): Promise<Site> {
  const picture = await image(3, 2)
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    const path = String(request.url)
    asked.push(path)
    const { port } = server.address() as AddressInfo
    if (path === '/picture.png') response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
    else if (path === '/inwards') redirect(`http://127.0.0.1:${port}/picture.png`)
    else if (path === '/to-a-file') redirect('file:///etc/passwd')
    else if (path === '/round') redirect('/round')
    else if (path === '/moved') redirect('/picture.png')
    else if (path === '/endless') endless()
    else if (path === '/slow') response.writeHead(200).write('the rest never comes')
    else if (path === '/silent') return
    else response.writeHead(404).end('a secret')

    function redirect(location: string) {
      response.writeHead(302, { location }).end()
    }
    function endless() {
      const more = () => {
        while (response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', more)
      more()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    asked,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Names pass, addresses do not: what a public server may not lead to. */
const namesOnly = {
  ...openGuard,
  checkHost(host: string) {
    if (/^[\d.]+$/.test(host)) throw new RefusedAddressError(host, 'loopback', 'a setting')
  },
}

describe('files that an import names by their addresses', () => {
  let site: Site
  let folder: string
  before(async () => {
    site = await startSite()
    folder = mkdtempSync(join(tmpdir(), 'mortise-downloads-'))
  })
  after(() => {
    site.close()
    rmSync(folder, { recursive: true })
  })

  const fetched = async (address: string, guard = openGuard, maxBytes = 1_000_000, timeoutMs = 60_000) => {
    const downloads = createDownloads(guard, timeoutMs)
    const path = join(folder, 'file')
    rmSync(path, { force: true })
    try {
      await downloads.fetch(new URL(address, site.url).href, path, { maxBytes, signal: undefined })
      return readFileSync(path)
    } finally {
      await downloads.close()
    }
  }
  const refused = async (address: string, reason: RegExp, guard = openGuard) =>
    assert.rejects(fetched(address, guard), (error) => {
      assert.ok(error instanceof DownloadError)
      assert.match(error.message, reason)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })

  it('are fetched, also from where they have moved to', async () => {
    assert.deepEqual(await fetched('/moved', namesOnly), Buffer.from(await image(3, 2)))
  })

  it('are not fetched where a redirect leads to an address that may not be reached', async () => {
    site.asked.length = 0
    await refused('/inwards', /127\.0\.0\.1 is refused/, namesOnly)
    assert.deepEqual(site.asked, ['/inwards'])
    await refused('/to-a-file', /only http and https/)
    await refused('/round', /more than 5 redirects/)
    await refused('/missing', /answered 404/)
    await refused('http://localhost:1/', /cannot be reached/)
  })

  it('are cut off where they are larger than uploads may be', async () => {
    await assert.rejects(fetched('/endless', openGuard, 100_000), /larger than 100000 bytes/)
    const path = join(folder, 'file')
    assert.ok(!existsSync(path) || statSync(path).size <= 100_000)
  })

  it('are given up and told so where they take too long, also after garbage was collected', async () => {
    for (const address of ['/slow', '/silent']) {
      const ended = assert.rejects(fetched(address, openGuard, 1_000, 400), {
        name: 'Error',
        message: 'it took longer than 400 ms',
      })
      await until(() => site.asked.includes(address))
      collectGarbage()
      await ended
    }
  })

  it(
    'come into the library in development, and from public addresses only in production',
    slow,
    async (test) => {
      const record = (slug: string) =>
        JSON.stringify({ slug, name: slug, cover: { url: `${site.url}/picture.png` } })
      const inDevelopment = await startImports('sqlite')
      test.after(() => inDevelopment.stop())
      site.asked.length = 0
      const both = [record('one'), record('two')].join('\n')
      const { data } = await sendFile(inDevelopment.admin, '/api/content/city/import', both)
      assert.deepEqual([data.created, data.problems], [2, []])
      assert.deepEqual(site.asked, ['/picture.png'])
      const { body } = await inDevelopment.admin.get('/api/content/city?populate=cover')
      assert.deepEqual(
        body.data.map(({ cover }: { cover: { id: number; width: number } }) => [cover.id, cover.width]),
        [
          [1, 3],
          [1, 3],
        ],
      )

      const inProduction = await startImports('sqlite', { NODE_ENV: 'production' })
      test.after(() => inProduction.stop())
      site.asked.length = 0
      const refusal = await sendFile(inProduction.admin, '/api/content/city/import', record('one'))
      assert.deepEqual([refusal.data.created, refusal.data.refused, site.asked], [0, 1, []])
      assert.match(
        JSON.stringify(refusal.data.problems),
        /loopback addresses are not reached from production/,
      )
    },
  )
})
