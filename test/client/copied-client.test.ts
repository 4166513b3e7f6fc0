import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { build } from 'esbuild'
import { slow } from '../support/scope.ts'

const root = join(import.meta.dirname, '../..')

/** What somebody writes who knows of the service nothing but its address. */
const page = `
  import { createClient, MortiseError } from './client/client.ts'
  import type { ContentTypes } from './content-types.ts'

  const cms = createClient<ContentTypes>({ url: 'https://cms.example.com' })
  try {
    const { data } = await cms.collection('article').list({ populate: { author: true }, limit: 3 })
    document.title = data.map(({ title, author }) => title + ' by ' + author?.name).join()
  } catch (error) {
    if (error instanceof MortiseError) console.error(error.code, error.details)
  }
`

describe('the client in another project', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'mortise-client-'))
    cpSync(join(root, 'client'), join(folder, 'client'), { recursive: true })
    cpSync(join(root, 'examples/countries/content-types.ts'), join(folder, 'content-types.ts'))
    writeFileSync(join(folder, 'page.ts'), page)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const strictness of [[], ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']]) {
    it(`compiles beside the types of browsers alone ${strictness.join(' ')}`, slow, () => compile(strictness))
  }

  async function compile(strictness: readonly string[]): Promise<void> {
    const compiler = resolve(root, 'node_modules/typescript/bin/tsc')
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--types', '']
    const resolution = ['--moduleResolution', 'bundler', '--allowImportingTsExtensions', '--ignoreConfig']
    const output = await new Promise<string>((done) => {
      const flags = [...options, ...resolution, ...strictness, '--erasableSyntaxOnly']
      const args = [compiler, ...flags, join(folder, 'page.ts')]
      execFile(process.execPath, args, (_error, out, errors) => done(out + errors))
    })
    assert.equal(output, '')
  }

  it('is bundled for browsers, and small', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(folder, 'page.ts')],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      minify: true,
    })
    const size = outputFiles[0]?.contents.length ?? 0
    assert.ok(size > 1000 && size <= 13_568, `${size} bytes`)
  })
})
