import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type DevelopedService, withDevelopedService } from '../support/developed-service.ts'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { inviteAda, lookAt, openPage } from './browser/panel-page.ts'

const schemas = {
  'author.json': {
    kind: 'collectionType',
    info: { singularName: 'author', pluralName: 'authors', displayName: 'Author' },
    attributes: {
      name: { type: 'string', required: true },
      articles: { type: 'relation', relation: 'oneToMany', target: 'article', mappedBy: 'author' },
    },
  },
  'article.json': {
    kind: 'collectionType',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article', description: 'A post.' },
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string', required: true, maxLength: 120 },
      kind: { type: 'enum', enum: ['news', 'event'] },
      body: { type: 'richtext', condition: { field: 'kind', operator: 'eq', value: 'news' } },
      author: { type: 'relation', relation: 'manyToOne', target: 'author', inversedBy: 'articles' },
      seo: { type: 'component', component: 'shared.seo' },
    },
  },
  'components/shared.seo.json': {
    uid: 'shared.seo',
    category: 'shared',
    info: { displayName: 'SEO' },
    attributes: { metaTitle: { type: 'string' } },
  },
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function addField(page: Page, name: string, type: string) {
  await button(page, 'Add field').click()
  const drawer = page.getByRole('dialog', { name: 'New field' })
  await drawer.getByLabel('Name *', { exact: true }).fill(name)
  await drawer.getByLabel('Type *', { exact: true }).selectOption(type)
  return drawer
}

describe('the model in the panel', { skip: withoutBrowser }, () => {
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

  it('is shown with its relations from both ends, in light and dark, wide and narrow', async () => {
    await lookAt(browser, service, {
      name: 'model-type',
      path: '/admin/model/types/article',
      async ready(page) {
        await page.getByText('Shown if kind is news').waitFor()
        await page.getByText('other side: author.articles').waitFor()
        await page.getByRole('link', { name: 'author.articles', exact: true }).waitFor()
      },
    })
  })

  it('is looked at only where schema files are not written, with its relations as a picture and in words', async () => {
    const fixed = await startService({ schemas, env: { SVC_SCHEMAS_WRITABLE: 'false' } })
    try {
      await inviteAda(fixed)
      const panel = await openPage(browser, fixed)
      const { page } = panel
      await panel.signIn()
      await panel.goto('/admin/model/types')
      await page.getByText('The model can be looked at here.').waitFor()
      await panel.screenshot('model-types')
      await page.getByRole('link', { name: /Article article/ }).click()
      await page.getByText('Shown if kind is news').waitFor()
      assert.equal(await page.getByRole('button', { name: /Add|Settings|Move|title/ }).count(), 0)
      await page.getByRole('link', { name: 'Diagram', exact: true }).click()
      await page.getByRole('link', { name: 'article.author', exact: true }).waitFor()
      await panel.assertAccessible()
      await panel.screenshot('model-diagram')
      await panel.close()
    } finally {
      await fixed.stop()
    }
  })

  it('is changed, checked and shown as a difference before it is saved', async () => {
    await lookAt(browser, service, {
      name: 'model-review',
      path: '/admin/model/types/article',
      async ready(page) {
        const drawer = await addField(page, 'editor', 'relation')
        await drawer.getByLabel('Leads to *').selectOption('author')
        await drawer.getByLabel('How many *').selectOption('manyToOne')
        await drawer.getByLabel('Name of the field in author').fill('edited')
        await drawer.getByRole('button', { name: 'Add field', exact: true }).click()
        await page.getByText('2 files are changed and not saved').waitFor()
        await button(page, 'body').click()
        await button(page, 'Remove').click()
        await button(page, 'body').waitFor({ state: 'detached' })
        await button(page, 'Review').click()
        await page.getByText('content_article.editor_id').first().waitFor()
        await page.getByText('content_article.body').waitFor()
        await page.getByText('"mappedBy": "editor"').waitFor()
      },
    })
  })

  it('says beside a field what would keep the service from starting, and goes on from what others have saved', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    const file = (path: string) => join(service.workingDirectory, 'schemas', path)
    const attributesIn = (path: string) => JSON.parse(readFileSync(file(path), 'utf8')).attributes
    panel.expect(/412 \(Precondition Failed\)/)
    await panel.signIn()
    await panel.goto('/admin/model/types/article')
    await button(page, 'kind').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByText('Moved to position 1 of 5').waitFor()
    const drawer = await addField(page, 'topic', 'enum')
    await page.keyboard.press('Escape')
    await drawer.getByRole('alert').filter({ hasText: 'Drop what you have entered?' }).waitFor()
    await panel.assertAccessible()
    await drawer.getByRole('button', { name: 'Keep writing' }).and(page.locator(':focus')).waitFor()
    await panel.screenshot('model-field-asked')
    await page.keyboard.press('Escape')
    await drawer.getByRole('alert').waitFor({ state: 'hidden' })
    await drawer.getByRole('button', { name: 'Close' }).click()
    await drawer.getByRole('button', { name: 'Keep writing' }).click()
    assert.equal(await drawer.getByLabel('Name *', { exact: true }).inputValue(), 'topic')
    await page.keyboard.press('Escape')
    await drawer.getByRole('button', { name: 'Drop it' }).click()
    await drawer.waitFor({ state: 'hidden' })
    await button(page, 'Add field').click()
    assert.equal(await drawer.getByLabel('Name *', { exact: true }).inputValue(), '', 'it was dropped')
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await addField(page, 'topic', 'enum')
    await panel.assertAccessible()
    await panel.screenshot('model-field')
    await drawer.getByRole('button', { name: 'Add field', exact: true }).click()
    await button(page, 'Review').click()
    await page.getByRole('heading', { name: '1 problem to mend before this can be saved' }).waitFor()
    assert.equal(await button(page, 'Save').isDisabled(), true)
    await page.getByRole('link', { name: /article\.json: attributes\.topic\.enum/ }).click()
    await page.getByText('is missing').waitFor()
    await page.reload()
    await button(page, 'topic').click()
    await page.getByLabel('Choices *').fill('sea\nland')
    await button(page, 'Apply').click()

    const author = schemas['author.json']
    const attributes = { ...author.attributes, born: { type: 'date' } }
    writeFileSync(file('author.json'), JSON.stringify({ ...author, attributes }))
    await button(page, 'Review').click()
    await page.getByText('content_article.topic').waitFor()
    await button(page, 'Save').click()
    await page.getByText('Files have changed meanwhile').waitFor()
    assert.equal('topic' in attributesIn('article.json'), false)
    await button(page, 'Save').click()
    await page.getByText('The files are saved').waitFor()
    assert.deepEqual(Object.keys(attributesIn('article.json'))[0], 'kind')
    assert.deepEqual(attributesIn('article.json').topic, { type: 'enum', enum: ['sea', 'land'] })
    assert.deepEqual(attributesIn('author.json').born, { type: 'date' })
    await panel.close()
  })
})

