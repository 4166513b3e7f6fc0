import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { catalogues } from '../../../core-plugins/panel/admin-panel/build/catalogues.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'

const folder = join(
  import.meta.dirname,
  '../../../core-plugins/panel/admin-panel/app/content/fields/richtext',
)

/** What the page answers about a text. */
interface Reading {
  readonly kind: 'visual' | 'source'
  readonly difference?: string
  readonly repaired?: string
  /** The types of the outermost nodes. */
  readonly blocks?: readonly string[]
  readonly unchanged?: string
  /** After a paragraph has been written below. */
  readonly continued?: string
}

/** Runs in the page, where there is a DOM. */
const inPage = `
  import { openHtml } from './html/open-html.ts'
  import { cleanPasted } from './editor/paste/clean-pasted.ts'
  import { schema } from './editor/extensions.ts'
  globalThis.cleanPasted = cleanPasted
  globalThis.read = (html) => {
    const opened = openHtml(schema, html)
    if (opened.kind === 'source') return opened
    const doc = schema.nodeFromJSON(opened.content)
    const line = schema.node('paragraph', null, [schema.text('new')])
    return {
      kind: 'visual',
      blocks: doc.children.map(({ type }) => type.name),
      unchanged: opened.write(doc),
      continued: opened.write(doc.copy(doc.content.addToEnd(line))),
    }
  }`

