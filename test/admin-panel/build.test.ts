import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { buildApp } from '../../core-plugins/admin-panel/build/build-app.ts'
import type { BuiltApp } from '../../core-plugins/admin-panel/build/built-app.ts'
import { createLiveApp } from '../../core-plugins/admin-panel/build/live-app.ts'

const kilobyte = 1024

/** What each screen loads beyond the first list, in kilobytes of gzip. */
const screenBounds = {
  'entry-screen': 60,
  'translation-screen': 66,
  media: 40,
  details: 16,
  home: 5,
  calendar: 16,
  'plugin-page': 2,
}

/** What each script loads beyond the list and the form of an entry. */
const lazyBounds = {
  ...{ 'rich-text-input': 155, 'read-rich-text': 130, 'html-editor': 155, 'json-input': 115 },
  ...{ 'relation-input': 40, 'new-target': 3, 'entry-picker': 35, 'media-input': 22, 'picker-dialog': 24 },
  ...{ 'component-input': 9, 'zone-input': 9, 'block-picker': 12 },
  ...{ 'bulk-bar': 8, 'filter-editor': 4, 'view-list': 4, 'column-choices': 2, 'export-dialog': 3 },
  ...{ 'publish-dialog': 14, 'unpublish-dialog': 4, 'discard-draft-dialog': 11, 'save-public-dialog': 11 },
  ...{ 'status-panel': 6, 'history-panel': 5, 'compare-dialog': 13, 'usage-panel': 4, 'delete-dialog': 6 },
  ...{ 'preview-pane': 6, 'discussion-panel': 36 },
  ...{ palette: 28, 'shortcuts-help': 3, 'session-ended': 4, 'upload-tray': 4, 'admit-module': 5 },
  board: 32,
  ...{ 'upload-backup': 14 },
  ...{ 'type-screen': 12, 'component-screen': 12, 'field-drawer': 14, 'review-screen': 16 },
  ...{ 'menu-box': 20, 'popover-box': 20, 'dialog-layer': 22, 'tooltip-box': 8 },
}

/** What a script may load of which nothing else is said. */
const usualBound = 10

/** Each part of the texts of a language. */
const textsBound = 8

describe('the bytes of the panel', () => {
  let app: BuiltApp
  let list: ReadonlySet<string>
  before(async () => {
    app = await buildApp()
    const styles = new Set([app.entries.styles])
    list = without(await loaded(app.entries.panel, ...named('list'), await firstTexts()), styles)
  })

  /** The scripts of a name, whatever is in them. */
  const named = (start: string) =>
    [...app.files.keys()].filter((name) => new RegExp(`^${start}-[A-Z0-9]{8}\\.js$`).test(name))

  const read = async (name: string) =>
    Buffer.from((await app.files.get(name)?.read('plain')) ?? []).toString()

  /** Scripts with all that they import at their start. */
  async function loaded(...names: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set(names)
    for (const name of found) {
      const imports = (await read(name)).matchAll(/(?:from|import)\s*"\/admin\/assets\/([^"]+\.js)"/g)
      for (const [, imported = ''] of imports) found.add(imported)
    }
    return found
  }

  async function kilobytes(names: Iterable<string>): Promise<number> {
    const sizes = await Promise.all(
      [...names].map(async (name) => (await app.files.get(name)?.read('gzip'))?.length ?? 0),
    )
    return sizes.reduce((sum, size) => sum + size, 0) / kilobyte
  }

  const without = (names: ReadonlySet<string>, others: ReadonlySet<string>) =>
    new Set([...names].filter((name) => !others.has(name)))

  /** The scripts of the list and of the form of an entry. */
  const present = async () => new Set([...list, ...(await loaded(...named('entry-screen')))])

  /** Of the scripts with English texts, the one that every page loads. */
  async function firstTexts(): Promise<string> {
    for (const name of named('en')) if ((await read(name)).includes('shell')) return name
    throw new Error('no English texts')
  }

  async function assertBounds(bounds: Readonly<Record<string, number>>, present: ReadonlySet<string>) {
    for (const [name, bound] of Object.entries(bounds)) {
      const files = named(name)
      assert.equal(files.length, 1, `${name} is there`)
      const size = await kilobytes(without(await loaded(...files), present))
      assert.ok(size <= bound, `${name}: ${size.toFixed(1)} KB, and may have ${bound}`)
    }
  }

  it('are few until somebody can sign in', async () => {
    const { signIn, signInStyles } = app.entries
    const size = await kilobytes([...(await loaded(signIn)), signInStyles])
    assert.ok(size <= 15, `${size.toFixed(1)} KB`)
  })

  it('are bounded until the shell and the first list stand', async () => {
    const { panel, panelImports, styles } = app.entries
    const sizes = {
      shell: await kilobytes([panel, ...panelImports]),
      list: await kilobytes(list),
      styles: await kilobytes([styles]),
    }
    const text = JSON.stringify(sizes)
    assert.ok(sizes.shell <= 130 && sizes.list <= 200 && sizes.styles <= 15, text)
  })

  it('are bounded for each screen beyond the first list', async () => {
    await assertBounds(screenBounds, list)
  })

  it('are bounded for all that is loaded when it is needed', async () => {
    await assertBounds(lazyBounds, await present())
    for (const name of [...named('en'), ...named('de')])
      assert.ok((await kilobytes([name])) <= textsBound, name)
  })

  it('are few for whatever has no bound of its own', async () => {
    const names = [...app.files.keys()].flatMap((name) => /^(.+)-[A-Z0-9]{8}\.js$/.exec(name)?.[1] ?? [])
    const parts = new Set(names.filter((name) => !/^(chunk|panel|list|sign-in|shared-.*|en|de)$/.test(name)))
    for (const name of Object.keys({ ...screenBounds, ...lazyBounds })) parts.delete(name)
    await assertBounds(Object.fromEntries([...parts].map((name) => [name, usualBound])), await present())
  })

  it('hold no text of forms or media before those are loaded', async () => {
    for (const name of list) {
      const used = (await read(name)).match(
        /["'`](?:entry|richtext|blocks|relation|mediaField|diff|history|publication|removal|media)\.[a-z]\w*["'`]/g,
      )
      assert.deepEqual(used?.filter((text) => !/\.(read|write|bulk)\W/.test(text)) ?? [], [], name)
    }
  })

  it('have names that tell what is in them, so that they may be kept for good', () => {
    for (const name of app.files.keys()) assert.match(name, /-[A-Z0-9]{8}\.\w+$/)
  })
})

describe('the panel in development', () => {
  it('is built once for the same sources, however often the service starts', async () => {
    const start = async () => {
      const live = createLiveApp()
      let builds = 0
      live.onBuilt(() => builds++)
      const { entries } = await live.current()
      await live.close()
      return { builds, entries }
    }
    const first = await start()
    assert.deepEqual(await start(), { builds: 0, entries: first.entries })
  })
})