describe('a content type from the browser', { skip: withoutBrowser }, () => {
  it('is made, filled, and loses no value when a field is renamed', async () => {
    const browser = await startBrowser()
    try {
      await withDevelopedService({ schemas: {} }, (service) => makeFillAndRename(browser, service))
    } finally {
      await browser.close()
    }
  })
})

async function makeFillAndRename(browser: Browser, service: DevelopedService) {
  await inviteAda(service)
  const panel = await openPage(browser, service)
  const { page } = panel
  // While the service starts again, nobody answers.
  panel.expect(/Failed to load resource|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE/)
  await panel.signIn()
  await panel.goto('/admin/model/types')

  await button(page, 'New content type').click()
  await page.getByLabel('Name that people read *').fill('Blog post')
  await button(page, 'Create').click()
  await page.getByRole('heading', { name: 'Blog post' }).waitFor()
  const title = await addField(page, 'title', 'string')
  await title.getByLabel('Most characters').fill('80')
  await title.getByRole('button', { name: 'Add field', exact: true }).click()
  const rating = await addField(page, 'rating', 'integer')
  await rating.getByRole('button', { name: 'Add field', exact: true }).click()
  await button(page, 'Move rating up').click()
  await save(page)
  const { status, body } = await service.admin.post('/api/content/blog-post', { title: 'Kept', rating: 5 })
  assert.equal(status, 201, JSON.stringify(body))
  const file = JSON.parse(service.project.read('schemas/blog-post.json'))
  assert.deepEqual(Object.entries(file.attributes), [
    ['rating', { type: 'integer' }],
    ['title', { type: 'string', maxLength: 80 }],
  ])

  await page.getByRole('link', { name: /Blog post blog-post/ }).click()
  await button(page, 'title').click()
  await page.getByRole('dialog').getByLabel('Name *', { exact: true }).fill('headline')
  await page.getByText('The values of title are kept.').waitFor()
  await button(page, 'Apply').click()
  await save(page)
  const entry = await service.admin.get(`/api/content/blog-post/${body.data.id}`)
  assert.deepEqual([entry.body.data.headline, entry.body.data.title], ['Kept', undefined])
  await panel.close()
}

/** A service that is translated and started anew, on a machine that runs other tests beside it. */
const longestStartMs = 180_000

/** Saves the draft, and waits until the service has started again with it. */
async function save(page: Page) {
  await button(page, 'Review').click()
  await button(page, 'Save').click()
  await page.getByRole('heading', { name: 'Content types' }).waitFor()
  const waiting = page.getByText('The service starts again')
  await waiting.waitFor()
  await waiting.waitFor({ state: 'detached', timeout: longestStartMs })
  await page.getByText('The service has started with the files as they are').first().waitFor()
}
