import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type SearchToken, searchTokenizers } from '../../core-plugins/delivery/search/search.ts'
import { mountPlugin } from '../../core-plugins/panel/extensions/mount.ts'
import { definePlugin, type Plugin, pluginErred } from '../../kernel/index.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { createProject } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { schemas } from './search-world.ts'

const env = { SVC_LOCALIZATION_DEFAULT_LOCALE: 'ja', SVC_LOCALIZATION_LOCALES: '["ja","en"]' }
const faults: string[] = []

/** Words are separated by `|`; of `taberu` and its like only the first two letters are the stem. */
function split(text: string): SearchToken[] {
  return [...text.matchAll(/[^|\s]+/g)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
    ...(/^tab/.test(found[0]) ? { stem: 'tab' } : {}),
  }))
}

function tokenizing(tokenize: (text: string) => unknown, version = '1'): Plugin {
  const plugin = definePlugin({
    name: 'kana',
    description: 'Splits.',
    register({ contribute, on }) {
      on(pluginErred, ({ where }) => void faults.push(where))
      contribute(searchTokenizers, {
        ...{ name: 'kana.split', locales: ['ja'], version },
        tokenize: tokenize as never,
      })
    },
  })
  return mountPlugin(plugin, { space: 'kana', listenerTimeoutMs: 1_000 })
}

const add = async (service: TestService, text: string): Promise<number> =>
  expectStatus(await service.admin.post('/api/content/scrap', { text }), 201).body.data.id

async function find(service: TestService, q: string): Promise<number[]> {
  const { body } = expectStatus(await service.admin.get(`/api/search?q=${encodeURIComponent(q)}`), 200)
  return body.data.map(({ id }: { id: number }) => id).sort()
}

eachDatabase(({ name: database }) => {
  describe('search with a tokenizer', () => {
    let service: TestService
    before(async () => {
      service = await startService({ schemas, env, database, plugins: [tokenizing(split)] })
    })
    after(() => service?.stop())

    it('finds its words and their stems, in the search and in lists', async () => {
      const eaten = await add(service, 'Sushi tabeta')
      const tower = await add(service, '東京|大きい|タワー')
      const other = await add(service, '京東 running')
      await until(async () => (await find(service, 'running')).length === 1)
      assert.deepEqual(await find(service, 'taberu '), [eaten])
      assert.deepEqual(await find(service, '東京|タワー'), [tower])
      assert.deepEqual(await find(service, '"東京タワー"'), [])
      assert.deepEqual(await find(service, '京東'), [other])
      assert.deepEqual(await find(service, 'sushi -tabeta'), [])
      assert.deepEqual(await find(service, 'run '), [])
      const { body } = await service.admin.get('/api/content/scrap?search=tabenai')
      assert.deepEqual(
        body.data.map(({ id }: { id: number }) => id),
        [eaten],
      )
    })

    it('keeps more of its words than a database takes, and finds the first ones', slow, async () => {
      // Each of their letters takes six in the index, which has them as words and as stems.
      const words = Array.from({ length: 13_000 }, (_, index) =>
        [...`${100_000 + index}`].map((digit) => String.fromCodePoint(0x43a + Number(digit))).join(''),
      )
      const [first = '', last = ''] = [words[0], words.at(-1)]
      const ending = 'абвгдежз'
      const id = await add(service, words.map((word) => `${word}${ending}`).join(' '))
      await until(async () => (await find(service, `"${first}${ending}"`)).length === 1)
      assert.deepEqual(await find(service, `${first}${ending} `), [id])
      assert.deepEqual(await find(service, `${last}${ending} `), [])
    })
  })
})

describe('a tokenizer', () => {
  it('that answers nonsense is reported, and nothing is lost', slow, async (test) => {
    let answer: (text: string) => unknown = split
    const service = await startService({ schemas, env, plugins: [tokenizing((text) => answer(text))] })
    test.after(() => service.stop())
    // On a busy machine, a tokenizer of the tests before has taken too long.
    faults.length = 0
    for (const bad of [
      () => 'text',
      () => null,
      () => [null],
      () => [{ start: -1, end: 2 }],
      () => [{ start: 0, end: 1e9 }],
      () => [
        { start: 0, end: 2 },
        { start: 1, end: 3 },
      ],
      () => [{ start: 0, end: 0 }],
      () => [{ start: 0, end: 2, stem: 5 }],
      () => {
        throw new Error('no')
      },
    ]) {
      answer = bad
      const id = await add(service, 'a calm evening')
      assert.ok((await find(service, 'evening')).includes(id), String(bad))
    }
    assert.deepEqual(faults, ['the tokenizer kana.split'])
  })

  it('that does not end is ended, and not asked again for a while', slow, async (test) => {
    let asked = 0
    const endless = (text: string): unknown => {
      asked += 1
      if (text.includes('loop')) for (;;) asked += 0
      return /^(a+)+$/.test(text) ? [] : split(text)
    }
    for (const text of ['a loop', `${'a'.repeat(60)}b`]) {
      const service = await startService({ schemas, env, plugins: [tokenizing(endless)] })
      test.after(() => service.stop())
      ;[asked, faults.length] = [0, 0]
      const id = await add(service, `${text}`)
      await add(service, 'evening')
      assert.deepEqual(await find(service, text), [id])
      assert.deepEqual([asked, faults], [1, ['the tokenizer kana.split']])
    }
  })

  it('has the words that it finds marked in highlights, wherever they are', slow, async (test) => {
    const service = await startService({ schemas, env, plugins: [tokenizing(split)] })
    test.after(() => service.stop())
    const highlightsOf = async (q: string) => {
      const { body } = expectStatus(await service.admin.get(`/api/search?q=${encodeURIComponent(q)}`), 200)
      return body.data.map(({ highlights }: { highlights: object }) => highlights)
    }
    await add(service, 'Sushi|tabeta <b> and tabetai, running')
    assert.deepEqual(await highlightsOf('taberu '), [
      { text: 'Sushi|<mark>tabeta</mark> &lt;b&gt; and <mark>tabetai,</mark> running' },
    ])
    assert.deepEqual(await highlightsOf('"tabeta"'), [
      { text: 'Sushi|<mark>tabeta</mark> &lt;b&gt; and tabetai, running' },
    ])
    const long = `${'word '.repeat(3_000)}tabeta`
    await add(service, long)
    assert.deepEqual((await highlightsOf('taberu ')).at(-1), {}, 'no further than it is worth')
  })

  it('that answers a million words makes no more of a text than it may have', slow, async (test) => {
    const million = (text: string) =>
      Array.from({ length: 1_000_000 }, (_, at) => ({ start: at, end: at + 1, stem: text }))
    const service = await startService({ schemas, env, plugins: [tokenizing(million)] })
    test.after(() => service.stop())
    const id = await add(service, `${'x '.repeat(600_000)}end`)
    assert.ok(id > 0)
    expectStatus(await service.admin.get('/api/search?q=something%20else'), 200)
  })

  it('of another version has everything indexed anew', slow, async (test) => {
    const project = await createProject({ schemas })
    test.after(() => project.remove())
    const database = { url: project.env.DATABASE_URL ?? '' }
    const first = await startService({ schemas, env, database })
    const id = await add(first, 'tabeta')
    assert.deepEqual(await find(first, 'taberu '), [])
    await first.stop()
    const second = await startService({ schemas, env, database, plugins: [tokenizing(split)] })
    test.after(() => second.stop())
    await until(async () => (await find(second, 'taberu '))[0] === id)
  })
})
