import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { pointText } from '../../../core-plugins/panel/admin-panel/app/content/schema/point-text.ts'
import { withDegrees } from '../../../core-plugins/panel/admin-panel/app/content/schema/points.ts'
import { startService, type TestService } from '../../support/service.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { inviteAda, openPage } from '../browser/panel-page.ts'

const schemas = {
  'shop.json': {
    kind: 'collectionType',
    info: { singularName: 'shop', pluralName: 'shops', displayName: 'Shop' },
    attributes: { name: { type: 'string' }, place: { type: 'point' } },
  },
}

describe('a point that is entered', () => {
  it('is there as long as one of its numbers is', () => {
    const half = withDegrees(null, 'lat', 47)
    assert.deepEqual(half, { lat: 47, lng: null })
    assert.deepEqual(withDegrees(half, 'lng', '8'), { lat: 47, lng: '8' })
    assert.equal(withDegrees(half, 'lat', null), null)
    assert.equal(pointText({ lat: 47.5, lng: -8 }), '47.5, -8')
    assert.equal(pointText(null), '')
  })
})

describe('points in the panel', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser

  before(async () => {
    ;[service, browser] = await Promise.all([startService({ schemas }), startBrowser()])
    await inviteAda(service)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('are two numbers with labels', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    panel.expect(/400/)
    await panel.signIn()
    await panel.goto('/admin/content/shop/new')
    await page.getByLabel('Name').fill('Here')
    const place = page.getByRole('group', { name: 'Place' })
    await place.getByLabel('Latitude').fill('47,3769')
    await page.keyboard.press('ControlOrMeta+s')
    await place.getByText('must be {').waitFor()
    await place.getByLabel('Longitude').fill('-8.5')
    await panel.assertAccessible()
    await page.keyboard.press('ControlOrMeta+s')
    await page.waitForURL(/\/content\/shop\/\d+$/)
    const { body } = await service.admin.get('/api/content/shop')
    assert.deepEqual(body.data[0].place, { lat: 47.3769, lng: -8.5 })
    await panel.close()
  })
})
