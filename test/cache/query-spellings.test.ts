import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { contentReadMiddleware, defineReadMiddleware } from '../../core-plugins/entries/content/content.ts'
import { AppError } from '../../core-plugins/foundation/http/http.ts'
import { definePlugin } from '../../kernel/index.ts'
import { letAllRead } from '../cdn/cdn-world.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { schemas, statusOf } from './world.ts'

/** Reads of authors that have begun, and wait to be let go on. */
const held: { go(): void; fail(error: Error): void }[] = []
let isHolding = false
let reads = 0

const holding = definePlugin({
  name: 'holding',
  description: 'Holds reads until the test lets them go on',
  init({ contribute }) {
    const hold = defineReadMiddleware({
      name: 'hold',
      types: ['author'],
      isPredictable: true,
      async run(_, next) {
        reads += 1
        if (isHolding) await new Promise<void>((go, fail) => held.push({ go, fail }))
        return next()
      },
    })
    contribute(contentReadMiddleware, hold)
  },
})

let service: TestService

const ask = (query: string) => service.get(`/api/content/author?${query}`)
const begun = (count: number) => until(() => held.length === count, `${count} reads`)
/** Requests are taken in the order in which they come: when a later one is answered, earlier ones are there. */
const arrived = () => service.get('/api/livez')
/** From the second time on it is kept, so that who comes late does not read it again. */
async function askOnce(query: string) {
  const asked = ask(query)
  await begun(1)
  held.pop()?.go()
  await asked
  reads = 0
}

describe('spellings of a query', () => {
  before(async () => {
    service = await startService({ schemas, plugins: [holding] })
    await letAllRead(service.admin, ['author'])
    // An answer is not shared if the service hears of a change meanwhile, such as that of the rights.
    await until(async () => statusOf(await ask('limit=1')) === 'hit', 'answers are kept')
  })
  beforeEach(() => {
    reads = 0
    held.length = 0
    isHolding = true
  })
  after(() => service.stop())

  it('clients that ask for the same at once share a read, however they spell it', async () => {
    const spellings = [
      'filters[name][$eq]=a%20b&fields=name&limit=5',
      'limit=5&fields=name&filters[name][$eq]=a+b',
      'fields=%6eame&limit=5&filters%5Bname%5D%5B%24eq%5D=a%20b',
      '&limit=5&&filters[name][%24eq]=a%20b&fields=name',
    ]
    const query = spellings[0] as string
    await askOnce(query)
    const first = ask(query)
    await begun(1)
    const others = spellings.map(ask)
    await arrived()
    // One that came late all the same would read by itself, and is to be counted instead of waited for.
    isHolding = false
    held[0]?.go()
    const answers = await Promise.all([first, ...others])
    assert.equal(reads, 1)
    assert.deepEqual(answers.map(statusOf), ['fwd=miss', 'hit', 'hit', 'hit', 'hit'])
    for (const { status, body } of answers) assert.deepEqual([status, body], [200, answers[0]?.body])
  })

  it('what means something else is no other spelling', async () => {
    const pairs = [
      ['sort[]=name&sort[]=bio&limit=1', 'sort[]=bio&sort[]=name&limit=1'],
      ['filters[name]=a%26b', 'filters[name]=a'],
      ['filters[name]=a%2Bb', 'filters[name]=a+b'],
      ['filters[name]=%2541', 'filters[name]=%41'],
    ] as const
    for (const pair of pairs) {
      held.length = 0
      const both = pair.map(ask)
      await begun(2)
      for (const { go } of held) go()
      for (const { status } of await Promise.all(both)) assert.equal(status, 200)
    }
  })

  it('who leaves while others wait for their read leaves it to one of them', async () => {
    const query = 'filters[name]=left'
    await askOnce(query)
    const leaving = new AbortController()
    const left = fetch(`${service.url}/api/content/author?${query}`, { signal: leaving.signal })
    await begun(1)
    const others = [ask(query), ask(query), ask(query)]
    await arrived()
    leaving.abort()
    await assert.rejects(left)
    // What a costly read does when nobody waits for it any more.
    held[0]?.fail(new AppError('CLIENT_GONE', 'nobody waits'))
    await begun(2)
    isHolding = false
    held[1]?.go()
    for (const { status } of await Promise.all(others)) assert.equal(status, 200)
    assert.equal(reads, 2)
  })
})
