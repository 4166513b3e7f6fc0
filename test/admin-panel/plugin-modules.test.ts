import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { newAdmin } from '../api/auth-callers.ts'
import { shownFiles } from '../docs/shown-files.ts'
import { createClient } from '../support/client.ts'
import { moduleProject, pluginFile } from '../support/plugin-file.ts'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { inviteAda, lookAt, openPage } from './browser/panel-page.ts'

const plugin = (name: string, file = './panel.tsx', more = '') =>
  pluginFile(`
export default kernel.definePlugin({
  name: '${name}',
  description: 'Adds to the panel',
  register({ contribute }) {
    contribute(extensions.panelModules, { file: '${file}' })
    ${more}
  },
})`)

const failingRoute = `contribute(http.routes, http.defineRoute({
  name: 'sound:words.read', method: 'GET', path: '/', summary: 'Words', access: 'open',
  handler() { throw new Error('no words') },
}))`

const withSettings = pluginFile(`
export default extensions.defineExtension({
  name: 'tuned',
  description: 'Has settings, and no form of its own for them',
  configSchema: {
    greeting: { type: 'string', label: 'Greeting', description: 'What it says', default: 'Hello' },
    times: { type: 'integer', label: 'Times', default: 2, min: 1, max: 5 },
    isLoud: { type: 'boolean', label: 'Loud', default: false },
    words: { type: 'string[]', label: 'Words', default: ['one'] },
    voice: { type: 'string', label: 'Voice', default: 'low', enum: ['low', 'high'] },
    notes: { type: 'json', label: 'Notes', default: {} },
  },
})`)

const sound = `
import { Page, Button, definePanelModule, defineTexts, useAccess } from 'mortise/panel'
import { useState } from 'react'
import classes from './page.module.css'
const t = defineTexts({ en: { times: '{count, plural, one {once} other {# times}}' } })
function Report() {
  const [count, setCount] = useState(0)
  return (
    <Page title="Report">
      <p className={classes.words}>Pressed {t('times', { count })} by {useAccess().user.username}</p>
      <Button onPress={() => setCount(count + 1)}>Press</Button>
    </Page>
  )
}
export default definePanelModule({
  pages: [
    { path: 'report', label: 'Report of words', icon: 'scroll-text', component: Report },
    { path: 'hidden', label: 'Hidden', mayShow: () => false, component: Report },
  ],
  widgets: [{ id: 'sound:words', title: 'Words', component: () => <p>Twelve words</p> }],
})`

const hostile = `
import { definePanelModule } from 'mortise/panel'
import { useEffect, useLayoutEffect, useState } from 'react'
const load = async () => { throw new Error('the column cannot be loaded') }
const widget = (what, component) => ({ id: 'hostile:' + what, title: 'It ' + what, component })
export default definePanelModule({
  columns: [{ id: 'hostile:column', label: 'Broken', load, cell: ({ value }) => value.missing }],
  entryActions: [{ id: 'hostile:action', label: 'Fail', run: () => { throw new Error('the action is broken') } }],
  listActions: [{ id: 'hostile:others', label: 'For other types', types: ['no-such'], run: () => undefined }],
  entryPanels: [{ id: 'hostile:panel', label: 'Hostile', component: () => { throw new Error('the panel is broken') } }],
  pages: [{ path: '', component: () => ({ a: 'page of nonsense' }) }],
  widgets: [
    widget('throws-nothing', () => { throw undefined }),
    widget('throws-a-bare-object', () => { throw Object.create(null) }),
    widget('throws-in-an-effect', () => { useEffect(() => { throw new Error('the effect is broken') }) }),
    widget('renders-endlessly', () => { const [count, set] = useState(0); set(count + 1); return count }),
    widget('loops', () => { const [count, set] = useState(0); useLayoutEffect(() => set(count + 1)); return count }),
    widget('returns-an-object', () => ({ a: 'text' })),
  ],
})`

const fragile = `
import { definePanelModule } from 'mortise/panel'
function Fragile() {
  if (globalThis.isMended !== true) throw new Error('the widget is broken')
  return <p>Mended</p>
}
export default definePanelModule({ widgets: [{ id: 'fragile:one', title: 'Fragile', component: Fragile }] })`

const shown = Object.entries(shownFiles('panel-plugins.md')).filter(([path]) => path.includes('/desk/'))