describe('rich text', { skip: withoutBrowser }, () => {
  let browser: Browser
  let page: Page

  before(async () => {
    const [script, started] = await Promise.all([bundle(), startBrowser()])
    browser = started
    page = await browser.newPage()
    await page.addScriptTag({ content: script })
  })
  after(() => browser?.close())

  const read = (html: string): Promise<Reading> => page.evaluate(`read(${JSON.stringify(html)})`)

  async function assertKept(html: string, blocks: readonly string[]) {
    const reading = await read(html)
    assert.deepEqual([reading.kind, reading.blocks], ['visual', blocks], html)
    assert.equal(reading.unchanged, html)
    assert.equal(reading.continued, `${html}<p>new</p>`)
  }

  it('shows what it knows, and keeps every byte of what is not touched', async () => {
    await assertKept('<h2>A</h2>\n<p>b <strong>c <em>d</em></strong>&nbsp;e</p>\n', ['heading', 'paragraph'])
    await assertKept('<ul>\n  <li>one</li>\n  <li><p>two</p><ol start="3"><li>three</li></ol></li>\n</ul>', [
      'bulletList',
    ])
    await assertKept('<p><em>a <strong>b</strong></em><i><b>c</b></i> <a href="/x"><code>d</code></a></p>', [
      'paragraph',
    ])
    await assertKept(
      '<blockquote><p>a<br>b</p></blockquote><hr><pre><code class="language-ts">a\n  b</code></pre>',
      ['blockquote', 'horizontalRule', 'codeBlock'],
    )
    await assertKept('<p><img src="/a.png" alt="A &amp; B" width="3" loading="lazy"></p>', ['paragraph'])
  })

  it('keeps attributes that it has no use for', async () => {
    const html =
      '<p class="lead" style="color: red" data-x="1">a <strong class="x">b</strong> <a href="https://a.example/?b&amp;c" target="_blank" rel="noopener" data-y="">c</a></p>'
    await assertKept(html, ['paragraph'])
    const list = '<ul class="ticks" style="margin:0"><li data-done="">a</li></ul>'
    await assertKept(list, ['bulletList'])
  })

  it('keeps styles wherever they stand, and what only looks like one', async () => {
    await assertKept(
      '<p data-mortise-style="a" style="color:red">a <span style="color:&quot;x&quot;">b</span></p>',
      ['paragraph'],
    )
    await assertKept(
      '<p title=" style=&quot;x&quot;">a</p><table style="width:100%"><tbody><tr><td style="a\'b">c</td></tr></tbody></table>',
      ['paragraph', 'opaqueBlock'],
    )
    await assertKept(
      '<p>&lt;p style="x"&gt; data-mortise-style="y"</p><!-- <p STYLE="x"> --><script>a = \'<p style="x">\'</script>',
      ['paragraph', 'opaqueBlock'],
    )
    await assertKept(
      '<blockquote style="margin:0"><p><strong style="color:red">a</strong></p></blockquote>',
      ['blockquote'],
    )
    const misplaced = await read('<textarea><p style="a"></textarea><p style="b">c')
    assert.equal(misplaced.repaired, '<textarea>&lt;p style="a"&gt;</textarea><p style="b">c</p>')
    assert.equal((await read('<p style="b">c<p>d')).difference, '<p>')
  })

  it('keeps elements that it does not know as they are', async () => {
    await assertKept('<figure class="wide"><img src="a.png">\n <figcaption>A  B</figcaption></figure>', [
      'opaqueBlock',
    ])
    await assertKept('<p>a</p><table><tbody><tr><td>1</td></tr></tbody></table><!-- end --><p>b</p>', [
      'paragraph',
      'opaqueBlock',
      'opaqueBlock',
      'paragraph',
    ])
    await assertKept('<p>a <span class="x">b</span> <a name="here"></a><sub>2</sub></p>', ['paragraph'])
    await assertKept('<script>if (a < b) run()</script><iframe src="https://a.example"></iframe>', [
      'opaqueBlock',
    ])
  })

  it('locks a block that it would write in another way, and only that one', async () => {
    await assertKept('<p>a</p><p><strong>a</strong><strong>b</strong></p>', ['paragraph', 'opaqueBlock'])
    await assertKept('<ol start="x"><li>a</li></ol><p>b</p>', ['opaqueBlock', 'paragraph'])
    await assertKept('<pre>plain <b>text</b></pre>', ['opaqueBlock'])
    await assertKept('<p><a href="javascript:alert(1)">a</a></p>', ['paragraph'])
  })

  it('keeps text that stands in no element', async () => {
    const { kind, unchanged, continued } = await read('Plain & simple')
    assert.deepEqual(
      [kind, unchanged, continued],
      ['visual', 'Plain & simple', 'Plain &amp; simple<p>new</p>'],
    )
  })

  it('refuses what a browser would have to repair, and names the place', async () => {
    const unclosed = await read('<p>a<p>b')
    assert.deepEqual([unclosed.kind, unclosed.difference], ['source', '<p>'])
    const misplaced = await read('<p>a</p><td>b</td>')
    assert.deepEqual([misplaced.kind, misplaced.difference], ['source', '<td>'])
  })

  it('takes from the clipboard what it knows, and nothing that runs', async () => {
    // Browsers differ in what they escape in attributes.
    const clean = (html: string): Promise<string> =>
      page.evaluate(
        `cleanPasted(${JSON.stringify(html)}).html.replaceAll('&lt;', '<').replaceAll('&gt;', '>')`,
      )
    const script = '<p onclick="a()">a<script>b()</script><img src="/x" onerror="c()"></p>'
    assert.equal(await clean(script), '<p>a<img src="/x"></p>')
    const word =
      '<p class="MsoNormal" style="margin:0"><span style="font-weight:700;color:red">a</span><o:p></o:p></p>'
    assert.equal(await clean(word), '<p><span><strong>a</strong></span></p>')
    const docs =
      '<b style="font-weight:normal" id="docs-internal"><p>a <span style="font-style:italic">b</span></p></b>'
    assert.equal(await clean(docs), '<p>a <span><em>b</em></span></p>')
    assert.equal(await clean('<a href="javascript:a()">b</a>'), '<a>b</a>')
    const opaque = (html: string) => `<div data-mortise-opaque="${html}"></div>`
    const escaped = (html: string) => html.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    assert.equal(await clean(opaque(escaped('<i onclick=a()>x</i>'))), opaque('<i>x</i>'))
    assert.equal(await clean(opaque(escaped('<i>x<script>a()</script></i>'))), '<div></div>')
  })
})

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: inPage, resolveDir: folder, loader: 'ts' },
    bundle: true,
    plugins: [catalogues],
    format: 'iife',
    outdir: '/',
    write: false,
    jsx: 'automatic',
    logLevel: 'silent',
  })
  return outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? ''
}
