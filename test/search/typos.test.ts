import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { vocabularyTable } from '../../core-plugins/delivery/search/vocabulary.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { allow, signUp } from '../api/content-world.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { add, finishJobs, found, search, startSearch } from './search-world.ts'

const typos = '&typos=true'

/** Pseudo-random numbers that are the same in every run. */
function createRandom(): (below: number) => number {
  let state = 7
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

const letters = 'abco\u0438\u0436'

function randomWord(random: (below: number) => number): string {
  return Array.from({ length: 3 + random(9) }, () => letters[random(letters.length)]).join('')
}

/** What somebody may type in the place of a word. */
function mistyped(word: string, random: (below: number) => number): string {
  const all = [...word]
  for (let count = random(4); count > 0; count -= 1) {
    const at = random(all.length)
    const kind = random(4)
    if (kind === 0) all.splice(at, 1)
    else if (kind === 1) all.splice(at, 0, letters[random(letters.length)] ?? '')
    else if (kind === 2) all[at] = letters[random(letters.length)] ?? ''
    else if (at > 0) all.splice(at - 1, 2, all[at] ?? '', all[at - 1] ?? '')
  }
  return all.join('')
}

/** Written anew, from the definition: letters added, left out, replaced or swapped. */
function editsBetween(one: string, other: string): number {
  const known = new Map<string, number>()
  const edits = (left: number, right: number): number => {
    if (left === 0 || right === 0) return left + right
    const key = `${left} ${right}`
    const kept = known.get(key)
    if (kept !== undefined) return kept
    const replaced = edits(left - 1, right - 1) + (one[left - 1] === other[right - 1] ? 0 : 1)
    const isSwapped =
      left > 1 && right > 1 && one[left - 1] === other[right - 2] && one[left - 2] === other[right - 1]
    const swapped = isSwapped ? edits(left - 2, right - 2) + 1 : Infinity
    const least = Math.min(replaced, swapped, edits(left - 1, right) + 1, edits(left, right - 1) + 1)
    known.set(key, least)
    return least
  }
  return edits(one.length, other.length)
}

function isMeant(typed: string, word: string): boolean {
  if (typed === word) return true
  if (word.length < 3 || typed.length < 4) return false
  const allowed = typed.length < 7 ? 1 : 2
  return editsBetween(typed, word) + (typed[0] === word[0] ? 0 : 1) <= allowed
}

eachDatabase(({ name: database }) => {
  describe('a search with typing errors', () => {
    let service: TestService
    let admin: Client

    before(async () => {
      // A language without a stemmer, so that words are found as they are.
      const env = { SVC_LOCALIZATION_DEFAULT_LOCALE: 'ja', SVC_LOCALIZATION_LOCALES: '["ja"]' }
      service = await startSearch({ database, env })
      await finishJobs(service)
      admin = service.admin
    })
    after(() => service?.stop())

    const listed = async (type: string, q: string) => {
      const path = `/api/content/${type}?search=${encodeURIComponent(q)}${typos}&fields=id&limit=100`
      const { data } = expectStatus(await admin.get(path), 200).body
      return data.map(({ id }: { id: number }) => `${type} ${id}`).sort()
    }

    it('finds what was meant, what is right first, and tells what stands there', async () => {
      const right = await add(admin, 'scrap', { text: `an elefant ${'padding '.repeat(50)}` })
      const meant = await add(admin, 'scrap', { text: 'elephant elephant' })
      const { hits, total } = await search(admin, 'elefant ', typos)
      assert.equal(total, 2)
      assert.deepEqual(
        hits.map(({ id, corrections }) => [id, corrections]),
        [
          [right, undefined],
          [meant, { elefant: ['elephant'] }],
        ],
      )
      assert.deepEqual(hits[1]?.highlights, {
        text: '<mark>elephant</mark> <mark>elephant</mark>',
      })
      assert.deepEqual(await found(admin, 'elefant '), [`scrap ${right}`])
    })

    it('forgives as much as a word is long', async () => {
      const id = `scrap ${await add(admin, 'scrap', { text: 'Mäuse catalogue kilo2000 日本語 москва ox' })}`
      const cases: [string, boolean][] = [
        ...([
          ['mause ', true],
          ['muase ', true],
          ['masue ', true],
          ['maus ', true],
          ['mauzes ', false],
          ['mozse ', false],
          ['nause ', false],
          ['oy ', false],
          ['catalgoeu ', true],
          ['kataloge ', false],
          ['datalogue ', true],
          ['atalogue ', true],
          ['xcatalogue ', true],
          ['actalogue ', true],
          ['datalogues ', false],
          ['"catalogua"', false],
          ['catalogue -kata', true],
          ['мсоква ', true],
          ['kilo2001 ', false],
          ['日本話', false],
          ['catlo', true],
          ['catlo ', false],
          ['ctaalo* masue ', true],
          ['xatalogu', false],
        ] as [string, boolean][]),
      ]
      for (const [query, isFound] of cases) {
        assert.deepEqual(await found(admin, query, `${typos}&types=scrap`), isFound ? [id] : [], query)
      }
      assert.deepEqual(await found(admin, 'katalogue', `${typos}&fields=text`), [id])
      assert.deepEqual(await found(admin, 'katalogue', `${typos}&fields=name`), [])
    })

    it('finds the same as going through all words', slow, async () => {
      const random = createRandom()
      const words = [...new Set(Array.from({ length: 120 }, () => randomWord(random)))]
      const ids = new Map<string, string>()
      const texts = words.map((word) => ({ name: word }))
      const { body } = expectStatus(await admin.post('/api/content/teller/bulk-create', texts), 201)
      for (const [index, word] of words.entries()) ids.set(word, `teller ${body.data.ids[index]}`)
      for (let count = 0; count < 120; count += 1) {
        const typed = mistyped(words[random(words.length)] ?? '', random)
        if (typed === '') continue
        const meant = words.filter((word) => isMeant(typed, word)).map((word) => ids.get(word))
        assert.ok(meant.length <= 30)
        assert.deepEqual(await found(admin, `${typed} `, `${typos}&types=teller`), meant.sort(), typed)
        assert.deepEqual(await listed('teller', `${typed} `), meant.sort(), typed)
      }
    })

    it('is one of lists, aggregates and distinct values as well', async () => {
      const names = ['Archaeopteryx one', 'Archaeopterix two', 'Archaeopterygian three', 'Other four']
      for (const [age, name] of names.entries()) await add(admin, 'teller', { name, age })
      const typed = 'search=archeopteryx%20'
      const of = async (query: string) =>
        expectStatus(await admin.get(`/api/content/teller${query}`), 200).body
      const found = ['Archaeopteryx one', 'Archaeopterix two']
      const page = await of(`?${typed}${typos}&fields=name&sort=age`)
      assert.deepEqual(
        page.data.map(({ name }: { name: string }) => name),
        found,
      )
      assert.equal(page.pagination.total, 2)
      assert.deepEqual((await of(`?${typed}`)).data, [])
      assert.deepEqual((await of(`?${typed}&typos=false`)).data, [])
      const first = await of(`?${typed}${typos}&cursor=&limit=1&sort=name`)
      const { nextCursor } = first.pagination
      const second = await of(`?${typed}${typos}&cursor=${nextCursor}&limit=1&sort=name`)
      assert.deepEqual(
        [first, second].map(({ data }) => data[0].name),
        [...found].sort(),
      )
      const filtered = `filters[age][$gt]=0&${typed}${typos}`
      assert.deepEqual((await of(`/aggregate?function=count&${filtered}`)).data, { value: 1 })
      assert.deepEqual((await of(`/distinct?field=name,age&${filtered}&ownFilters=false&sort=value`)).data, {
        name: { values: [{ value: found[1], count: 1 }], hasMore: false },
        age: { values: [0, 1].map((value) => ({ value, count: 1 })), hasMore: false },
      })
      // The plan of the query is kept, its words are not.
      await add(admin, 'teller', { name: 'Archeopterix five' })
      assert.equal((await of(`?${typed}${typos}&fields=name&sort=age`)).pagination.total, 3)
    })

    it('is asked for over GraphQL', async () => {
      const ask = async (query: string, variables = {}) => {
        const { body } = expectStatus(await admin.post('/api/graphql', { query, variables }), 200)
        return body.data
      }
      const id = await add(admin, 'teller', { name: 'Brachiosaurus', age: 700 })
      const list =
        'query ($typos: Boolean) { tellerList(search: "braciosaurus ", typos: $typos) { data { id } } }'
      assert.deepEqual((await ask(list, { typos: true })).tellerList.data, [{ id }])
      assert.deepEqual((await ask(list, { typos: false })).tellerList.data, [])
      assert.deepEqual((await ask(list)).tellerList.data, [])
      const values = await ask(
        '{ tellerListDistinct(search: "braciosaurus ", typos: true) { age { values { value count } } } }',
      )
      assert.deepEqual(values.tellerListDistinct.age.values, [{ value: 700, count: 1 }])
    })

    it('says nothing of words that the caller may not see', async () => {
      const world = { service, admin, anonymous: service, stop: async () => undefined }
      const reader = await signUp(world, `typist-${database}`)
      await allow(world, 'authenticated', { story: { read: true } })
      const draft = await add(admin, 'story', { title: 'Wolverine' })
      const open = await add(admin, 'story', { title: 'Wolverines abroad' })
      expectStatus(await admin.put(`/api/content/story/${open}/publish`, {}), 200)
      await add(admin, 'teller', { name: 'Wolverina' })
      const { hits, total } = await search(reader, 'wolverin ', typos)
      assert.equal(total, 1)
      assert.deepEqual(hits[0]?.corrections, { wolverin: ['wolverines'] })
      assert.deepEqual(await found(reader, 'wolferine ', typos), [`story ${open}`])
      const openOnly = await reader.get('/api/content/story?search=wolferine%20&typos=true&fields=id')
      assert.deepEqual(openOnly.body.data, [{ id: open }])
      assert.equal((await reader.get('/api/content/teller?search=wolferine%20&typos=true')).status, 403)
      assert.deepEqual(await found(admin, 'wolferine ', `${typos}&types=story`), [
        ...[`story ${draft}`, `story ${open}`].sort(),
      ])
    })

    it('is bounded, whatever comes', async () => {
      const words = Array.from({ length: 32 }, (_, index) => `${'abcdefgh'[index % 8]}lephantine*`)
      const queries = [words.join(' '), 'x'.repeat(1_000), "%%%% ____ '''' \"\"", 'a\u0301'.repeat(300)]
      for (const q of [...queries, "elef' or 1=1 --", 'zqelefant zselefant', '-elefant', 'null undefined']) {
        const path = `/api/search?q=${encodeURIComponent(q)}${typos}&prefix=all&fields=text,name`
        assert.equal((await admin.get(path)).status, 200, q)
        const list = `/api/content/scrap?search=${encodeURIComponent(q)}${typos}`
        assert.equal((await admin.get(list)).status, 200, q)
      }
      for (const query of [
        'search=a&typos=perhaps',
        'search=alph&searchFields=text&typos=true',
        'typos[a]=1',
      ]) {
        assert.equal((await admin.get(`/api/content/scrap?${query}`)).status, 400, query)
      }
      assert.equal((await admin.get('/api/content/number?search=1&typos=true')).status, 400)
      assert.equal((await admin.get('/api/content/scrap/1?typos=true')).status, 400)
      assert.equal((await admin.get('/api/search?q=a&typos=perhaps')).status, 400)
    })

    it('follows the words of every write, many at once', async () => {
      const create = (index: number) =>
        add(admin, 'scrap', { text: `hippopotamus giraffe okapizebra ${index}` })
      const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => create(index)))
      assert.equal((await search(admin, 'hipopotamus girafe okapizeba ', typos)).total, ids.length)
      const path = `/api/content/scrap/${ids[0]}`
      expectStatus(await admin.put(path, { text: 'rhinoceros' }), 200)
      assert.deepEqual(await found(admin, 'rinoceros ', typos), [`scrap ${ids[0]}`])
      expectStatus(await admin.delete(path), 200)
      assert.deepEqual(await found(admin, 'rinoceros ', typos), [])
    })

    it('forgets words that have had no text for a day', async () => {
      const connection = service.kernel.get(databaseService)
      const kept = await add(admin, 'scrap', { text: 'ephemeral perennial' })
      const known = vocabularyTable.on(connection).find(['rest'])
      const age = vocabularyTable.on(connection).update(
        (value) => sql`unused_since = ${value('at', 'datetime')}`,
        () => sql`unused_since is not null`,
      )
      const tidy = async () => {
        const { body } = await admin.get('/api/admin/scheduled-jobs')
        const { id } = body.data.find(({ name }: { name: string }) => name === 'search.tidy')
        expectStatus(await admin.post(`/api/admin/scheduled-jobs/${id}/run`, {}), 202)
        await finishJobs(service)
      }
      expectStatus(await admin.put(`/api/content/scrap/${kept}`, { text: 'perennial' }), 200)
      await tidy()
      await tidy()
      assert.notEqual((await known.get({ rest: 'phemeral' }))?.unusedSince, null)
      await age.run({ at: '2020-01-01T00:00:00.000Z' })
      // A word that somebody writes again stays, although the process knew it.
      const again = await add(admin, 'scrap', { text: 'rhinoceros' })
      await tidy()
      assert.equal(await known.get({ rest: 'phemeral' }), undefined)
      assert.equal((await known.get({ rest: 'erennial' }))?.unusedSince, null)
      assert.deepEqual(await found(admin, 'rinoceros ', typos), [`scrap ${again}`])
      assert.deepEqual(await found(admin, 'perenial ', typos), [`scrap ${kept}`])
    })
  })
})