const files = {
  ...moduleProject,
  ...Object.fromEntries(shown),
  'plugins/tuned/plugin.ts': withSettings,
  'plugins/hostile/plugin.ts': plugin('hostile'),
  'plugins/hostile/panel.tsx': hostile,
  'plugins/sound/plugin.ts': plugin('sound', './panel.tsx', failingRoute),
  'plugins/sound/panel.tsx': sound,
  'plugins/sound/page.module.css': '.words { color: rgb(1, 2, 3) }',
  'plugins/fragile/plugin.ts': plugin('fragile'),
  'plugins/fragile/panel.tsx': fragile,
  'plugins/throwing/plugin.ts': plugin('throwing'),
  'plugins/throwing/panel.tsx': "throw new Error('it throws at import')",
  'plugins/unnamed/plugin.ts': plugin('unnamed'),
  'plugins/unnamed/panel.tsx':
    "export default { widgets: [{ id: 'sound:words', title: 'Mine', component: () => null }], panels: [] }",
  'plugins/garbled/plugin.ts': plugin('garbled'),
  'plugins/garbled/panel.tsx': "import { sql } from 'mortise/plugin'; export default <p>",
  'plugins/absent/plugin.ts': plugin('absent'),
  'plugins/outside/plugin.ts': plugin('outside', './../sound/panel.tsx'),
  'plugins/data/plugin.ts': plugin('data', './package.json'),
  'plugins/data/package.json': '{ "type": "module" }',
  'plugins/huge/plugin.ts': plugin('huge'),
  'plugins/huge/panel.tsx': `export default { words: '${'x'.repeat(5 * 1024 * 1024)}' }`,
}

const schemas = {
  'article.json': {
    kind: 'collectionType',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    attributes: {
      title: { type: 'string', required: true },
      body: { type: 'richtext' },
      stars: {
        ...{ type: 'integer', min: 1, max: 5 },
        pluginOptions: { panel: { widget: 'desk.stars' } },
      },
    },
    pluginOptions: { panel: { columns: ['title', 'stars', 'hostile:column'] } },
  },
}

