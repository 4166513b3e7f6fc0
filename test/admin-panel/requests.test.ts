import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { createClient } from '../../client/client.ts'
import { newApiToken } from '../api/auth-callers.ts'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { inviteAda, lookAt, openPage } from './browser/panel-page.ts'

const run = promisify(execFile)

const type = (name: string, options: object, attributes: object) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name[0]?.toUpperCase() + name.slice(1) },
  options,
  attributes,
})

const schemas = {
  'maker.json': type('maker', {}, { name: { type: 'string' } }),
  'shop-item.json': type(
    'shop-item',
    { draftAndPublish: true, draftOverlay: true },
    {
      title: { type: 'string' },
      stock: { type: 'integer' },
      price: { type: 'decimal' },
      onSale: { type: 'boolean' },
      kind: { type: 'enum', enum: ['red', 'blue', 'light-green'] },
      maker: { type: 'relation', relation: 'manyToOne', target: 'maker' },
      photo: { type: 'media' },
      size: { type: 'component', component: 'shop.size' },
      parts: { type: 'dynamicZone', components: ['shop.size'] },
    },
  ),
  'home.json': { ...type('home', {}, { headline: { type: 'string' } }), kind: 'singleType' },
  'components/shop.size.json': {
    uid: 'shop.size',
    category: 'shop',
    info: { displayName: 'Size' },
    attributes: { width: { type: 'integer' } },
  },
}

/** What would end a quotation, or run, in one of the languages. */
const hostile = `O'Brien "$(echo x)" \`id\` \\ {a} %27 ü 🎈`

describe('requests of lists and entries', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser
  let token: string
  let wanted: number
  let maker: number

  before(async () => {
    service = await startService({ schemas })
    browser = await startBrowser()
    await inviteAda(service)
    token = (await newApiToken(service, ['content:read', 'content:write', 'admin:users:read'])).token
    maker = await create('maker', { name: 'Ada' })
    const item = { title: hostile, stock: 5, price: '9.50', onSale: true, kind: 'light-green', maker }
    wanted = await create('shop-item', {
      ...item,
      size: { width: 3 },
      parts: [{ __component: 'shop.size', width: 1 }],
    })
    const others = [
      { title: 'Another' },
      { stock: 40 },
      { price: '99' },
      { onSale: false },
      { kind: 'red' },
      { maker: null },
    ]
    for (const other of others) await create('shop-item', { ...item, ...other })
    assert.equal((await service.admin.put('/api/content/home', { headline: 'Welcome' })).status, 201)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function create(name: string, data: object): Promise<number> {
    const { status, body } = await service.admin.post(`/api/content/${name}`, data)
    assert.equal(status, 201, JSON.stringify(body))
    return body.data.id
  }

  async function openDialog(page: Page, menu: string) {
    await page.getByRole('button', { name: menu, exact: true }).click()
    await page.getByRole('menuitem', { name: 'As a request…' }).click()
    await page.getByRole('dialog', { name: 'As a request' }).waitFor()
  }

  /** The text of each tab of the dialog at an address. */
  async function requestsAt(path: string, menu: string) {
    const panel = await openPage(browser, service)
    await panel.signIn()
    await panel.goto(`/admin/content/${path}`)
    await openDialog(panel.page, menu)
    const texts: string[] = []
    for (const name of ['curl', 'Typed client', 'GraphQL']) {
      await panel.page.getByRole('tab', { name }).click()
      texts.push(await panel.page.getByRole('tabpanel', { name }).locator('pre, p').first().innerText())
    }
    await panel.close()
    for (const text of texts) assert.equal(text.includes('eyJ'), false, 'no token is shown')
    const [curl = '', client = '', graphql = ''] = texts
    return { curl, client, graphql }
  }

  async function runCurl(command: string) {
    const env = { PATH: process.env.PATH, MORTISE_TOKEN: token }
    const { stdout } = await run('bash', ['-c', command.replace(/^curl /, 'curl -s ')], { env })
    const { data, error } = JSON.parse(stdout)
    assert.equal(error, undefined, stdout)
    return data
  }

  /** Runs a program whose last line reads `data` or `entry`. */
  async function runClient(program: string) {
    const result = /^const \{ data/m.test(program) ? 'data' : 'entry'
    const { code } = await transform(program, { loader: 'ts' })
    const body = code.replace(/^import .*$/gm, '')
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor
    const read = new AsyncFunction('createClient', 'process', `${body}; return ${result}`)
    return read(createClient, { env: { MORTISE_TOKEN: token } })
  }

  async function runGraphql(query: string) {
    const graphql = createClient({ url: service.url, token }).graphql
    const [page] = Object.values(await graphql<Record<string, { data: unknown }>>(query))
    return page?.data
  }

  const idsOf = (data: unknown) => (data as { id: number }[]).map(({ id }) => id)

  it('ask for what a list shows, whatever the values are', async () => {
    const filters = [
      `title:eq:${encodeURIComponent(hostile)}`,
      ...['stock:lt:10', 'price:lte:9.5', 'onSale:eq:true', 'kind:in:light-green,blue', `maker:in:${maker}`],
      ...['maker.name:startsWithi:ad', 'photo:null', 'id:gte:1'],
    ]
    const query = new URLSearchParams([...filters.map((f): [string, string] => ['f', f])])
    for (const [name, value] of [
      ['sort', 'stock:asc'],
      ['state', 'draft'],
      ['cols', 'title,maker,photo,kind,_publication'],
    ])
      query.set(name ?? '', value ?? '')
    const { curl, client, graphql } = await requestsAt(`shop-item?${query}`, 'More')
    assert.deepEqual(idsOf(await runCurl(curl)), [wanted], curl)
    assert.deepEqual(idsOf(await runClient(client)), [wanted], client)
    const rows = (await runGraphql(graphql)) as { id: number; title: string; maker: { id: number } }[]
    assert.deepEqual(
      rows.map(({ id, title, maker }) => [id, title, maker.id]),
      [[wanted, hostile, maker]],
      graphql,
    )
    assert.match(client, /stock: \{ \$lt: 10 \}/)
  })

  it('say what GraphQL cannot be asked for', async () => {
    const { curl, graphql } = await requestsAt('shop-item?state=changed&sort=created_by:asc', 'More')
    assert.deepEqual(await runCurl(curl), [])
    assert.match(graphql, /GraphQL cannot be asked for this: created_by, has_draft/)
  })

  it('ask for an entry with its draft, and for that of a single type', async () => {
    const entry = await requestsAt(`shop-item/${wanted}`, 'More actions')
    for (const data of [
      await runCurl(entry.curl),
      await runClient(entry.client),
      await runGraphql(entry.graphql),
    ])
      assert.deepEqual([data.id, data.title], [wanted, hostile])
    const home = await requestsAt('home', 'More actions')
    for (const data of [
      await runCurl(home.curl),
      await runClient(home.client),
      await runGraphql(home.graphql),
    ])
      assert.equal(data.headline, 'Welcome')
  })

  it('are accessible, in light and dark, wide and narrow', async () => {
    await lookAt(browser, service, {
      name: 'requests',
      path: '/admin/content/shop-item?sort=stock:asc&f=title:containsi:brien&f=stock:lt:10',
      async ready(page) {
        await openDialog(page, 'More')
        await page.getByRole('tab', { name: 'Typed client' }).click()
        await page.getByText('createClient<ContentTypes>').waitFor()
      },
    })
  })
})
