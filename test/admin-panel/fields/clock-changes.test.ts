import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { clockChangeAt } from '../../../core-plugins/panel/admin-panel/app/ground/i18n/clock-change.ts'
import {
  inputOf,
  isNearClockChange,
  localText,
  minuteText,
  momentOf,
  withInput,
} from '../../../core-plugins/panel/admin-panel/app/ground/i18n/local-time.ts'
import { startService, type TestService } from '../../support/service.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { tabTo } from '../browser/keyboard.ts'
import { inviteAda, openPage, type PageOptions, type PanelPage } from '../browser/panel-page.ts'
import { waitInPage } from '../browser/wait-in-page.ts'

/** Zones that change by an hour, by half of one, and at midnight. */
const changes = [
  {
    zone: 'Europe/Berlin',
    skipped: ['2027-03-28T02:30', '2027-03-28T03:30', '2027-03-28T01:30:00.000Z'],
    repeated: ['2027-10-31T02:30', '2027-10-31T00:30:00.000Z', '+01:00', '2027-10-31T01:30:00.000Z'],
  },
  {
    zone: 'Australia/Lord_Howe',
    skipped: ['2026-10-04T02:15', '2026-10-04T02:45', '2026-10-03T15:45:00.000Z'],
    repeated: ['2026-04-05T01:45', '2026-04-04T14:45:00.000Z', '+10:30', '2026-04-04T15:15:00.000Z'],
  },
  {
    zone: 'America/Santiago',
    skipped: ['2026-09-06T00:30', '2026-09-06T01:30', '2026-09-06T04:30:00.000Z'],
    repeated: ['2026-04-04T23:30', '2026-04-05T02:30:00.000Z', '-04:00', '2026-04-05T03:30:00.000Z'],
  },
  {
    zone: 'Asia/Beirut',
    skipped: ['2026-03-29T00:15', '2026-03-29T01:15', '2026-03-28T22:15:00.000Z'],
    repeated: ['2026-10-24T23:15', '2026-10-24T20:15:00.000Z', '+02:00', '2026-10-24T21:15:00.000Z'],
  },
] as const

describe('a local time around a change of clocks', () => {
  const zoneBefore = process.env.TZ
  afterEach(() => {
    if (zoneBefore === undefined) delete process.env.TZ
    else process.env.TZ = zoneBefore
  })

  for (const { zone, skipped, repeated } of changes) {
    it(`is the moment that is said, in ${zone}`, () => {
      process.env.TZ = zone
      const [none, taken, moment] = skipped
      assert.deepEqual(clockChangeAt(none, zone), { kind: 'skipped' })
      assert.equal(momentOf(none)?.toISOString(), moment)
      assert.equal(localText(new Date(moment)), taken)
      assert.equal(clockChangeAt(taken, zone), undefined)

      const [twice, first, offset, second] = repeated
      const dates = { first: new Date(first), second: new Date(second) }
      assert.deepEqual(clockChangeAt(twice, zone), { kind: 'repeated', ...dates })
      assert.equal(localText(dates.first), twice)
      assert.equal(localText(dates.second), twice + offset)
      assert.equal(momentOf(twice)?.toISOString(), first)
      assert.equal(momentOf(twice + offset)?.toISOString(), second)
      assert.equal(inputOf(twice + offset), twice)
      for (const text of [none, twice, twice + offset]) {
        assert.ok(isNearClockChange(momentOf(text) as Date), text)
      }
    })
  }

  it('is that of one moment on all other days, whatever is asked', () => {
    process.env.TZ = 'Europe/Berlin'
    const usual = '2027-06-01T02:30'
    assert.equal(clockChangeAt(usual, 'Europe/Berlin'), undefined)
    assert.equal(isNearClockChange(momentOf(usual) as Date), false)
    assert.equal(localText(new Date('2027-06-01T00:30:15.250Z')), '2027-06-01T02:30:15.250')
    assert.equal(minuteText(new Date('2027-10-31T01:30:15Z')), '2027-10-31T02:30+01:00')
    for (const none of ['', 'soon', '2027-02-31T02:30', '2027-10-31T25:00']) {
      assert.equal(clockChangeAt(none, 'Europe/Berlin'), undefined, none)
    }
    assert.equal(momentOf(''), undefined)
    assert.equal(momentOf('soon'), undefined)
  })

  it('stays the second one while it is typed, as long as there are two', () => {
    process.env.TZ = 'Europe/Berlin'
    const second = '2027-10-31T02:30+01:00'
    assert.equal(withInput(second, '2027-10-31T02:45'), '2027-10-31T02:45+01:00')
    assert.equal(withInput(second, '2027-10-31T03:30'), '2027-10-31T03:30')
    assert.equal(withInput(second, ''), '')
    assert.equal(withInput('2027-10-31T02:30', '2027-10-31T02:45'), '2027-10-31T02:45')
  })
})

