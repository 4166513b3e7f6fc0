import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { startService, type TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { inviteAda, openPage } from '../browser/panel-page.ts'
import { pageSchemas } from './page-schemas.ts'

/** What Word writes for the items of its lists. */
const wordItem = (level: number, sign: string, text: string) =>
  `<p class=MsoListParagraph style='text-indent:-.25in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;
</span></span></span><![endif]>${text}<o:p></o:p></p>`

describe('pasting into rich text', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser
  let picture: Buffer

  before(async () => {
    ;[service, browser] = await Promise.all([startService({ schemas: pageSchemas }), startBrowser()])
    await inviteAda(service)
    picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function openForm() {
    const { body } = await service.admin.post('/api/content/page', { title: 'Page' })
    const panel = await openPage(browser, service)
    await panel.signIn()
    await panel.goto(`/admin/content/page/${body.data.id}`)
    const save = async (): Promise<string> => {
      await panel.page.keyboard.press('ControlOrMeta+s')
      await panel.page.getByText('Unsaved').waitFor({ state: 'hidden' })
      return (await service.admin.get(`/api/content/page/${body.data.id}`)).body.data.body
    }
    return { ...panel, save }
  }

  /** As a browser does when somebody presses the keys for it. */
  async function paste(page: Page, html: string, { rtf = '' } = {}) {
    const editor = page.getByRole('textbox', { name: 'Body' })
    await editor.click()
    await editor.evaluate(
      (element, { html, rtf }) => {
        const data = new (Reflect.get(globalThis, 'DataTransfer'))()
        data.setData('text/html', html)
        data.setData('text/plain', 'text')
        if (rtf !== '') data.setData('text/rtf', rtf)
        const ClipboardEvent = Reflect.get(globalThis, 'ClipboardEvent')
        element.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        )
      },
      { html, rtf },
    )
  }

  it('keeps tables, small letters and alignment, and breaks no rule of the page', async () => {
    const { page, save, close } = await openForm()
    await paste(
      page,
      `<p style="text-align:center;color:red">H<sub>2</sub>O and x<span style="vertical-align:super;font-size:60%">3</span></p>
      <table style="width:100%"><tbody><tr><td style="text-align:right"><span style="font-weight:700">A</span></td><td colspan="2">B</td></tr></tbody></table>
      <section>one</section><section>two</section>`,
    )
    assert.equal(
      await save(),
      '<p style="text-align: center">H<sub>2</sub>O and x<sup>3</sup></p><table><tbody><tr>' +
        '<td style="text-align: right"><strong>A</strong></td><td colspan="2">B</td></tr></tbody></table><p>one</p><p>two</p>',
    )
    await close()
  })

  it('makes lists of what word processors have in their place', async () => {
    const { page, save, close } = await openForm()
    const word = [wordItem(1, '·', 'One'), wordItem(2, 'o', 'Inner'), wordItem(1, '·', 'Two')]
    const numbers = [1, 2].map((number) => wordItem(1, `${number + 2}.`, `Step ${number}`))
    await paste(
      page,
      `${word.join('\n')}<p>between</p>${numbers.join('\n')}
      <ul><li aria-level="1"><p>Docs</p></li><ul><li aria-level="2"><p>deeper</p></li></ul></ul>`,
    )
    const stored = (await save()).replaceAll('</p>', '').replaceAll('<p>', '')
    assert.equal(
      stored,
      '<ul><li>One<ul><li>Inner</li></ul></li><li>Two</li></ul>between<ol start="3"><li>Step 1</li><li>Step 2</li></ol>' +
        '<ul><li>Docs<ul><li>deeper</li></ul></li></ul>',
    )
    await close()
  })

  it('uploads pictures that are in the text or beside it, and tells what it leaves out', async () => {
    const { page, save, close } = await openForm()
    const data = `data:image/png;base64,${picture.toString('base64')}`
    const rtf = `{\\rtf1 {\\*\\shppict{\\pict{\\*\\picprop{\\sp{\\sn a}{\\sv b}}}\\picw40\\pngblip\n${picture.toString('hex')}}}}`
    await paste(page, `<p>before <img src="${data}" alt="Teal"> after</p>`)
    await page.getByRole('img', { name: 'Teal' }).waitFor()
    await page.getByRole('textbox', { name: 'Body' }).press('ControlOrMeta+End')
    await paste(page, '<p>word</p><p><img src="file:///C:/clip_image001.png" alt="Word"></p>', { rtf })
    await page.getByRole('img', { name: 'Word' }).waitFor()
    await paste(
      page,
      '<p>lost <img src="file:///C:/clip_image002.png"></p><iframe src="https://a.example"></iframe>',
    )
    await page
      .getByText(/Left out of what was pasted: a picture that is in a file of the other program.*<iframe>/)
      .waitFor()
    const stored = await save()
    assert.match(
      stored,
      /<p>before <img src="\/api\/uploads\/[0-9a-f]{32}\.png" alt="Teal" width="40" height="30"> after/,
    )
    assert.match(stored, /<img src="\/api\/uploads\/[0-9a-f]{32}\.png" alt="Word"/)
    assert.doesNotMatch(stored, /data:|file:|pasted:|iframe/)
    await until(async () => (await service.admin.get('/api/media?search=pasted')).body.data.length === 2)
    await close()
  })

  it('keeps how paragraphs were written when they are cut and pasted in the panel', async () => {
    const html = '<p class="lead">middle</p>'
    const { body } = await service.admin.post('/api/content/page', { title: 'Cut', body: html })
    const panel = await openPage(browser, service)
    await panel.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await panel.signIn()
    await panel.goto(`/admin/content/page/${body.data.id}`)
    const editor = panel.page.getByRole('textbox', { name: 'Body' })
    await editor.click()
    for (const keys of ['ControlOrMeta+a', 'ControlOrMeta+x', 'ControlOrMeta+v']) await editor.press(keys)
    await panel.page.getByText('middle').waitFor()
    await editor.press('End')
    await panel.page.keyboard.type('!')
    await panel.page.keyboard.press('ControlOrMeta+s')
    await panel.page.getByText('Unsaved').waitFor({ state: 'hidden' })
    const stored = (await service.admin.get(`/api/content/page/${body.data.id}`)).body.data.body
    assert.equal(stored, html.replace('middle', 'middle!'))
    await panel.close()
  })
})
