import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openWordpress } from '../../core-plugins/administration/migrations/migrations.ts'
import type { Client } from '../support/client.ts'
import { runCommand } from '../support/command-line.ts'
import type { Project } from '../support/project.ts'

/** An export of our own making, in the format of WordPress 6. */
export const siteFile = join(import.meta.dirname, 'wordpress-1.2.xml')
export const uploads = join(import.meta.dirname, 'wordpress-uploads')
export const importArguments = ['import', 'wordpress', siteFile, '--uploads', uploads, '--json']

export interface SiteReport {
  readonly counts: readonly { subject: string; there: number; here: number }[]
  readonly created: number
  readonly updated: number
  readonly findings: readonly { subject: string; message: string }[]
  readonly problems: readonly unknown[]
}

export async function importedSite(project: Project, ...options: string[]): Promise<SiteReport> {
  const { code, stdout, stderr } = await runCommand(project, [...importArguments, ...options])
  assert.equal(code, 0, stderr + stdout)
  return JSON.parse(stdout)
}

/** By type, in the site and here. */
export const siteCounts = { author: 2, category: 3, tag: 2, pier: 2, post: 8, page: 3, berth: 1, files: 3 }

type Entry = Record<string, unknown>

/** Compares what the service has with what the site has. */
export async function assertSite(admin: Client): Promise<void> {
  const list = async (type: string, populate = ''): Promise<Entry[]> => {
    const { status, body } = await admin.get(`/api/content/${type}?limit=100&sort=id${populate}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }
  await assertPosts(await list('post', '&populate=categories,tags,pier,author,featuredImage'), admin)
  const terms = await list('category', '&populate=parent')
  assert.deepEqual(
    terms.map(({ slug, name, parent }) => [slug, name, (parent as Entry | null)?.slug ?? null]).sort(),
    [
      ['boats', 'Boats & ships', null],
      ['ferries', 'Ferries', 'boats'],
      ['news', 'News', null],
    ],
  )
  assert.deepEqual((await list('tag')).map(({ slug }) => slug).sort(), ['early', '海'])
  assert.deepEqual((await list('author')).map(({ name, slug }) => [name, slug]).sort(), [
    ['Jon Ferry', 'jon-ferry-example'],
    ['Mara Quay', 'mara'],
  ])
  const pages = await list('page', '&populate=parent')
  assert.deepEqual(
    pages
      .map(({ slug, parent, menuOrder }) => [slug, (parent as Entry | null)?.slug ?? null, menuOrder])
      .sort(),
    [
      ['about', null, 2],
      ['crew', 'about', 1],
      ['orphan', null, 0],
    ],
  )
  const [berth] = await list('berth', '&populate=pier')
  assert.deepEqual(berth?.meta, { depth: '4.5' })
  assert.equal((await admin.get('/api/media?limit=100')).body.data.length, 3)
}

async function assertPosts(posts: readonly Entry[], admin: Client): Promise<void> {
  const publication = Object.fromEntries(posts.map(({ title, published_at: at }) => [title, at]))
  assert.deepEqual(publication, {
    'The first ferry': '2026-01-05T07:30:00.000Z',
    'Written by hand': '2026-01-05T07:30:00.000Z',
    'Not yet written': null,
    'For the crew': null,
    'With a password': null,
    'To be looked at': null,
    'Next century': '2126-01-01T00:00:00.000Z',
    '': '2026-01-05T07:30:00.000Z',
  })
  const [first] = posts.filter(({ slug }) => slug === 'first-ferry')
  assert.ok(first)
  const slugs = (name: string) => (first[name] as Entry[]).map(({ slug }) => slug)
  assert.deepEqual(
    [slugs('categories'), slugs('tags'), slugs('pier')],
    [['ferries', 'news'], ['early', '海'], ['north-end']],
  )
  assert.equal((first.author as Entry).name, 'Mara Quay')
  assert.deepEqual(
    [first.sticky, first.format, first.created_at],
    [true, 'image', '2026-01-05T07:30:00.000Z'],
  )
  assert.deepEqual(first.meta, { mood: 'calm', boat: ['Alma', 'Berta'] })
  assert.equal(first.originalUrl, 'https://www.harbour.example/2026/01/first-ferry/')
  const image = first.featuredImage as Entry
  assert.deepEqual(
    [image.originalName, image.alt, image.caption],
    ['harbour.png', 'Boats in blue water', 'The harbour at dawn'],
  )
  await assertLinks(String(first.content), String(image.url), admin)
  const [hand] = posts.filter(({ slug }) => slug === 'written-by-hand')
  assert.match(
    String(hand?.content),
    /^<p>First line<br>\nsecond line<\/p>\n<p>Next paragraph with <em>stress<\/em>\.<\/p>\n<ul>\n<li>one<\/li>\n<li>two<\/li>\n<\/ul>\n<pre>kept\n\nas it is<\/pre>\n<p>\[gallery ids="20,21"\]<\/p>\n<p>Look: \/api\/uploads\/\w+\.png<\/p>$/,
  )
}

/** In whatever size, by whatever scheme: what is the site's own leads here, and nothing else does. */
async function assertLinks(content: string, imageUrl: string, admin: Client): Promise<void> {
  const links = [...content.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => String(url))
  const [source, times = '', elsewhere, us] = links
  assert.equal(source, imageUrl)
  assert.match(content, new RegExp(`srcset="${imageUrl} 600w, ${imageUrl} 150w"`))
  assert.equal(elsewhere, 'https://elsewhere.example/wp-content/uploads/2026/01/harbour.png')
  assert.equal(us, 'https://www.harbour.example/about/')
  const { status } = await admin.get(times)
  assert.equal(status, 200)
}

/** The UUIDs that files get wherever the site is imported. */
export async function uuidsOfFiles(): Promise<ReadonlyMap<string, string>> {
  const uuids = new Map<string, string>()
  const source = await openWordpress(siteFile, { uploads })
  for await (const { name, uuid } of source.files()) uuids.set(name, uuid)
  await source.close()
  return uuids
}