const schemas = {
  'talk.json': {
    kind: 'collectionType',
    info: { singularName: 'talk', pluralName: 'talks', displayName: 'Talk' },
    options: { draftAndPublish: true },
    attributes: { title: { type: 'string' }, begin: { type: 'datetime' } },
  },
}

describe('changes of clocks in the panel', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser
  before(async () => {
    service = await startService({ schemas })
    browser = await startBrowser()
    await inviteAda(service)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function openTalk(begin: string | null, options: PageOptions = {}) {
    const { body } = await service.admin.post('/api/content/talk', { title: 'Clocks', begin })
    const panel = await openPage(browser, service, { timezoneId: 'Europe/Berlin', ...options })
    await panel.signIn()
    await panel.goto(`/admin/content/talk/${body.data.id}`)
    return { panel, page: panel.page, path: `/api/content/talk/${body.data.id}` }
  }

  const stored = async (path: string) => (await service.admin.get(path)).body.data

  const note = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true })

  async function save({ page }: PanelPage) {
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await page.keyboard.press('Control+s')
    assert.equal((await saved).status(), 200)
    await waitInPage(
      page,
      '![...document.querySelectorAll("button")].some((b) => b.textContent === "Save" && !b.disabled)',
    )
  }

  it('say which moment is meant by a time that does not exist', async () => {
    const { panel, page, path } = await openTalk(null)
    const field = page.getByLabel('begin')
    await field.fill('2027-03-28T02:30')
    await note(
      page,
      '02:30 does not exist on 28 March 2027 in Europe/Berlin, as clocks go forward; 03:30 is meant.',
    ).waitFor()
    assert.equal(await field.inputValue(), '2027-03-28T02:30')
    await panel.assertAccessible()
    await save(panel)
    assert.equal((await stored(path)).begin, '2027-03-28T01:30:00.000Z')
    await page.reload()
    await page.getByText('Time zone: Europe/Berlin, GMT+2').waitFor()
    assert.equal(await field.inputValue(), '2027-03-28T03:30')
    assert.equal(await page.getByText('does not exist').count(), 0)
    await panel.close()
  })

  it('let one take the second of two moments by keyboard, and show it again', async () => {
    const { panel, page, path } = await openTalk(null)
    const field = page.getByLabel('begin')
    await field.fill('2027-10-31T02:30')
    const start = '02:30 exists twice on 31 October 2027 in Europe/Berlin, as clocks go back; '
    await note(page, `${start}the first one is meant: Central European Summer Time (GMT+2).`).waitFor()
    await field.focus()
    const other = page.getByRole('button', { name: 'Take the second, GMT+1' })
    await tabTo(page, other)
    await page.keyboard.press('Enter')
    const isSecond = note(page, `${start}the second one is meant: Central European Standard Time (GMT+1).`)
    await isSecond.waitFor()
    await page.getByText('Time zone: Europe/Berlin, GMT+1').waitFor()
    await panel.assertAccessible()
    await save(panel)
    assert.equal((await stored(path)).begin, '2027-10-31T01:30:00.000Z')
    await page.reload()
    await isSecond.waitFor()
    assert.equal(await field.inputValue(), '2027-10-31T02:30')
    await page.getByRole('button', { name: 'Take the first, GMT+2' }).click()
    await save(panel)
    assert.equal((await stored(path)).begin, '2027-10-31T00:30:00.000Z')
    await panel.close()
  })

  it('are told in German, on a narrow and dark screen', async () => {
    const german = { locale: 'de-DE', width: 360, colorScheme: 'dark' } as const
    const { panel, page } = await openTalk('2027-10-31T01:30:00.000Z', german)
    await note(
      page,
      '02:30 Uhr gibt es am 31. Oktober 2027 in Europe/Berlin zweimal, da die Uhren zurückgestellt werden; ' +
        'gemeint ist das zweite Mal: Mitteleuropäische Normalzeit (GMT+1).',
    ).waitFor()
    await page.getByRole('button', { name: 'Das erste Mal nehmen, GMT+2' }).waitFor()
    await panel.assertAccessible()
    await panel.screenshot('clock-change')
    await page.getByLabel('begin').fill('2027-03-28T02:30')
    await note(
      page,
      '02:30 Uhr gibt es am 28. März 2027 in Europe/Berlin nicht, da die Uhren vorgestellt werden; gemeint ist 03:30 Uhr.',
    ).waitFor()
    await panel.close()
  })

  it('count for the time at which an entry becomes public', async () => {
    const { panel, page, path } = await openTalk(null)
    await page.getByRole('button', { name: 'Publish…', exact: true }).waitFor()
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Publish' })
    await dialog.getByRole('radio', { name: 'At a time' }).check()
    await dialog.getByLabel('Date and time').fill('2027-10-31T02:30')
    await dialog.getByRole('button', { name: 'Take the second, GMT+1' }).click()
    await dialog.getByRole('button', { name: /^Publish on/ }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.equal((await stored(path)).published_at, '2027-10-31T01:30:00.000Z')
    await panel.close()
  })
})
