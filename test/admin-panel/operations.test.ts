import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { Type } from 'typebox'
import { type Alerts, alertsService } from '../../core-plugins/background/alerts/alerts.ts'
import { defineJob, type Jobs, jobKinds, jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { type Database, databaseService } from '../../core-plugins/foundation/database/database.ts'
import { definePlugin } from '../../kernel/index.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { inviteAda, openPage, type PanelPage } from './browser/panel-page.ts'

const editor = { identifier: 'eve', password: 'the password of Eve S.' }

let alerts: Alerts
let jobs: Jobs
let database: Database

let isLocked = true

/** Fails, and says why, until somebody has seen to it. */
const count = defineJob({
  name: 'alarm.count',
  payload: Type.Object({ shelf: Type.Integer() }),
  maxAttempts: 1,
  async run({ shelf }) {
    if (isLocked) throw new Error(`shelf ${shelf} is locked`)
    return { books: 12 }
  },
})

const alarm = definePlugin({
  name: 'alarm',
  description: 'Raises alerts',
  uses: { alerts: alertsService, jobs: jobsService, database: databaseService },
  async init({ services, contribute }) {
    ;({ alerts, jobs, database } = services)
    contribute(jobKinds, count)
  },
})

const dusk = {
  ...{ name: 'dusk', displayName: 'Dusk', description: 'Late light.', version: '2.0.0' },
  ...{ kind: 'theme', engines: { mortise: '*' } },
  tokens: { color: { primary: '#7a1f5c' }, dark: { color: { primary: '#f0a6d6', onPrimary: '#33001f' } } },
}

const shelf = {
  kind: 'collectionType',
  info: { singularName: 'shelf', pluralName: 'shelves', displayName: 'Shelf' },
  attributes: { name: { type: 'string' } },
}

const options = {
  schemas: { 'shelf.json': shelf },
  plugins: [alarm],
  files: { 'themes/dusk/theme.json': JSON.stringify(dusk) },
  env: { SVC_PLUGINS_DISABLED: 'social-login', SVC_WEBHOOKS_RETRY_DELAYS: '[10]' },
}

describe('the operations of the panel', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser
  before(async () => {
    ;[service, browser] = await Promise.all([startService(options), startBrowser()])
    await inviteAda(service)
    const { identifier: username, password } = editor
    const account = { email: 'eve@example.com', username, password, role: 'editor' }
    assert.equal((await service.admin.post('/api/admin/auth/register', account)).status, 201)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('lead to the first section, are named in their navigation, and refuse who may not open them', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin')
    await page.getByRole('link', { name: 'Operations' }).click()
    await page.waitForURL('**/admin/operations/alerts')
    const sections = page.getByRole('navigation', { name: 'Operations' })
    const current = sections.getByRole('link', { name: 'Alerts', exact: true })
    assert.equal(await current.getAttribute('aria-current'), 'page')
    await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor()
    await panel.goto('/admin/operations/nothing')
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('alerts')
    await page.getByRole('menuitem', { name: /Alerts/ }).waitFor()
    await panel.close()

    const other = await openPage(browser, service)
    await other.signIn(editor)
    await other.goto('/admin/operations/alerts')
    await other.page.getByRole('heading', { name: 'Not allowed' }).waitFor()
    assert.equal(await other.page.getByRole('link', { name: 'Operations' }).count(), 0)
    await other.close()
  })

  it('show alerts by pages that the address knows, and let them be resolved', async () => {
    for (let number = 1; number <= 27; number++) {
      const message = `Shelf ${number} is empty: fill it <b>soon</b>`
      await alerts.raise({ kind: 'alarm_shelf', severity: 'warning', message, subject: String(number) })
    }
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin/operations/alerts')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('26–27 of 27').waitFor()
    assert.match(page.url(), /offset=25/)
    await page.getByRole('button', { name: /^Shelf 1 is/ }).click()
    const drawer = page.getByRole('dialog', { name: /Shelf 1 is empty: fill it <b>soon/ })
    await drawer.getByText('alarm_shelf').waitFor()
    await panel.assertAccessible()
    await panel.screenshot('operations-alert')
    await page.reload()
    await drawer.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('The alert is resolved.').waitFor()
    await drawer.getByText('Resolved', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await page.getByLabel('State').selectOption('Open')
    await page.getByText('1–25 of 26').waitFor()
    await panel.goto('/admin/operations/alerts?offset=900&status=resolved')
    await page.getByText('There is nothing more here').waitFor()
    await page.getByRole('button', { name: 'Back to the beginning' }).click()
    await page.getByText('1–1 of 1').waitFor()
    await panel.close()
  })

  it('follow jobs, and change when they run by themselves', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin/operations/schedules')
    await page.getByRole('button', { name: 'backup.cleanup', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'backup.cleanup' })
    await drawer.getByLabel('Cron expression').fill('nonsense')
    await drawer.getByRole('button', { name: 'Save times' }).click()
    await drawer.getByLabel('Cron expression').and(page.locator('[aria-invalid]')).waitFor()
    await panel.assertAccessible()
    await drawer.getByLabel('Cron expression').fill('30 4 * * 1')
    await drawer.getByRole('button', { name: 'Save times' }).click()
    await drawer.getByText('30 4 * * 1', { exact: true }).waitFor()
    await drawer.getByRole('button', { name: 'Run now' }).click()
    await page.getByText('The job has been queued.').waitFor()
    await panel.goto('/admin/operations/jobs?name=backup.cleanup')
    // Once each hour, it has run by its schedule as well.
    await page.getByRole('button', { name: 'backup.cleanup', exact: true }).first().click()
    await page
      .getByRole('dialog', { name: /backup.cleanup/ })
      .getByText('1 of')
      .waitFor()
    panel.expect(/400/)
    await panel.close()
  })

  it('set webhooks up and try them', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    const receiver = await listen()
    try {
      await panel.signIn()
      await panel.goto('/admin/operations/webhooks')
      await page.getByText('No webhooks yet').waitFor()
      await page.getByRole('link', { name: 'New webhook' }).click()
      await page.getByLabel('Name').fill('Search index')
      await page.getByLabel('Address').fill('ftp://example.com')
      await page.getByLabel('entry.create').check({ force: true })
      await page.getByRole('button', { name: 'Make a secret' }).click()
      assert.match(await page.getByLabel('Secret', { exact: true }).inputValue(), /^[0-9a-f]{64}$/)
      await page.getByRole('button', { name: 'Create webhook' }).click()
      await page.getByText('must begin with http:// or https://').waitFor()
      await panel.assertAccessible()
      await page.getByLabel('Address').fill(receiver.url)
      await page.getByRole('button', { name: 'Create webhook' }).click()
      await page.getByRole('heading', { name: 'Search index' }).waitFor()
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByText(/The test was delivered: 204 after/).waitFor()
      assert.match(receiver.signatures[0] ?? '', /[0-9a-f]{64}/)
      await panel.assertAccessible()
      await panel.screenshot('operations-webhook')
      await page.getByRole('link', { name: 'Edit' }).click()
      await page.getByText('A secret is set.').waitFor()
      assert.equal(await page.getByLabel('Secret', { exact: true }).inputValue(), '')
      await page.getByLabel('Headers').fill('no header')
      await page.getByText('Line 1 is not').waitFor()
      await page.getByLabel('Headers').fill('x-shelf: 4')
      await page.getByRole('button', { name: 'Save webhook' }).click()
      await page.getByText('The webhook has been saved.').waitFor()
      const { body } = await service.admin.get('/api/webhooks/1')
      assert.deepEqual([body.data.headers, body.data.hasSecret], [{ 'x-shelf': '4' }, true])
    } finally {
      receiver.server.close()
    }
    panel.expect(/400/)
    await panel.close()
  })

  it('export the audit log as it is narrowed', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin/operations/audit?action=webhook.*')
    await page.getByText('1–3 of 3').waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'As CSV' }).click(),
    ])
    const text = (await (await download.createReadStream()).toArray()).join('')
    assert.match(text, /webhook\.create/)
    assert.equal(text.trim().split('\r\n').length, 4)
    await page.getByText('3 records exported.').waitFor()
    await panel.close()
  })

  it('run a failed job once more', async () => {
    await database.transaction((tx) => jobs.enqueue(tx, count, { shelf: 4 }))
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin/operations/jobs?name=alarm.count&status=failed')
    await page.getByRole('button', { name: 'alarm.count', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: /alarm.count/ })
    await drawer.getByText('shelf 4 is locked').waitFor()
    await panel.assertAccessible()
    await panel.screenshot('operations-failed-job')
    isLocked = false
    await drawer.getByRole('button', { name: 'Run again' }).click()
    await page.getByText('The job will run again.').waitFor()
    await drawer.getByText('Done', { exact: true }).waitFor()
    await drawer.getByText('books').waitFor()
    await panel.close()
  })

  it('send again what could not be delivered', async () => {
    // The one of the test above; nobody listens there any more.
    const { url, name } = (await service.admin.get('/api/webhooks/1')).body.data
    assert.equal((await service.admin.post('/api/content/shelf', { name: 'Poetry' })).status, 201)
    await until(async () => (await service.admin.get('/api/webhooks/dead-letter')).body.data.length === 1)
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin/operations/webhooks')
    await page.getByRole('link', { name: 'Dead letters' }).click()
    await page.getByText(name, { exact: true }).waitFor()
    await panel.assertAccessible()
    await panel.screenshot('operations-dead-letters')
    await page.getByRole('button', { name: 'entry.create', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: /entry.create/ })
    await drawer.getByText('the connection was refused').waitFor()
    await panel.assertAccessible()
    await panel.screenshot('operations-dead-letter')
    const reopened = await listen(Number(new URL(url).port))
    try {
      await drawer.getByRole('button', { name: 'Send again' }).click()
      await page.getByText('It is being sent again.').waitFor()
      await until(() => reopened.signatures.length === 1)
      await panel.goto('/admin/operations/webhooks/dead-letters')
      await page.getByText('No dead letters').waitFor()
      await panel.goto('/admin/operations/webhooks/1')
      await page.getByText('Sent again').waitFor()
    } finally {
      reopened.server.close()
    }
    await panel.close()
  })

  it('say which plugins are off and why, and let a theme be chosen by its samples', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin/operations/plugins')
    await page.getByText('HTTP server').waitFor()
    const off = page.getByRole('region', { name: 'Switched off' })
    await off.getByRole('button', { name: 'social-login' }).click()
    await page.getByRole('dialog', { name: 'social-login' }).getByText('Why it is off').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Part of Mortise' }).getByText('webhooks').first().waitFor()

    await panel.goto('/admin/operations/themes')
    await page.getByRole('img', { name: 'Dusk, in dark' }).waitFor()
    const inSample = '[aria-label="Dusk, in dark"] [data-sample]'
    const derived = `getComputedStyle(document.querySelector('${inSample}')).getPropertyValue('--primary-text')`
    assert.equal(await page.evaluate(`${derived}.trim()`), '#f0a6d6')
    const primary = 'getComputedStyle(document.documentElement).getPropertyValue("--color-primary").trim()'
    const before = await page.evaluate(primary)
    assert.notEqual(before, '#7a1f5c')
    await page.getByRole('button', { name: 'Use this theme: Dusk' }).click()
    await page.getByText('The panel now looks like this: Dusk').waitFor()
    await until(async () => (await page.evaluate(primary)) === '#7a1f5c')
    await page.getByRole('button', { name: 'Use this theme: The panel' }).click()
    await until(async () => (await page.evaluate(primary)) === before)
    await panel.close()
  })

  it('are accessible, in light and dark, wide and narrow', async () => {
    const sections = [
      ...['alerts', 'jobs', 'schedules', 'webhooks', 'webhooks/new', 'webhooks/1'],
      ...['audit', 'metrics', 'plugins', 'themes'],
    ]
    const panels = await Promise.all([
      openPage(browser, service),
      openPage(browser, service, { width: 360, colorScheme: 'dark' }),
    ])
    for (const panel of panels) {
      await panel.signIn()
      for (const section of sections) await look(panel, section)
      await panel.close()
    }
  })
})

async function look(panel: PanelPage, section: string) {
  const { page } = panel
  await panel.goto(`/admin/operations/${section}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  if (section === 'metrics') await page.getByText('As a table').click()
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.ok(Number(overflow) <= 0, `${section} is wider than the page`)
  await panel.assertAccessible()
  await panel.screenshot(`operations-${section.replaceAll('/', '-')}`)
}

/** Takes what webhooks send. */
async function listen(port = 0) {
  const signatures: string[] = []
  const server: Server = createServer((request, response) => {
    signatures.push(String(request.headers['x-webhook-signature'] ?? ''))
    request.resume().on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as { readonly port: number }
  return { server, signatures, url: `http://127.0.0.1:${address.port}/hook` }
}
