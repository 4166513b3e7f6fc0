import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { localNumbers } from '../../../core-plugins/panel/admin-panel/app/content/schema/numbers.ts'
import { startService, type TestService } from '../../support/service.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { inviteAda, openPage } from '../browser/panel-page.ts'

const [english, german, swiss, french, indian] = ['en-GB', 'de-AT', 'de-CH', 'fr-FR', 'en-IN'].map(
  localNumbers,
)

describe('numbers that are typed', () => {
  it('are decimals with the sign of the locale, or another one', () => {
    for (const numbers of [english, german, swiss, french]) {
      assert.equal(numbers?.parseDecimal('1,5'), 1.5)
      assert.equal(numbers?.parseDecimal(' 1.5 '), 1.5)
      assert.equal(numbers?.parseDecimal('-,5'), -0.5)
      assert.equal(numbers?.parseDecimal('8,12345'), 8.12345)
      assert.equal(numbers?.parseDecimal('1.234,5'), 1234.5)
      assert.equal(numbers?.parseDecimal('1,234.50'), 1234.5)
      assert.equal(numbers?.parseDecimal('1.234.567'), 1234567)
      assert.equal(numbers?.parseDecimal(''), null)
    }
    assert.equal(swiss?.parseDecimal("1'234’567.5"), 1234567.5)
    assert.equal(french?.parseDecimal('1\u202f234\u00a0567,5'), 1234567.5)
    assert.equal(indian?.parseDecimal('12,34,567.5'), 1234567.5)
  })

  it('may be two numbers, and then are none until it is clear', () => {
    assert.deepEqual(german?.ambiguityOf('1.234'), { whole: '1234', fraction: '1,234' })
    assert.deepEqual(english?.ambiguityOf('-1,234'), { whole: '-1234', fraction: '-1.234' })
    for (const clear of [
      '1,234',
      '0.234',
      '1.5',
      '1.2345',
      '1.234,5',
      '1.234.567',
      '01.234',
      '.234',
      '1234.567',
      '',
    ]) {
      assert.equal(german?.ambiguityOf(clear), undefined, clear)
    }
    assert.equal(english?.ambiguityOf('1.234'), undefined)
    assert.equal(german?.parseDecimal('1,234'), 1.234)
  })

  it('are whole with groups as the locale writes them', () => {
    assert.equal(german?.parseInteger('1.234'), 1234)
    assert.equal(german?.parseInteger('1,234'), '1,234')
    assert.equal(english?.parseInteger('1,234,567'), 1234567)
    assert.equal(english?.parseInteger('1.0'), '1.0')
    assert.equal(swiss?.parseInteger('1’234'), 1234)
    assert.equal(english?.parseInteger('+007'), 7)
  })

  it('keep every digit', () => {
    assert.equal(german?.parseInteger('9.007.199.254.740.993'), '9007199254740993')
    assert.equal(german?.parseDecimal('12345678901234567890,10'), '12345678901234567890.10')
    assert.equal(german?.format('12345678901234567890.10'), '12345678901234567890,10')
    assert.equal(english?.format('12345678901234567890.10'), '12345678901234567890.10')
  })

  it('stay as typed when they are none', () => {
    for (const text of ['abc', '1e5', '1,2,3', '1.23.4', '1,2345,678.5', '1.5,5.5', '--1', '1 2']) {
      assert.equal(english?.parseDecimal(text), text)
      assert.equal(german?.format(text), text)
    }
  })
})

const schemas = {
  'fee.json': {
    kind: 'collectionType',
    info: { singularName: 'fee', pluralName: 'fees', displayName: 'Fee' },
    attributes: {
      name: { type: 'string' },
      amount: { type: 'decimal', max: 999_999.5 },
      places: { type: 'integer' },
      serial: { type: 'bigint' },
    },
  },
}

describe('numbers in the panel', { skip: withoutBrowser }, () => {
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

  it('are read and written as the editor does, and never become another one', async () => {
    const { body } = await service.admin.post('/api/content/fee', { name: 'Entry', amount: 2.5 })
    const stored = async () => (await service.admin.get(`/api/content/fee/${body.data.id}`)).body.data
    const panel = await openPage(browser, service, { locale: 'de-DE' })
    const { page } = panel
    await panel.signIn()
    await panel.goto(`/admin/content/fee/${body.data.id}`)
    const amount = page.getByLabel('Amount')
    const save = async () => {
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByText('Ungespeichert').waitFor({ state: 'hidden' })
    }
    assert.equal(await amount.inputValue(), '2,5')
    await page.getByText('höchstens 999999,5').waitFor()
    await amount.fill('1.234')
    await page.getByText('Das kann 1234 oder 1,234 sein').waitFor()
    await panel.assertAccessible()
    await panel.screenshot('ambiguous-number')
    await page.getByLabel('Places').fill('1.234')
    await page.getByLabel('Serial').fill('9.007.199.254.740.993')
    await save()
    const { amount: kept, places, serial } = await stored()
    assert.deepEqual([kept, places, serial], [2.5, 1234, '9007199254740993'])
    assert.equal(await amount.inputValue(), '1.234')

    await amount.fill('1.234,5')
    await page.getByText('Das kann').waitFor({ state: 'hidden' })
    await save()
    assert.equal((await stored()).amount, 1234.5)
    await page.reload()
    await amount.waitFor()
    assert.equal(await amount.inputValue(), '1234,5')
    await panel.close()
  })

  it('are compared with in filters as they are written', async () => {
    for (const amount of [1.5, 15])
      await service.admin.post('/api/content/fee', { name: `Costs ${amount}`, amount })
    const panel = await openPage(browser, service, { locale: 'de-DE' })
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin/content/fee')
    await page.getByRole('button', { name: 'Filtern', exact: true }).click()
    await page.getByLabel('Feld').selectOption({ label: 'Amount' })
    await page.getByLabel('Bedingung').selectOption({ label: 'ist genau' })
    await page.getByLabel('Wert').fill('1,5')
    await page
      .getByRole('button', { name: /Amount ist genau 1,5/ })
      .first()
      .waitFor()
    await page.getByRole('row', { name: 'Costs 15' }).waitFor({ state: 'hidden' })
    await page.getByRole('row', { name: 'Costs 1.5' }).waitFor()
    await page.getByLabel('Wert').fill('1.500')
    await page.getByText('Das kann 1500 oder 1,500 sein').waitFor()
    await panel.close()
  })
})
