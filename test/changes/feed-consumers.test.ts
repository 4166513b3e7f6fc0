import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import { changeLogService } from '../../core-plugins/entries/changes/changes.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import { scriptArguments } from '../support/script.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { openToAll } from './feed-world.ts'

const run = promisify(execFile)
const examples = join(import.meta.dirname, '../../examples')

/** A consumer of the feed, and what it has made of it. */
interface Consumer {
  readonly script: string
  /** The option that names where it writes. */
  readonly target: string
  /** The end of such a name. */
  readonly place: string
  /** What is in there, in a form that can be compared. */
  read(path: string): unknown
}

const consumers: Readonly<Record<string, Consumer>> = {
  'a static site': { script: 'static-site/build.ts', target: '--out', place: 'site', read: readSite },
  'a search index': {
    script: 'search-index/index-content.ts',
    target: '--file',
    place: 'index.json',
    read: readIndex,
  },
}

/** All pages by their paths, without the state. */
function readSite(folder: string) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile() && !file.name.startsWith('.'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')])
}

/** Changes whenever a consumer has written something. */
function stampOf(path: string): string {
  const isFile = path.endsWith('.json')
  const files = [isFile ? path : join(path, '.state.json'), isFile ? path : join(path, 'index.html')]
  return files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs).join()
}

function readIndex(file: string) {
  const { documents } = JSON.parse(readFileSync(file, 'utf8')) as { documents: object }
  return Object.entries(documents).sort(([one], [other]) => (one < other ? -1 : 1))
}

describe('consumers of the feed that are killed again and again', () => {
  let service: TestService
  let admin: Client

  before(async () => {
    service = await startService()
    admin = service.admin
    await openToAll(service, ['article', 'author'])
  })
  after(() => service.stop())

  const commandOf = ({ script, target }: Consumer, path: string) => [
    ...scriptArguments(join(examples, script)),
    ...['--url', service.url, target, path],
  ]
  const env = { PATH: process.env.PATH, NO_COLOR: '1' }
  const runOnce = (consumer: Consumer, path: string) =>
    run(process.execPath, commandOf(consumer, path), { env })
  const place = (name: string) => join(service.workingDirectory, name)

  let made = 0
  const articles: number[] = []
  const authors: number[] = []

  async function createSome(): Promise<void> {
    made += 1
    const author = expectStatus(await admin.post('/api/content/author', { name: `Author ${made}` }), 201)
    authors.push(author.body.data.id)
    for (let index = 0; index < 3; index++) {
      const data = { title: `Title ${made}.${index}`, slug: `slug-${made}-${index}`, author: authors.at(-1) }
      const { id } = expectStatus(await admin.post('/api/content/article', data), 201).body.data
      articles.push(id)
      expectStatus(await admin.put(`/api/content/article/${id}/publish`), 200)
    }
  }

  /** One of the things that happen to content. */
  async function writeSomething(step: number): Promise<void> {
    const article = `/api/content/article/${articles[(step * 7) % articles.length]}`
    const author = `/api/content/author/${authors[(step * 5) % authors.length]}`
    const kinds = [
      () => admin.put(article, { title: `Changed ${step} & so on` }),
      () => admin.put(`${article}/unpublish`),
      () => admin.put(author, { name: `Renamed ${step}` }),
      () => admin.put(article, { slug: `moved-${step}` }),
      () => admin.put(`${article}/publish`),
      createSome,
      () => admin.put(article, { author: authors[step % authors.length] }),
      () => admin.delete(article),
      () => admin.delete(author),
    ]
    await kinds[step % kinds.length]?.()
  }

  for (const [name, consumer] of Object.entries(consumers)) {
    it(`${name} equals the database in the end`, slow, async () => {
      await createSome()
      const path = place(`kept-${consumer.place}`)
      let step = 0
      for (const life of [0, 3, 1, 7, 2, 12]) {
        const before = stampOf(path)
        const child: ChildProcess = spawn(process.execPath, [...commandOf(consumer, path), '--follow'], {
          env,
          stdio: 'ignore',
        })
        const exited = once(child, 'exit')
        for (let written = 0; written < 6; written++) await writeSomething(step++)
        // Some die while they start, others in the midst of what they were told.
        if (life > 0) await until(() => stampOf(path) !== before)
        for (let written = 0; written < life; written++) await writeSomething(step++)
        child.kill('SIGKILL')
        await exited
        await writeSomething(step++)
      }
      await runOnce(consumer, path)
      await runOnce(consumer, place(`anew-${consumer.place}`))
      const kept = consumer.read(path)
      assert.deepEqual(kept, consumer.read(place(`anew-${consumer.place}`)))
      await assertListed(JSON.stringify(kept))
    })

    it(`${name} begins anew where the service does not remember`, async () => {
      const path = place(`kept-${consumer.place}`)
      await writeSomething(0)
      await writeSomething(1)
      const floor = await service.kernel.get(changeLogService).head()
      const database = service.kernel.get(databaseService)
      await database.run(
        database.prepare(sql`update svc_changes_state set floor = ${sql.raw(String(floor))}`),
      )
      await runOnce(consumer, path)
      await runOnce(consumer, place(`other-${consumer.place}`))
      assert.deepEqual(consumer.read(path), consumer.read(place(`other-${consumer.place}`)))
    })
  }

  it('the site makes only those pages anew that show what has changed', slow, async () => {
    const site = consumers['a static site']
    assert.ok(site !== undefined)
    const path = place('small')
    const create = async (type: string, data: object): Promise<number> =>
      expectStatus(await admin.post(`/api/content/${type}`, data), 201).body.data.id
    const publish = (id: number) => admin.put(`/api/content/article/${id}/publish`)
    const [ada, bea] = [await create('author', { name: 'Ada' }), await create('author', { name: 'Bea' })]
    const byAda = await create('article', { title: 'By Ada', slug: 'by-ada', author: ada })
    const byBea = await create('article', { title: 'By Bea', slug: 'by-bea', author: bea })
    for (const id of [byAda, byBea]) await publish(id)
    await runOnce(site, path)
    const built = async () => (await runOnce(site, path)).stdout.trim()
    assert.equal(await built(), '')
    await admin.put(`/api/content/article/${byAda}/unpublish`)
    assert.equal(await built(), `built index.html, authors/${ada}.html`)
    assert.doesNotMatch(readFileSync(join(path, 'index.html'), 'utf8'), /By Ada/)
    assert.equal(existsSync(join(path, 'articles/by-ada.html')), false)
    await publish(byAda)
    assert.equal(await built(), `built index.html, articles/by-ada.html, authors/${ada}.html`)
    await admin.put(`/api/content/author/${bea}`, { name: 'Beatrix' })
    assert.equal(await built(), `built articles/by-bea.html, authors/${bea}.html`)
  })

  async function assertListed(kept: string): Promise<void> {
    const published = expectStatus(await service.get('/api/content/article?limit=100'), 200).body.data
    const everything = expectStatus(await admin.get('/api/content/article?limit=100'), 200).body.data
    const shown = new Set(published.map(({ title }: { title: string }) => title))
    assert.ok(shown.size > 0)
    for (const { title } of everything) {
      const isThere = kept.includes(`${title.replaceAll('&', '&amp;')}<`) || kept.includes(`"${title}"`)
      assert.equal(isThere, shown.has(title), title)
    }
  }
})
