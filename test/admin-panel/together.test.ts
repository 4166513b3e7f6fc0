import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { expectStatus } from '../api/auth-callers.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { editorialSchemas } from './browser/editorial-schemas.ts'
import { ada, inviteAda, lookAt, openPage, type PanelPage } from './browser/panel-page.ts'

const titleIn = ({ page }: PanelPage) => page.getByRole('textbox', { name: 'Title' })

const ben = { identifier: 'ben.lee', password: 'the password of Ben L.' }

describe('working together in the panel', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser
  let benId: number

  before(async () => {
    service = await startService({ schemas: editorialSchemas })
    browser = await startBrowser()
    await inviteAda(service)
    const account = {
      email: 'ben@example.com',
      username: ben.identifier,
      password: ben.password,
      role: 'editor',
    }
    benId = expectStatus(await service.admin.post('/api/admin/auth/register', account), 201).body.data.id
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function newPage(): Promise<number> {
    const page = { title: 'A harbour', body: '<p>It is quiet.</p>' }
    return expectStatus(await service.admin.post('/api/content/page', page), 201).body.data.id
  }

  async function open(path: string, account = ada, options = {}) {
    const panel = await openPage(browser, service, options)
    await panel.signIn(account)
    await panel.goto(path)
    return panel
  }

  it('shows who else is in an entry and field, brings in what they save, and asks about conflicts', async () => {
    const path = `/admin/content/page/${await newPage()}`
    const adas = await open(path)
    const bens = await open(path, ben)
    await adas.page.getByRole('img', { name: 'ben.lee', exact: true }).waitFor()
    await titleIn(bens).focus()
    await adas.page.getByRole('img', { name: 'ben.lee is in this field' }).waitFor()
    await adas.page.getByRole('img', { name: 'ben.lee, in Title' }).waitFor()
    await adas.assertAccessible()
    await adas.screenshot('presence')

    await titleIn(bens).fill('A busy harbour')
    await bens.page.getByRole('button', { name: 'Save', exact: true }).click()
    await until(async () => (await titleIn(adas).inputValue()) === 'A busy harbour')

    await titleIn(adas).fill('The harbour of Ada')
    await titleIn(bens).fill('The harbour of Ben')
    await bens.page.getByRole('button', { name: 'Save', exact: true }).click()
    await bens.page.getByText('unsaved', { exact: false }).waitFor({ state: 'hidden' })
    await adas.page.keyboard.press('Control+s')
    adas.expect(/412/)
    const dialog = adas.page.getByRole('dialog')
    await dialog.getByText('The harbour of Ben').waitFor()
    await adas.screenshot('presence-conflict')
    await bens.close()
    await adas.page.getByRole('list', { name: 'Also here' }).waitFor({ state: 'detached' })
    await adas.close()
  })

  it('comments beside fields, mentions, answers, resolves and assigns; the inbox counts', async () => {
    const id = await newPage()
    const bens = await open('/admin', ben)
    const adas = await open(`/admin/content/page/${id}?panel=discussion`)
    const { page } = adas
    await page.getByLabel('New comment').fill('Is it really quiet?\n<b>No.</b>')
    await page.getByLabel('About').selectOption({ label: 'Title' })
    await page.getByRole('combobox', { name: 'Mention somebody' }).fill('ben')
    await page.getByRole('option', { name: 'ben.lee' }).click()
    await page
      .getByRole('button', { name: '@ben.lee' })
      .or(page.getByLabel('Do not mention ben.lee'))
      .waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('article').getByText('<b>No.</b>').waitFor()
    await page.getByRole('button', { name: '1 comment', exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Assign somebody' }).fill('ben')
    await page.getByRole('option', { name: 'ben.lee' }).click()
    await page.getByRole('button', { name: 'Remove ben.lee' }).waitFor()
    await adas.assertAccessible()
    await adas.screenshot('discussion')

    await bens.page.getByText('2 wait for you').waitFor()
    await bens.page.getByRole('link', { name: /^Inbox/ }).click()
    await bens.page.getByText('Is it really quiet?').waitFor()
    await bens.page.getByRole('link', { name: 'A harbour' }).first().click()
    await bens.page.getByRole('button', { name: 'Answer', exact: true }).click()
    await bens.page.getByLabel('Answer', { exact: true }).fill('It is.')
    await bens.page.getByRole('button', { name: 'Send', exact: true }).first().click()
    await page.getByText('It is.').waitFor()
    await page.getByRole('button', { name: 'Resolve', exact: true }).click()
    await page.getByRole('button', { name: 'Show 1 resolved' }).waitFor()
    await page.getByRole('button', { name: '1 comment', exact: true }).waitFor({ state: 'detached' })
    await bens.page.getByText('1 waits for you').waitFor()
    const { body } = await service.admin.get(`/api/content/page/${id}/assignments`)
    assert.equal(body.data[0].userId, benId)
    await bens.close()
    await adas.close()
  })

  it('keeps comments, answers and changes that were not sent, over other screens and a closed tab', async () => {
    const id = await newPage()
    const said = expectStatus(
      await service.admin.post(`/api/content/page/${id}/comments`, { body: 'Quiet?' }),
      201,
    )
    const address = `/admin/content/page/${id}?panel=discussion`
    const adas = await open(address)
    const { page } = adas
    await page.getByLabel('New comment').fill('Not sent yet')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.getByLabel('Answer', { exact: true }).fill('No answer yet')
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.close({ runBeforeUnload: false })

    const back = await adas.context.newPage()
    await back.goto(address)
    await back.getByLabel('New comment').waitFor()
    assert.equal(await back.getByLabel('New comment').inputValue(), 'Not sent yet')
    assert.equal(await back.getByLabel('Answer', { exact: true }).inputValue(), 'No answer yet')
    await back.getByRole('button', { name: 'Cancel' }).click()
    await back.getByRole('button', { name: 'Send', exact: true }).click()
    await back.getByRole('article').getByText('Not sent yet').waitFor()
    await back.reload()
    await back.getByLabel('New comment').waitFor()
    assert.equal(await back.getByLabel('New comment').inputValue(), '')
    assert.equal(await back.getByLabel('Answer', { exact: true }).count(), 0, 'what was cancelled is gone')
    assert.ok(said.body.data.id)
    await adas.close()
  })

  it('has an inbox, in light and dark, wide and narrow', async () => {
    const id = await newPage()
    const adaId = (await service.admin.get('/api/admin/people?search=ada')).body.data[0].id
    const comment = { body: 'Please look at this '.repeat(20), field: 'body', mentions: [adaId] }
    expectStatus(await service.admin.post(`/api/content/page/${id}/comments`, comment), 201)
    await lookAt(browser, service, {
      name: 'inbox',
      path: '/admin/inbox',
      ready: (page) => page.getByRole('heading', { name: /You are mentioned/ }).waitFor(),
    })
    const panel = await open('/admin/inbox')
    await panel.page.getByRole('button', { name: 'Done with A harbour' }).click()
    await panel.page.getByText('Nothing waits for you').waitFor()
    await panel.close()
  })
})
