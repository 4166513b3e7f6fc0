import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { editorialSchemas } from '../browser/editorial-schemas.ts'
import { inviteAda, openPage } from '../browser/panel-page.ts'

const styled =
  '<h2 style="text-align: center">Tides</h2><p style="color: red">Low <span style="color:#00f">water</span></p>' +
  '<table style="width: 100%"><tbody><tr><td style="text-align:right">06:10</td></tr></tbody></table>'

describe('stored text with styles', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser

  before(async () => {
    ;[service, browser] = await Promise.all([startService({ schemas: editorialSchemas }), startBrowser()])
    await inviteAda(service)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('breaks no rule of the page when it is opened, changed or shown as HTML, and keeps its styles', async () => {
    const { body } = await service.admin.post('/api/content/page', { title: 'Tides', body: styled })
    const path = `/api/content/page/${body.data.id}`
    const bodyNow = async () => (await service.admin.get(path)).body.data.body
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto(`/admin/content/page/${body.data.id}`)
    const text = page.getByRole('textbox', { name: 'Body' })
    await text.getByText('06:10').waitFor()
    await text.getByRole('heading').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' of today')
    await text.getByRole('heading', { name: 'Tides of today' }).waitFor()
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText('Unsaved').waitFor({ state: 'hidden' })
    await until(async () => (await bodyNow()) !== styled)
    assert.equal(await bodyNow(), styled.replace('Tides', 'Tides of today'))
    await page.getByRole('button', { name: 'Edit the source' }).click()
    await page.getByText('text-align: center').first().waitFor()
    await panel.close()
  })
})
