import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startBrowser, withoutBrowser } from '../admin-panel/browser/browser.ts'
import { ada, inviteAda, lookAt, openPage, type PanelPage } from '../admin-panel/browser/panel-page.ts'
import { create, dataOf } from '../api/content-world.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const articles = {
  'article.json': {
    kind: 'collectionType',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    attributes: { title: { type: 'string', required: true }, views: { type: 'integer' } },
  },
}

/** A page that keeps its policy: `close` fails if it has violated it, left the origin or complained. */
describe('the playground in a browser', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser

  before(async () => {
    service = await startService({ schemas: articles })
    browser = await startBrowser()
    await inviteAda(service)
    await create(service.admin, 'article', { title: 'A clock', views: 3 })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const opened = async () => {
    const tab = await openPage(browser, service)
    await tab.signIn()
    await tab.goto('/api/graphql')
    await tab.page.getByRole('heading', { name: 'Mutation' }).waitFor()
    return tab
  }

  const enter = async (page: Page, editor: string, text: string) => {
    await page.getByRole('textbox', { name: editor }).focus()
    // `fill` has Chromium write styles into the text, which the policy of the page refuses.
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(text)
  }

  const answerOf = ({ page }: PanelPage) => page.getByLabel('Answer').innerText()

  const run = async (tab: PanelPage, expected: RegExp) => {
    await tab.page.keyboard.press('Control+Enter')
    await until(async () => expected.test(await answerOf(tab)), String(expected))
  }

  it('lets an administrator sign in, and read and write with the rights of the account', async () => {
    const tab = await openPage(browser, service)
    const { page } = tab
    await tab.goto('/api/graphql/sign-in')
    await page.getByLabel('E-mail or username').fill(ada.identifier)
    await page.getByLabel('Password').fill(ada.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Mutation' }).waitFor()

    await enter(page, 'Operation', '{ articles { data { title } } }')
    await run(tab, /"title": "A clock"/)
    await enter(
      page,
      'Operation',
      'mutation Add($title: String!) { createArticle(data: { title: $title }) { data { title } } }',
    )
    await enter(page, 'Variables', '{ "title": "A watch" }')
    await page.getByRole('textbox', { name: 'Operation' }).focus()
    await run(tab, /"createArticle".+"A watch"/s)
    await tab.close()
  })

  it('completes what the schema has, says what is wrong, and shows the schema', async () => {
    const tab = await opened()
    const { page } = tab
    await enter(page, 'Operation', '')
    await page.keyboard.type('{ arti')
    await page.getByRole('option', { name: 'articlesArticlePage' }).waitFor()
    await page.keyboard.press('Escape')
    await enter(page, 'Operation', '{ nothingOfThat }')
    await page.locator('.cm-lintRange-error').waitFor()

    await page.getByRole('searchbox', { name: 'Search the schema' }).fill('articles')
    await page.getByRole('button', { name: 'Query.articles', exact: true }).click()
    await page.getByRole('heading', { name: 'Query' }).waitFor()
    await page.getByText('rank:desc', { exact: true }).first().waitFor()
    await tab.close()
  })

  it('sends as nobody, and with headers of one’s own', async () => {
    const tab = await opened()
    const { page } = tab
    tab.expect(/status of 40[13]/)
    await page.getByLabel('As', { exact: true }).selectOption('nobody')
    await page.getByText('Query', { exact: true }).waitFor({ state: 'detached' })
    await enter(page, 'Operation', '{ articles { data { title } } }')
    await run(tab, /UNAUTHENTICATED|FORBIDDEN/)
    await page.getByRole('tab', { name: 'Headers' }).click()
    const { token } = dataOf(
      await service.post('/api/admin/auth/login', { identifier: ada.identifier, password: ada.password }),
    )
    await enter(page, 'Headers', JSON.stringify({ Authorization: `Bearer ${token}` }))
    await run(tab, /"title": "A clock"/)
    const kept = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')
    assert.ok(kept.includes('articles') && !kept.includes(String(token)), kept)
    await tab.close()
  })

  it('follows a subscription until it is stopped', async () => {
    const tab = await opened()
    const { page } = tab
    await enter(page, 'Operation', 'subscription { articleChanged { change entry { title } } }')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await until(async () => {
      await create(service.admin, 'article', { title: 'A sundial' })
      return (await answerOf(tab)).includes('A sundial')
    })
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Run' }).waitFor()
    await tab.close()
  })

  it('is accessible, in light and dark, wide and narrow', () =>
    lookAt(browser, service, {
      name: 'graphql-playground',
      path: '/api/graphql',
      async ready(page) {
        await enter(
          page,
          'Operation',
          '{\n  articles(limit: 2) {\n    data {\n      id\n      title\n    }\n  }\n}\n',
        )
        await page.keyboard.press('Control+Enter')
        await page.getByText(/^200 · /).waitFor()
      },
    }))
})
