import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { image, type MediaService, startMediaService } from '../api/media-support.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { inviteAda, openPage } from './browser/panel-page.ts'
import { type PreviewSite, startPreviewSite } from './browser/preview-site.ts'
import { type Walk, walkThrough } from './browser/walk.ts'
import { newsroomSchemas } from './newsroom/newsroom-schemas.ts'

/**
 * What is off in each of the first six starts, with what the panel shows by each plugin and by no other. Those of one start
 * have as little as possible to do with each other, so that what needs one of them lacks only that. In the last one all
 * are off.
 */
const apart: readonly Readonly<Record<string, readonly string[]>>[] = [
  {
    ...{ audit: [], 'schema-files': ['Model'], webhooks: ['New webhook'] },
    ...{ 'runtime-config': ['Advanced'], preview: ['Preview'] },
  },
  {
    ...{ search: [], i18n: ['Side by side'], metrics: ['Metrics'] },
    ...{ docs: [], planning: ['Calendar'], revisions: ['History'] },
  },
  // Mails about the inbox need both.
  {
    ...{ inbox: [], email: [], notifications: ['Save notifications'] },
    ...{ undo: [], releases: ['Add to a release…'], aggregate: [] },
  },
  { usages: ['Used in'], drafts: [], authors: ['Created by'], 'panel-events': [] },
  { graphql: ['GraphQL'], discussion: ['Comments', 'Assigned to'], schedules: ['Schedules'] },
  {
    ...{ 'unpublish-times': ['Unpublish at a time…'], alerts: ['Alerts'] },
    ...{ media: ['Media', 'Choose from the library'] },
    ...{ preferences: ['Views'], workflow: ['Show as a board'], backups: ['New backup'] },
  },
]
const starts = [...apart, Object.assign({}, ...apart) as (typeof apart)[number]]

const dusk = {
  ...{ name: 'dusk', displayName: 'Dusk', description: 'Late light.', version: '2.0.0' },
  ...{ kind: 'theme', engines: { mortise: '*' } },
  tokens: { color: { primary: '#7a1f5c' }, dark: { color: { primary: '#f0a6d6', onPrimary: '#33001f' } } },
}

interface Ids {
  readonly article: number
  readonly event: number
  readonly picture: number
  readonly release: number
  readonly backup: number
}

const noAddress: readonly string[] = []

/** Where each screen is, by its path in the sources; with what its address can hold besides. */
const addressesOf = ({
  article,
  event,
  picture,
  release,
  backup,
}: Ids): Record<string, readonly string[]> => ({
  '/': ['/'],
  '/inbox': ['/inbox'],
  '/content/:type/:id': [
    ...[`/content/article/${article}`, `/content/article/${article}?panel=preview`, '/content/article/new'],
    `/content/event/${event}`,
  ],
  '/content/:type/:id/translate': [`/content/article/${article}/translate?to=de`],
  '/content/:type': [
    ...['/content/article', '/content/article?trash=1', '/content/article?locale=*&q=tide'],
    ...['/content/event', '/content/event?layout=board', '/content/author', '/content/imprint'],
  ],
  '/media': ['/media'],
  '/media/:id': [`/media/${picture}`],
  '/model/*?': ['/model'],
  '/model/types': ['/model/types'],
  '/model/types/:name': ['/model/types/article'],
  '/model/components': ['/model/components'],
  '/model/components/:name': ['/model/components/story.quote'],
  '/model/diagram': ['/model/diagram'],
  '/model/review': ['/model/review'],
  '/calendar': ['/calendar'],
  '/releases/*?': ['/releases', `/releases/${release}`],
  '/operations/*?': ['/operations'],
  '/operations/alerts': ['/operations/alerts'],
  '/operations/jobs': ['/operations/jobs'],
  '/operations/schedules': ['/operations/schedules'],
  '/operations/webhooks': ['/operations/webhooks'],
  '/operations/webhooks/dead-letters': ['/operations/webhooks/dead-letters'],
  '/operations/webhooks/new': ['/operations/webhooks/new'],
  '/operations/webhooks/:id': ['/operations/webhooks/1'],
  '/operations/webhooks/:id/edit': ['/operations/webhooks/1/edit'],
  '/operations/backups': ['/operations/backups'],
  '/operations/backups/:id': [`/operations/backups/${backup}`],
  '/operations/audit': ['/operations/audit'],
  '/operations/database': ['/operations/database'],
  '/operations/metrics': ['/operations/metrics'],
  '/operations/plugins': ['/operations/plugins'],
  '/operations/themes': ['/operations/themes'],
  '/people/*?': ['/people'],
  '/people/admins': ['/people/admins'],
  '/people/users': ['/people/users'],
  '/people/roles': ['/people/roles'],
  '/people/roles/:id': ['/people/roles/1'],
  '/people/tokens': ['/people/tokens'],
  '/profile': ['/profile'],
  '/settings': ['/settings'],
  // All categories are linked to.
  '/settings/:category': noAddress,
  // Of plugins that are no part of the panel.
  '/x/:plugin/*?': noAddress,
})

