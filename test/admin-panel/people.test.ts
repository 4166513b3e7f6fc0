import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import { createClient } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { inviteAda, lookAt, openPage } from './browser/panel-page.ts'

/** Looks like a tag: text stays text, wherever it is shown. */
const invited = { email: 'grace@example.com', username: '<i>Grace</i>', password: 'the password of Grace H.' }

describe('people in the panel', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser

  before(async () => {
    ;[service, browser] = await Promise.all([startService(), startBrowser()])
    await inviteAda(service)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  it('invites an admin user by a link that is handed over, who chooses a password', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    panel.expect(/409/)
    await panel.signIn()
    await panel.goto('/admin/people')
    await page.waitForURL('**/admin/people/admins')
    await button(page, 'Invite').click()
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByLabel('Username').fill(invited.username)
    await panel.assertAccessible()
    await panel.screenshot('people-invite')
    await button(page, 'Send invitation').click()
    await page.getByText('is already taken').waitFor()
    await page.getByLabel('E-mail address').fill(invited.email)
    await button(page, 'Send invitation').click()
    await page.getByRole('heading', { name: 'Hand over this link' }).waitFor()
    await panel.assertAccessible()
    await panel.screenshot('people-link')
    const link = (await page.locator('code').textContent()) ?? ''
    assert.ok(link.startsWith(`${service.url}/admin/sign-in#invitation=`), link)
    await button(page, 'Done').click()
    await page.getByRole('row', { name: invited.username }).getByText('Invited').waitFor()
    await panel.close()
    await acceptInvitation(link)
  })

  /** Signs in at the end; the link is worth nothing afterwards, and not in the address any more. */
  async function acceptInvitation(link: string) {
    const panel = await openPage(browser, service, { width: 360 })
    const { page } = panel
    panel.expect(/400/)
    await panel.goto(link.slice(service.url.length))
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    assert.equal(page.url(), `${service.url}/admin/sign-in`)
    await panel.assertAccessible()
    await panel.screenshot('invitation')
    await page.getByLabel('New password').fill(invited.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await panel.context.clearCookies()
    await panel.goto('/admin/sign-in')
    // Only the fragment changes: the page that stands there takes the link, too.
    await page.evaluate(`location.hash = ${JSON.stringify(new URL(link).hash)}`)
    await page.getByLabel('New password').fill(invited.password)
    await page.keyboard.press('Enter')
    await page.getByText('This link has expired or was used already.').waitFor()
    await panel.close()
  }

  it('says that no mail is sent to those who have forgotten their password', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    panel.expect(/409|preload/)
    await panel.goto('/admin/sign-in')
    await page.getByLabel('E-mail or username').fill(invited.email)
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    assert.equal(await page.getByLabel('E-mail address').inputValue(), invited.email)
    await panel.assertAccessible()
    await panel.screenshot('forgot-password')
    await page.keyboard.press('Enter')
    await page.getByText('This service sends no mail.').waitFor()
    await page.getByRole('button', { name: 'Back to signing in' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await panel.close()
  })

  it('makes a role, and says by types and actions what it may do', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin/people/roles')
    await button(page, 'New role').click()
    await page.getByLabel('Name').fill('reviewer')
    await button(page, 'Create role').click()
    await page.getByRole('heading', { name: 'reviewer' }).waitFor()
    const cell = (name: string) => page.getByRole('checkbox', { name, exact: true })
    await page.getByText('Every other type: Read').or(cell('Every other type: Read')).first().waitFor()
    await tick(page, 'Every other type: Read')
    assert.ok(await cell('Article: Read').isChecked(), 'what every other type may counts for articles')
    await tick(page, 'Article: Change')
    await button(page, 'Article: as every other type').waitFor()
    await tick(page, 'See files')
    await button(page, 'Save').click()
    await page.getByText('reviewer is saved.').waitFor()
    const role = await roleNamed('reviewer')
    const nothing = { read: false, create: false, update: false, delete: false, publish: false }
    assert.deepEqual(role.permissions, {
      content: { '*': { ...nothing, read: true }, article: { ...nothing, read: true, update: true } },
      media: { read: true, write: false, delete: false },
    })
    await button(page, 'Article: as every other type').click()
    await button(page, 'Save').click()
    await page.getByText('As every other').first().waitFor()
    await newUser(service, 'reviewer')
    await panel.goto(`/admin/people/roles/${role.id}`)
    await page.getByRole('link', { name: '1 content user' }).click()
    await page.waitForURL('**/people/users?role=reviewer')
    await page.getByRole('cell', { name: 'reviewer' }).first().waitFor()
    await panel.goto(`/admin/people/roles/${(await roleNamed('super-admin')).id}`)
    await page.getByText('This role may do everything and cannot be changed.').waitFor()
    assert.ok(await cell('Article: Read').isDisabled())
    await panel.close()
  })

  /** Boxes are drawn over the inputs. */
  const tick = (page: Page, name: string) =>
    page.getByRole('checkbox', { name, exact: true }).click({ force: true })

  async function roleNamed(name: string) {
    const { data } = expectStatus(await service.admin.get('/api/admin/roles'), 200).body
    return data.find((role: { name: string }) => role.name === name)
  }

  it('makes an API token for a type, shows it once, renews and revokes it', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin/people/tokens')
    await button(page, 'New token').first().click()
    await page.getByLabel('Name').fill('Website')
    await tick(page, 'Article: Read')
    await panel.assertAccessible()
    await panel.screenshot('people-token')
    await button(page, 'Create token').click()
    await page.getByRole('heading', { name: 'The token Website' }).waitFor()
    const first = (await page.locator('code').filter({ hasText: 'mor_' }).textContent()) ?? ''
    await button(page, 'Done').click()
    const status = async (value: string, type: string) =>
      (await createClient(service.url, value).get(`/api/content/${type}`)).status
    assert.deepEqual([await status(first, 'article'), await status(first, 'category')], [200, 403])
    const open = async (action: string) => {
      await page.getByRole('button', { name: 'Actions: Website' }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    const confirm = (action: string) => page.getByRole('dialog').getByRole('button', { name: action }).click()
    const issued = async () => {
      await page.getByRole('heading', { name: 'The token Website' }).waitFor()
      const value = (await page.locator('code').filter({ hasText: 'mor_' }).textContent()) ?? ''
      await button(page, 'Done').click()
      return value
    }
    await open('New value')
    await page.getByLabel('The present value works').selectOption('1 more hour')
    await page.getByLabel('Expires').selectOption('After 365 days')
    await panel.assertAccessible()
    await panel.screenshot('people-token-rotate')
    await confirm('New value')
    const second = await issued()
    assert.deepEqual([await status(first, 'article'), await status(second, 'article')], [200, 200])
    await page.getByText('1 former value works').waitFor()
    await page.getByRole('row', { name: 'Website' }).click()
    await page.getByText(/^Works until .* last used /).waitFor()
    await panel.assertAccessible()
    await panel.screenshot('people-token-former')
    await page.keyboard.press('Escape')

    await open('New value')
    await page.getByLabel('The present value works').selectOption('No longer')
    assert.equal(await page.getByLabel('Expires').count(), 0)
    await confirm('New value')
    const third = await issued()
    const statuses = () => Promise.all([first, second, third].map((value) => status(value, 'article')))
    assert.deepEqual(await statuses(), [401, 401, 200])
    await open('Revoke')
    await confirm('Revoke')
    await page.getByText('Website is revoked.').waitFor()
    assert.deepEqual(await statuses(), [401, 401, 401])
    await panel.close()
  })

  it('keeps the own profile, ends other sessions, and signs out everywhere', async () => {
    const account = await newAdmin(service, 'editor')
    const panel = await openPage(browser, service)
    const { page } = panel
    panel.expect(/400|401/)
    await panel.signIn({ identifier: account.email, password: account.password })
    await panel.goto('/admin')
    await button(page, account.username).click()
    await page.getByRole('menuitem', { name: 'My profile' }).click()
    await page.getByLabel('Username').fill('edith')
    await button(page, 'Save').click()
    await button(page, 'edith').waitFor()
    await page.getByLabel('E-mail address').fill('edith@example.com')
    await page.getByLabel('Your password').fill('not it')
    await button(page, 'Save').click()
    await page.getByText('is not your password').waitFor()
    await page.getByLabel('Your password').fill(account.password)
    await button(page, 'Save').click()
    await page.getByLabel('Your password').waitFor({ state: 'detached' })

    const told = page.locator('section', { hasText: 'No mail server is configured' })
    await told.getByLabel('You are mentioned').selectOption('At once')
    await told.getByLabel('To be taken on').selectOption('In the digest')
    await told.getByLabel('Digest', { exact: true }).selectOption('Every week')
    await told.getByLabel('Day of the week').selectOption('Friday')
    await told.getByLabel('Time zone').selectOption('Asia/Tokyo')
    await button(page, 'Save notifications').click()
    await page.getByText('Your notifications are saved.').waitFor()
    const saved = expectStatus(await account.client.get('/api/admin/notifications/preferences'), 200).body
      .data
    assert.deepEqual([saved.sections.mentioned, saved.sections.transitions], ['immediately', 'digest'])
    assert.deepEqual([saved.weekday, saved.timeZone, saved.language], [5, 'Asia/Tokyo', 'en'])

    await page.getByText('This session').waitFor()
    await page.getByRole('button', { name: /^End the session node/ }).click()
    await page.getByText('The session has ended.').waitFor()
    expectStatus(await account.client.get('/api/admin/auth/me'), 401)
    await page.getByLabel('Present password').fill(account.password)
    await page.getByLabel('New password').fill('the second password of Edith')
    await button(page, 'Change password').click()
    await page.getByText('Your password is changed.').waitFor()
    await button(page, 'End all others').click()
    await page.getByText('All other sessions have ended.').waitFor()
    await page.reload()
    await page.getByText('This session').waitFor()
    await button(page, 'Sign out everywhere').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.waitForURL('**/admin/sign-in*')
    await panel.close()
  })

  it('offers nobody more than their role has', async () => {
    const account = await newAdmin(service, 'admin')
    const editor = await newAdmin(service, 'editor')
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn({ identifier: account.email, password: account.password })
    await panel.goto('/admin/people/admins')
    await page.getByRole('button', { name: `Actions: ${editor.username}` }).waitFor()
    assert.equal(await button(page, 'Invite').count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Actions: ada' }).count(), 0)
    await page.getByRole('button', { name: `Actions: ${editor.username}` }).click()
    await page.getByRole('menuitem', { name: 'Block' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
    await page.getByText(`${editor.username} is blocked.`).waitFor()
    expectStatus(await editor.client.get('/api/admin/auth/me'), 401)
    await panel.close()
    const other = await openPage(browser, service)
    const writer = await newAdmin(service, 'editor')
    await other.signIn({ identifier: writer.email, password: writer.password })
    await other.goto('/admin/people/admins')
    await other.page.getByText('Your role does not include this').waitFor()
    await other.close()
  })

  it('looks right in light and dark, on desks and phones', async () => {
    const rotating = await newApiToken(
      service,
      ['content:read:article', 'media:read', 'content:drafts', 'admin:jobs:read'],
      { expiresAt: new Date(Date.now() + 5 * 86_400_000).toISOString() },
    )
    expectStatus(
      await service.admin.post(`/api/admin/api-tokens/${rotating.id}/rotate`, { graceMinutes: 600 }),
      200,
    )
    const role = await roleNamed('editor')
    const screens = [
      { name: 'people-admins', path: '/admin/people/admins', shown: 'ada@example.com' },
      { name: 'people-role', path: `/admin/people/roles/${role.id}`, shown: 'Every other type' },
      { name: 'people-tokens', path: '/admin/people/tokens', shown: 'content:drafts' },
      { name: 'profile', path: '/admin/profile', shown: 'This session' },
    ]
    for (const { shown, ...screen } of screens) {
      // Columns of little importance are there on phones, too, but not in sight.
      const ready = (page: Page) =>
        page.getByText(shown, { exact: true }).first().waitFor({ state: 'attached' })
      await lookAt(browser, service, { ...screen, ready })
    }
  })
})
