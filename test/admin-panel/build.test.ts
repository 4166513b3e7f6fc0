import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { buildApp } from '../../core-plugins/panel/admin-panel/build/build-app.ts'
import type { BuiltApp } from '../../core-plugins/panel/admin-panel/build/built-app.ts'
import { createLiveApp } from '../../core-plugins/panel/admin-panel/build/live-app.ts'
import { slow } from '../support/scope.ts'

const run = promisify(execFile)
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

  it('are bounded for each screen beyond the first list', slow, async () => {
    await assertBounds(screenBounds, list)
  })

  it('are bounded for all that is loaded when it is needed', slow, async () => {
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

describe('the panel in development', slow, () => {
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

  it('is built again after a change of its sources, and the newest alone is kept', async () => {
    const copy = copiedSources()
    try {
      writeFileSync(join(copy, 'change.ts'), changeScript)
      const tsx = import.meta.resolve('tsx')
      const { stdout } = await run(process.execPath, ['--import', tsx, 'change.ts'], { cwd: copy })
      const { words, folders } = JSON.parse(stdout)
      assert.deepEqual(words, ['none', 'first', 'second'])
      assert.equal(folders, 1)
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  })
})

/** The sources of the panel in another folder, to change them. */
function copiedSources(): string {
  const root = join(import.meta.dirname, '../..')
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'panel-')))
  for (const path of [
    'client',
    'core-plugins',
    'entry-points',
    'kernel',
    'launch',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ])
    cpSync(join(root, path), join(copy, path), {
      recursive: true,
      filter: (file) => !file.endsWith('node_modules'),
    })
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  }
  return copy
}

/** Says which word the panel has before and after two changes of its sources, and how many applications are kept at the end. */
const changeScript = `
  import { appendFileSync, readdirSync } from 'node:fs'
  import { createLiveApp } from './core-plugins/panel/admin-panel/build/live-app.ts'

  const live = createLiveApp()
  const wordNow = async () => {
    const { files, entries } = await live.current()
    const styles = Buffer.from(await files.get(entries.styles).read('plain')).toString()
    return [...styles.matchAll(/--word-of-a-test: (\\w+)/g)].at(-1)?.[1] ?? 'none'
  }
  const words = [await wordNow()]
  // The watchers alone would let the process end.
  const waiting = setInterval(() => {}, 1000)
  for (const word of ['first', 'second']) {
    const built = new Promise((resolve) => live.onBuilt(resolve))
    appendFileSync('core-plugins/panel/admin-panel/app/ground/styles/base.css', ':root { --word-of-a-test: ' + word + ' }')
    await built
    words.push(await wordNow())
  }
  clearInterval(waiting)
  await live.close()
  const folders = readdirSync('node_modules/.cache/mortise/panel').filter((name) => name.endsWith('-live')).length
  console.log(JSON.stringify({ words, folders }))
`