describe('modules of plugins', () => {
  let service: TestService
  before(async () => {
    service = await startService({ files, schemas })
  })
  after(() => service.stop())

  const listed = async () => (await service.admin.get('/api/admin/panel')).body.data.modules

  it('are bundled with the one React of the panel, under names that tell what is in them', async () => {
    const modules = await listed()
    const { url, styles } = modules.find((each: { plugin: string }) => each.plugin === 'sound')
    assert.match(url, /^\/admin\/assets\/plugin-sound-[A-Z0-9]{8}\.js$/)
    const script = await fetch(service.url + url)
    assert.match(script.headers.get('cache-control') ?? '', /immutable/)
    const text = await script.text()
    const imported = [...text.matchAll(/from"([^"]+)"/g)].map(([, path]) => path ?? '')
    assert.deepEqual(imported.map((path) => path.replace(/-[A-Z0-9]{8}\.js$/, '')).sort(), [
      '/admin/assets/shared-mortise-panel',
      '/admin/assets/shared-react',
      '/admin/assets/shared-react-jsx-runtime',
    ])
    for (const path of imported) assert.equal((await fetch(service.url + path)).status, 200)
    assert.match(await (await fetch(service.url + styles)).text(), /^@layer plugins\{\.sound_page_words\{/)
    assert.deepEqual(await listed(), modules)
  })

  it('that cannot be bundled are listed with their problem, and counted as errors of their plugin', async () => {
    const garbled = (await listed()).find((each: { plugin: string }) => each.plugin === 'garbled')
    assert.deepEqual(garbled, {
      plugin: 'garbled',
      url: '',
      problem: 'it cannot be bundled; the log says why',
    })
    const alerts = (await service.admin.get('/api/admin/operational-alerts?limit=100')).body.data
    const kinds = alerts.map(({ kind, details }: { kind: string; details: { plugin: string } }) => [
      kind,
      details.plugin,
    ])
    assert.ok(JSON.stringify(kinds).includes('["plugin_error","garbled"]'), JSON.stringify(kinds))
  })

  it('switch their plugin off that are not there, no scripts, or not in its folder', () => {
    const reasons = {
      absent: /panel\.tsx does not exist/,
      data: /package\.json must be a script/,
      outside: /panel\.tsx is outside of .*outside, the folder of its plugin/,
    }
    for (const [plugin, reason] of Object.entries(reasons)) {
      const found = service.kernel.plugins().find(({ name }) => name === plugin)
      assert.equal(found?.active, false)
      assert.match(found?.reason ?? '', reason)
    }
  })

  it('that are huge are told, and sent to nobody', async () => {
    const huge = (await listed()).find((each: { plugin: string }) => each.plugin === 'huge')
    assert.deepEqual([huge.url, huge.problem], ['', 'it cannot be bundled; the log says why'])
    const alerts = (await service.admin.get('/api/admin/operational-alerts?limit=100')).body.data
    assert.match(JSON.stringify(alerts), /imports are 6 MB, and may be 5/)
  })

  it('are reported by admin users only, and in bounds', async () => {
    const path = '/api/admin/panel-errors'
    const error = { plugin: 'sound', where: 'widget sound:words', message: 'no words' }
    const { token } = await newAdmin(service, 'editor')
    const editor = createClient(service.url, token)
    assert.equal((await service.post(path, error)).status, 401)
    assert.equal((await editor.post(path, error)).status, 202)
    assert.equal((await editor.post(path, { ...error, plugin: 'no-such' })).status, 404)
    assert.equal((await editor.post(path, { ...error, message: 'x'.repeat(1_001) })).status, 400)
    const alerts = (await service.admin.get('/api/admin/operational-alerts?limit=100')).body.data
    assert.match(JSON.stringify(alerts), /widget sound:words \(in a browser\)/)
    const audited = (await service.admin.get('/api/admin/audit-logs?limit=100')).body.data
    assert.doesNotMatch(JSON.stringify(audited), /panel.error/)
    assert.equal((await service.get('/api/x/sound')).status, 500)
    const told = service.logLines.map(({ message }) => message ?? '')
    assert.equal(told.filter((line) => /of the plugin sound threw an error/.test(line)).length, 2)
  })

  describe('the panel with modules of plugins', { skip: withoutBrowser }, () => {
    let browser: Browser
    before(async () => {
      browser = await startBrowser()
      await inviteAda(service)
    })
    after(() => browser?.close())

    it('shows what is sound, and a box with a way to try again for what is not', async () => {
      const panel = await openPage(browser, service)
      const { page } = panel
      panel.expect(/error/)
      await panel.signIn()
      await panel.goto('/admin')
      await page.getByText('Twelve words').waitFor()
      await page.getByText('0 new articles').waitFor()
      await page.getByText('it throws at import').waitFor()
      await page.getByText(/id must be named unnamed:<what>; it has no part panels/).waitFor()
      assert.equal(await page.getByText('it cannot be bundled; the log says why').count(), 2)
      await panel.assertAccessible()
      await panel.screenshot('plugins-failed')
      const fragile = page.getByRole('region', { name: 'Fragile' })
      await fragile.getByText('the widget is broken').waitFor()
      await page.evaluate('globalThis.isMended = true')
      await fragile.getByRole('button', { name: 'Try again' }).click()
      await fragile.getByText('Mended').waitFor()
      const { body } = await service.admin.get('/api/admin/operational-alerts?limit=100')
      assert.match(JSON.stringify(body.data), /widget fragile:one \(in a browser\)/)
      await panel.close()
    })

    it('shows a page of a plugin, in its own styles and with hooks of React', async () => {
      const panel = await openPage(browser, service)
      const { page } = panel
      panel.expect(/error/)
      await panel.signIn()
      await panel.goto('/admin')
      assert.equal(await page.getByRole('link', { name: 'Hidden' }).count(), 0)
      await page.getByRole('link', { name: 'Report of words' }).click()
      await page.getByRole('heading', { name: 'Report' }).waitFor()
      await page.getByRole('button', { name: 'Press' }).click()
      await page.getByText('Pressed once by ada').waitFor()
      const colour = await page.evaluate("getComputedStyle(document.querySelector('main p')).color")
      assert.equal(colour, 'rgb(1, 2, 3)')
      await page.getByRole('link', { name: 'Newest articles' }).click()
      await page.getByText('There are no articles yet').waitFor()
      await panel.goto('/admin/x/sound/hidden')
      await page.getByRole('heading', { name: 'Not found' }).waitFor()
      await panel.close()
    })

    it('keeps every part that fails apart, whatever it throws or draws', async () => {
      const panel = await openPage(browser, service)
      const { page } = panel
      panel.expect(/error/)
      await panel.signIn()
      await panel.goto('/admin')
      const whatever = {
        'throws-nothing': 'undefined',
        'throws-a-bare-object': 'object',
        'throws-in-an-effect': 'the effect is broken',
        'renders-endlessly': /Minified React error/,
        loops: /Minified React error/,
        'returns-an-object': /Minified React error/,
      }
      for (const [what, problem] of Object.entries(whatever)) {
        const tile = page.getByRole('region', { name: `It ${what}` })
        await tile.getByText('The plugin hostile has failed here').waitFor()
        await tile.getByText(problem, typeof problem === 'string' ? { exact: true } : {}).waitFor()
      }
      await page.getByText('Twelve words').waitFor()
      await panel.goto('/admin/x/hostile')
      await page.getByText('The plugin hostile has failed here').waitFor()
      await panel.close()
    })

    it('has their inputs, panels and actions at an entry, each of which fails alone', async () => {
      const article = { title: 'Tide', body: '<p>It comes and goes.</p>', stars: 2 }
      const { id } = (await service.admin.post('/api/content/article', article)).body.data
      const panel = await openPage(browser, service)
      const { page } = panel
      panel.expect(/the panel is broken/)
      await panel.signIn()
      await panel.goto(`/admin/content/article/${id}?panel=hostile:panel`)
      await page.getByText('the panel is broken').waitFor()
      await page.getByRole('button', { name: 'Fail' }).click()
      await page.getByText('the action is broken').waitFor()
      await page.getByRole('button', { name: 'Words' }).click()
      await page.getByText('6 words').waitFor()
      await page.getByLabel('Title').fill('Tides')
      await page.getByText('unsaved').first().waitFor()
      await page.getByRole('button', { name: 'Recommend' }).click()
      // Read anew, and what was typed has stayed.
      await page.locator('select:has(option:checked:text-is("★★★★★"))').waitFor()
      assert.equal(await page.getByLabel('Title').inputValue(), 'Tides')
      const alerts = (await service.admin.get('/api/admin/operational-alerts?limit=100')).body.data
      assert.match(JSON.stringify(alerts), /"plugin":"hostile"/)
      await panel.close()
    })

    it('has their cells and actions in a list', async () => {
      const panel = await openPage(browser, service)
      const { page } = panel
      panel.expect(/reading 'missing'/)
      await panel.signIn()
      await panel.goto('/admin/content/article')
      const cell = page.getByTitle('5', { exact: true })
      await cell.waitFor()
      await page.getByText('failed', { exact: true }).waitFor()
      await panel.assertAccessible()
      await page.getByRole('checkbox', { name: /Tide/ }).press('Space')
      assert.equal(await page.getByRole('button', { name: 'For other types' }).count(), 0)
      await page.getByRole('button', { name: 'Remove stars' }).click()
      await cell.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Remove stars' }).waitFor({ state: 'detached' })
      await panel.screenshot('plugins-list')
      await panel.close()
    })

    it('has their settings beside those of the service', async () => {
      await lookAt(browser, service, {
        name: 'settings',
        path: '/admin/settings',
        ready: (page) => page.getByRole('link', { name: 'Tuned' }).waitFor(),
      })
    })

    it('makes a form of their settings, or shows the one that they have', async () => {
      const panel = await openPage(browser, service)
      const { page } = panel
      await panel.signIn()
      await panel.goto('/admin/settings')
      await page.getByRole('link', { name: 'Tuned' }).click()
      await page.getByLabel('Greeting').fill('Ahoy')
      await page.getByLabel('Times').fill('9')
      await page.getByText('Loud').click()
      await page.getByLabel('Words').fill('one\ntwo')
      await page.getByLabel('Voice').selectOption('high')
      await page.getByLabel('Notes').fill('{')
      panel.expect(/400/)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(/JSON/).waitFor()
      await page.getByLabel('Notes').fill('{"a":1}')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(/must be a whole number from 1 to 5/).waitFor()
      await panel.assertAccessible()
      await panel.screenshot('settings-form')
      await page.getByLabel('Times').fill('4')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('The settings are saved.').waitFor()
      await page.getByRole('button', { name: 'Greeting: back to the default' }).click()
      await page.getByLabel('Greeting').and(page.locator('[value=Hello]')).waitFor()
      const { body } = await service.admin.get('/api/admin/config')
      const values = body.data['plugins.tuned'].map(({ value }: { value: unknown }) => value)
      assert.deepEqual(values, ['Hello', true, { a: 1 }, 4, 'high', ['one', 'two']])
      await panel.goto('/admin/settings/plugins.desk')
      await page.getByText('The goal is 5 articles a week.').waitFor()
      await page.getByRole('button', { name: 'One more' }).click()
      await page.getByText('The goal is 6 articles a week.').waitFor()
      await panel.close()
    })
  })
})