/** Those that the sources declare; sections before their areas, whose paths contain theirs. */
function declaredPaths(): string[] {
  const app = join(import.meta.dirname, '../../core-plugins/panel/admin-panel/app')
  const files = readdirSync(join(app, 'parts'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)(part|sections|operations)\.ts$/.test(file))
    .map((file) => join('parts', file))
    .toSorted((left, right) => Number(left.endsWith('part.ts')) - Number(right.endsWith('part.ts')))
  const sources = [...files, 'parts.ts'].map((file) => readFileSync(join(app, file), 'utf8'))
  return sources.flatMap((source) =>
    [...source.matchAll(/\bpath: '(\/[^']*)'/g)].map(([, path = '']) => path),
  )
}

const screens = declaredPaths()

describe('the panel of a service with plugins switched off', { skip: withoutBrowser }, () => {
  let browser: Browser
  let site: PreviewSite
  /** What could be pressed in each start. */
  const seen: { readonly off: readonly string[]; readonly names: Walk['names'] }[] = []

  before(async () => {
    ;[browser, site] = await Promise.all([startBrowser(), startPreviewSite()])
  })
  after(async () => {
    site?.stop()
    await browser?.close()
  })

  describe('opened everywhere', { concurrency: 3 }, () => {
    for (const marks of starts) {
      const off = Object.keys(marks)
      it(`has nothing dead without ${off.join(', ')}`, async () => {
        const service = await startOf(off)
        const panel = await openPage(browser, service)
        try {
          const ids = await fill(service, (plugin) => !off.includes(plugin))
          if (off.includes('unpublish-times')) await assertEndRefused(service, ids)
          await panel.signIn()
          await panel.goto('/admin')
          const walk = walkThrough(panel.page, screens)
          await walkAll(walk, ids)
          assert.deepEqual(walk.problems, [])
          seen.push({ off, names: walk.names })
        } finally {
          panel.expect(new RegExp(`request to another origin: ${site.origin}`))
          await panel.close()
          await service.stop()
        }
      })
    }
  })

  it('shows what a plugin brings where that is on, and only there', () => {
    for (const [plugin, marks] of apart.flatMap(Object.entries))
      for (const mark of marks)
        for (const { off, names } of seen)
          assert.equal(names.has(mark), !off.includes(plugin), `${mark} without ${off}`)
  })

  async function walkAll(walk: Walk, ids: Ids) {
    const addresses = addressesOf(ids)
    assert.deepEqual(Object.keys(addresses).toSorted(), screens.toSorted())
    const { article, release } = ids
    const full = [`/content/article/${article}`, '/content/article', `/releases/${release}`]
    for (const address of Object.values(addresses).flat()) {
      await walk.open(address)
      if (full.includes(address)) await walk.openAll()
    }
    await walk.followLinks()
  }

  function startOf(off: readonly string[]): Promise<MediaService> {
    const article = newsroomSchemas['article.json']
    const preview = { url: `${site.origin}/silent.html` }
    const pluginOptions = { panel: { ...article.pluginOptions.panel, preview } }
    return startMediaService({
      // So that there is one to choose.
      files: { 'themes/dusk/theme.json': JSON.stringify(dusk) },
      schemas: { ...newsroomSchemas, 'article.json': { ...article, pluginOptions } },
      env: { SVC_PLUGINS_DISABLED: off.join(','), SVC_PREVIEW_ORIGINS: site.origin },
    })
  }

  /** Nothing would carry it out. */
  async function assertEndRefused({ admin }: MediaService, { article }: Ids) {
    const end = { unpublishAt: '2100-01-01T00:00:00Z' }
    const { status, body } = await admin.put(`/api/content/article/${article}/publish`, end)
    assert.deepEqual([status, body.error.details[0].code], [400, 'unsupported'])
  }

  /** Something of each kind, where there is such a kind. */
  async function fill(service: MediaService, isOn: (plugin: string) => boolean): Promise<Ids> {
    await inviteAda(service)
    const made = async (path: string, body: object) => {
      const answer = await service.admin.post(path, body)
      assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
      return answer.body.data.id as number
    }
    const changed = async (path: string, body: object) => {
      const answer = await service.admin.put(path, body)
      assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
    }
    const picture = isOn('media') ? (await service.add(await image(40, 30), 'tide.png')).id : 1
    const author = await made('/api/content/author', { name: 'Mara Lindqvist' })
    const first = { title: 'The tide', slug: 'tide', author, ...(isOn('media') && { cover: picture }) }
    const article = await made('/api/content/article', first)
    const path = `/api/content/article/${article}`
    if (isOn('i18n')) await made(`${path}/localizations`, { locale: 'de', title: 'Die Flut', slug: 'flut' })
    await changed(`${path}/publish`, {})
    await changed(path, { title: 'The tide turns', related: [article] })
    const later = await made('/api/content/article', { title: 'Tomorrow', slug: 'tomorrow' })
    await changed(`/api/content/article/${later}/publish`, { publishedAt: '2222-04-30T05:00:00Z' })
    await changed('/api/content/imprint', { publisher: 'The Tide' })
    const event = await made('/api/content/event', { name: 'Fish market' })
    if (isOn('discussion')) await made(`${path}/comments`, { body: 'Which tide?' })
    const hook = { name: 'Search', url: 'http://127.0.0.1:9/', events: ['entry.delete'] }
    if (isOn('webhooks')) await made('/api/webhooks', hook)
    const release = isOn('releases') ? await made('/api/admin/content-releases', { name: 'Spring' }) : 1
    const backup = isOn('backups') ? await made('/api/admin/backups', { name: 'Before' }) : 1
    return { article, event, picture, release, backup }
  }
})
