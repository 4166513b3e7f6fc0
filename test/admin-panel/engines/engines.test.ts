import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { skipWithout } from '../../support/scope.ts'
import { startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { ada, inviteAda } from '../browser/panel-page.ts'
import type { Engine, EngineKind } from './engine.ts'
import { firefox } from './firefox.ts'
import { createHand, type Hand } from './hand.ts'
import { type WatchedSite, watchSite } from './watched-site.ts'
import { webkit } from './webkit.ts'

const schemas = {
  'author.json': {
    kind: 'collectionType',
    info: { singularName: 'author', pluralName: 'authors', displayName: 'Author' },
    attributes: { name: { type: 'string', required: true } },
  },
  'story.json': {
    kind: 'collectionType',
    info: { singularName: 'story', pluralName: 'stories', displayName: 'Story' },
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string', required: true },
      day: { type: 'date' },
      beginsAt: { type: 'datetime', default: '2026-05-05T06:06:00.000Z' },
      body: { type: 'richtext' },
      author: { type: 'relation', relation: 'manyToOne', target: 'author' },
      cover: { type: 'media' },
    },
  },
}

/** Run in the page. */
const hasRing = `getComputedStyle(document.activeElement).boxShadow !== 'none'`
const isInJournal = (text: string) => `new Promise((done, failed) => {
  const opening = indexedDB.open('mortise-panel')
  opening.onerror = failed
  opening.onsuccess = () => {
    const reading = opening.result.transaction('unsaved').objectStore('unsaved').getAll()
    reading.onsuccess = () => done(JSON.stringify(reading.result).includes(${JSON.stringify(text)}))
  }
})`

const without = ({ name, missing }: EngineKind) =>
  skipWithout([name, ...missing].join(', '), missing.length === 0)

for (const kind of [firefox, webkit]) {
  describe(`an editor in ${kind.name}`, { skip: without(kind) }, () => {
    let service: TestService
    let site: WatchedSite
    let engine: Engine
    let hand: Hand

    before(async () => {
      service = await startService({ schemas })
      await inviteAda(service)
      await service.admin.post('/api/content/author', { name: 'Jana Nová' })
      site = await watchSite(service.url)
      engine = await kind.start()
      hand = createHand(engine)
    })
    after(async () => {
      await engine?.close()
      await site?.close()
      await service?.stop()
    })

    const storyAt = async (id: string) =>
      (await service.admin.get(`/api/content/story/${id}?populate=author,cover`)).body.data

    /** Fails if a page has complained so far. The last complaint is one of its own: all before it have come by then. */
    async function assertClean(place: string) {
      await engine.evaluate(`console.error('the end of ${place}')`)
      await until(() => site.complaints.some((complaint) => complaint.endsWith(place)))
      assert.deepEqual(site.complaints.splice(0).slice(0, -1), [])
    }

    it('signs in, writes, publishes, and finds what was not saved', async () => {
      await hand.open(`${site.url}/admin`)
      await hand.presses('textbox', 'E-mail or username')
      await hand.types(ada.identifier)
      await hand.presses('textbox', 'Password')
      await hand.types(ada.password)
      await hand.strikes('Enter')
      await hand.sees('heading', 'Home')
      await hand.open(`${site.url}/admin/content/story`)
      await hand.presses('button', 'New entry')
      await hand.presses('textbox', 'Title')
      await hand.types('A tram')
      await hand.presses('textbox', 'Day')
      assert.ok(await engine.evaluate(hasRing), 'a ring around the day')
      // Month and day, in the order of the browser's language.
      for (const key of ['Up', 'Right', 'Up', 'Right'] as const) await hand.strikes(key)
      await hand.types('2026')
      await hand.presses('textbox', 'Begins at')
      assert.ok(await engine.evaluate(hasRing), 'a ring around the moment')
      await hand.strikes('Up')
      await hand.presses('textbox', 'Body')
      await hand.types('It is ')
      await hand.presses('button', 'Bold')
      await hand.types('red')
      await hand.presses('combobox', 'Find: Author')
      await hand.types('Jana')
      await hand.presses('option', 'Jana Nová')
      await hand.sees('button', 'Remove Jana Nová')
      await hand.givesPicture('tram.png')
      await hand.sees('button', 'Remove tram.png')
      await hand.strikes('Control', 's')
      await hand.sees('heading', 'A tram')
      const id = String(await engine.evaluate(`location.pathname.split('/').at(-1)`))
      const { title, day, beginsAt, body, author, cover } = await storyAt(id)
      assert.deepEqual(
        [title, body, author.name],
        ['A tram', '<p>It is <strong>red</strong></p>', 'Jana Nová'],
      )
      assert.match(day, /^2026-\d\d-\d\d$/)
      assert.match(beginsAt, /^2026-(06-05|05-06)T06:06:00.000Z$/)
      assert.equal(cover.width, 40)

      await hand.presses('button', 'Publish…')
      await hand.presses('button', 'Publish')
      await until(async () => (await storyAt(id)).publishedAt !== null, 'the story is published')

      await hand.presses('textbox', 'Title')
      await hand.types('!')
      await hand.waitsFor(isInJournal('A tram!'))
      await hand.open(`${site.url}/admin/content/story/${id}`)
      await hand.sees('button', 'Keep')
      await hand.presses('button', 'Discard')
      await hand.waitsFor(`document.querySelector('[data-path=title] input').value === 'A tram'`)
      await assertClean('the journey')
    })

    it('asks in the playground', async () => {
      await hand.open(`${site.url}/api/graphql`)
      await hand.sees('heading', 'Mutation')
      await hand.presses('textbox', 'Operation')
      await hand.strikes('Control', 'a')
      await hand.types('{ authors { data { name } } }')
      await hand.strikes('Control', 'Enter')
      await hand.waitsFor(`document.body.innerText.includes('"name": "Jana Nová"')`)
      await assertClean('the playground')
    })
  })
}
