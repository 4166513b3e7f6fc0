import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { TransferSide } from '../../core-plugins/administration/transfer/transfer.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import {
  differencesBetween,
  type Place,
  remoteOf,
  sendPackage,
  startPlace,
  tokenOf,
  transfer,
  type,
} from './transfer-world.ts'

const states = [
  { name: 'idea' },
  { name: 'review' },
  { name: 'approved', publishable: true },
  { name: 'old' },
]
const story = type(
  'story',
  { title: { type: 'string', pluginOptions: { i18n: { localized: true } } }, slug: { type: 'string' } },
  {
    draftAndPublish: true,
    i18n: { enabled: true, locales: ['en', 'de'] },
    workflow: {
      ...{ enabled: true, initialState: 'idea', states },
      transitions: [
        { from: 'idea', to: 'review' },
        { from: 'review', to: 'idea' },
        { from: 'review', to: 'approved', roles: ['admin'] },
      ],
    },
  },
)

/** What is kept beside a story. */
interface Told {
  readonly state: string
  readonly status: string
  readonly notes: string | null
  readonly unpublishAt: string | null
  readonly isPublic: boolean
}

eachDatabase(({ name }) => {
  let here: Place
  let there: Place
  let remote: TransferSide
  before(async () => {
    const schemas = { 'story.json': story }
    ;[here, there] = await Promise.all([startPlace('sqlite', {}, schemas), startPlace(name, {}, schemas)])
    remote = await remoteOf(there)
  })
  after(() => Promise.all([here?.service.stop(), there?.service.stop()]))

  const only = { types: ['story'] }
  const push = (options = {}, target = remote) => transfer(here, here.side, target, options, only)
  const differences = () => differencesBetween(here.side, remote, only)
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()

  const idAt = async (place: Place, key: string) => {
    const lists = await Promise.all(
      ['en', 'de'].map((locale) => place.list('story', `&locale=${locale}&fields=uuid`)),
    )
    return Number(lists.flat().find(({ uuid }) => uuid === key)?.id)
  }
  const put = async (place: Place, path: string, body: object = {}) =>
    expectStatus(await place.service.admin.put(`/api/content/story/${path}`, body), 200)
  const move = (place: Place, id: number, to: string) => put(place, `${id}/workflow/transition`, { to })
  const told = async (place: Place, key: string): Promise<Told> => {
    const id = await idAt(place, key)
    const { admin } = place.service
    const get = async (path: string) =>
      expectStatus(await admin.get(`/api/content/story/${id}${path}`), 200).body.data
    const [entry, workflow, { translationMeta }] = await Promise.all([
      get('?meta=true'),
      get('/workflow'),
      get('/localizations'),
    ])
    const { status, notes } = translationMeta[entry.locale]
    return {
      ...{ state: workflow.state.name, status, notes },
      unpublishAt: entry._meta?.unpublish_at ?? null,
      isPublic: entry.published_at !== null,
    }
  }

  let key: string
  let id: number
  let german: string
  beforeEach(async () => {
    const made = await here.create('story', { title: 'Title', slug: `s${Date.now()}` })
    id = made.id
    key = await here.uuidOf('story', id)
    const { body } = await here.service.admin.post(`/api/content/story/${id}/localizations`, {
      locale: 'de',
      title: 'Titel',
    })
    german = await here.uuidOf('story', body.data.id)
  })

  describe('what plugins keep beside entries', () => {
    it('arrives with them: states, so that they may be public, translation status and times of unpublishing', async () => {
      await move(here, id, 'review')
      await move(here, id, 'approved')
      await put(here, `${id}/publish`, { unpublishAt: inAnHour })
      const germanId = await idAt(here, german)
      await move(here, germanId, 'review')
      await put(here, `${germanId}/localizations/status`, { status: 'in_review', notes: 'look at the end' })
      await push()
      assert.deepEqual(await told(there, key), {
        ...{ state: 'approved', status: 'published', notes: null },
        ...{ unpublishAt: inAnHour, isPublic: true },
      })
      assert.deepEqual(await told(there, german), {
        ...{ state: 'review', status: 'in_review', notes: 'look at the end' },
        ...{ unpublishAt: null, isPublic: false },
      })
      assert.deepEqual(await differences(), [])
      const { body } = await there.service.admin.get(
        `/api/content/story/${await idAt(there, key)}/workflow/history`,
      )
      assert.deepEqual(
        body.data.map(({ from, to }: { from: string; to: string }) => [from, to]),
        [['idea', 'approved']],
      )
      const jobs = await there.service.admin.get('/api/admin/jobs?name=content.unpublish')
      assert.ok(jobs.body.data.length > 0)
    })

    it('is a difference by itself, and goes back to what entries are made as', async () => {
      await move(here, id, 'review')
      await put(here, `${await idAt(here, german)}/localizations/status`, { status: 'approved' })
      await push()
      await move(here, id, 'idea')
      await put(here, `${await idAt(here, german)}/localizations/status`, { status: 'draft' })
      assert.deepEqual(
        (await differences()).sort(),
        [`changed content:story:${german}`, `changed content:story:${key}`].sort(),
      )
      await push()
      assert.deepEqual(
        [(await told(there, key)).state, (await told(there, german)).status],
        ['idea', 'draft'],
      )
      assert.deepEqual(await differences(), [])
      await move(there, await idAt(there, key), 'review')
      assert.deepEqual(await differences(), [`ahead content:story:${key}`])
      await move(here, id, 'review')
      assert.deepEqual(await differences(), [])
    })

    it('of translations is what the source says, whatever the writes have made of it', async () => {
      await push()
      // Here, the translation follows its source; there, the write of the source would make it outdated.
      await put(here, `${id}`, { title: 'Other title' })
      const germanId = await idAt(here, german)
      assert.equal((await told(here, german)).status, 'outdated')
      await put(here, `${germanId}`, { title: 'Anderer Titel' })
      await put(here, `${germanId}/localizations/status`, { status: 'approved' })
      await push()
      assert.equal((await told(there, german)).status, 'approved')
      assert.deepEqual(await differences(), [])
      await put(here, `${id}`, { title: 'Third title' })
      await push()
      assert.equal((await told(there, german)).status, 'outdated')
      assert.deepEqual(await differences(), [])
    })

    it('stays where it is if that is wanted, and is not compared', async () => {
      await push()
      await move(here, id, 'review')
      await here.update('story', id, { title: 'New' })
      await push({ without: ['workflow'] })
      assert.equal((await told(there, key)).state, 'idea')
      assert.deepEqual(await differencesBetween(here.side, remote, only, ['workflow']), [])
      await assert.rejects(push({ without: ['nothing'] }), { code: 'VALIDATION_ERROR', message: /nothing/ })
      await push({ onConflict: 'source' })
      assert.equal((await told(there, key)).state, 'review')
    })
  })

  describe('rights', () => {
    const scopes = ['admin:transfer:read', 'admin:transfer:write', 'content:read', 'content:write']
    const by = async (...more: string[]) => push({}, await remoteOf(there, [...scopes, ...more]))

    it('bring nobody further than their own transitions, unless a scope says so', async () => {
      await move(here, id, 'review')
      await by()
      assert.equal((await told(there, key)).state, 'review')
      await move(here, id, 'approved')
      await assert.rejects(by(), ({ code, details }: { code: string; details: { message: string }[] }) => {
        assert.equal(code, 'FORBIDDEN')
        return details.some(({ message }) =>
          message.includes('from review to approved (admin:transfer:workflow)'),
        )
      })
      assert.equal((await told(there, key)).state, 'review')
      await by('admin:transfer:workflow')
      assert.equal((await told(there, key)).state, 'approved')
    })

    it('to set a time of unpublishing are those to publish, and the time is to come', async () => {
      await push()
      await put(here, `${id}/unpublish-at`, { unpublishAt: inAnHour })
      await assert.rejects(by(), { code: 'FORBIDDEN', message: /content:story/ })
      await by('content:publish')
      assert.equal((await told(there, key)).unpublishAt, inAnHour)
    })
  })

  it('hostile values are refused, and write nothing', async () => {
    await push()
    const [target, own] = await Promise.all([remote.describe(), here.side.describe()])
    const token = await tokenOf(there)
    const beside = { 'content:story': ['workflow', 'translation', 'unpublishing'] }
    const header = {
      format: 1,
      environment: own.environment,
      target: target.environment,
      missing: 'refuse',
      beside,
    }
    const [item] = await remote.find('content:story', [key], beside['content:story'])
    const line = (more: object) => ({
      ...{ section: 'content:story', key, action: 'put', before: item?.hash, source: 'x'.repeat(43) },
      value: { ...item?.value, beside: more },
    })
    const wrong: [number, object, object?][] = [
      [409, line({ workflow: { state: 'nowhere' } })],
      [400, line({ workflow: { state: 7 } })],
      [400, line({ workflow: { state: 'review', comment: 'x' } })],
      [400, line({ workflow: 'review' })],
      [400, line({ other: {} })],
      [400, line({ unpublishing: { at: '2026-99-99T00:00:00.000Z' } })],
      [400, line({ unpublishing: { at: '2020-01-01T00:00:00.000Z' } })],
      [400, line({ translation: { status: 'lost' } })],
      [400, line({ workflow: { state: 'review' } }), { ...header, beside: {} }],
      [400, line({}), { ...header, beside: { 'content:story': ['nothing'] } }],
      [400, line({}), { ...header, beside: { 'content:author': ['workflow'] } }],
      [404, line({}), { ...header, beside: { 'content:nothing': ['workflow'] } }],
      [400, line({}), { ...header, beside: { 'content:story': 'workflow' } }],
    ]
    for (const [status, each, head = header] of wrong) {
      const { applied } = await sendPackage(there, token, [head, each])
      assert.equal(applied.status, status, `${JSON.stringify(each)} ${JSON.stringify(applied.body)}`)
    }
    const { admin } = there.service
    const path = '/api/admin/transfer/items?section=content:story&beside='
    assert.equal((await admin.get(`${path}nothing`)).status, 400)
    assert.equal((await admin.get(`${path}workflow&beside=workflow`)).status, 400)
    assert.equal((await told(there, key)).state, 'idea')
    const { applied } = await sendPackage(there, token, [header, line({ workflow: { state: 'old' } })])
    assert.equal(applied.status, 200, JSON.stringify(applied.body))
    assert.equal((await told(there, key)).state, 'old')
  })
})
