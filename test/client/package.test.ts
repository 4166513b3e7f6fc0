import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build, transform } from 'esbuild'
import { newApiToken } from '../api/auth-callers.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** A program of somebody who has installed the package and generated the types. */
const program = `
  import { type Client, createClient, MortiseError, type Populate, type Result } from 'mortise-client'
  import { type Admin, createAdmin } from 'mortise-client/admin'
  import { connectPreview, withFields } from 'mortise-client/preview'
  import type { ArticleShape, ContentTypes } from './content-types.js'

  declare const settings: { readonly url: string; readonly token: string }
  const cms: Client<ContentTypes> = createClient<ContentTypes>(settings)

  export const admin: Admin = createAdmin(cms)

  export const disconnect: () => void = connectPreview({
    panel: 'https://cms.example.com',
    onStart: (entry) => entry.read('author'),
    onChange: (fields) => withFields({ id: 1, title: '' }, fields).title.length,
  })

  const teaser = { author: true } as const satisfies Populate<ArticleShape>
  const headline = ({ title, author }: Result<ArticleShape, typeof teaser>) => title + ' by ' + author?.name

  export async function read(): Promise<string[]> {
    const author = await cms.collection('author').create({ name: 'Ada' })
    const { id } = await cms.collection('article').create({ title: 'Engines', slug: 'engines', author: author.id })
    const file = await cms.media.upload(new File(['notes'], 'notes.txt', { type: 'text/plain' }))
    const refusal = await cms.collection('article').get(4711).catch((error: unknown) => error)
    return [
      headline(await cms.collection('article').get(id, { populate: teaser })),
      file.originalName,
      refusal instanceof MortiseError ? refusal.code : 'no refusal',
    ]
  }

  // @ts-expect-error there is no such field
  export const mistake = () => cms.collection('article').list({ sort: 'titel' })
`

/** What a project may have for types of the platform. */
const platforms = {
  'of browsers': { lib: ['es2022', 'dom'], types: [] },
  'of Node': { lib: ['es2022'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
}

const compilers = {
  'TypeScript 7': join(root, 'node_modules/typescript/bin/tsc'),
  'TypeScript 5': join(root, 'test/generators/node_modules/typescript/bin/tsc'),
}

describe('mortise-client from its archive', () => {
  let folder: string
  let installed: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mortise-client-package-'))
    const built = join(folder, 'built')
    await run(process.execPath, ['--import', 'tsx', join(root, 'build/client.ts'), '--out', built], {
      cwd: root,
    })
    const { stdout } = await run('npm', ['pack', built, '--json', '--pack-destination', folder])
    const project = join(folder, 'project')
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
    const archive = join(folder, JSON.parse(stdout)[0].filename)
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', archive], { cwd: project })
    cpSync(join(root, 'examples/countries/content-types.ts'), join(project, 'content-types.ts'))
    writeFileSync(join(project, 'program.ts'), program)
    installed = join(project, 'node_modules/mortise-client')
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('has the version of mortise, and neither sources nor dependencies', () => {
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
    const { version, private: isPrivate, dependencies } = read(join(installed, 'package.json'))
    assert.deepEqual(
      [version, isPrivate, dependencies],
      [read(join(root, 'package.json')).version, undefined, undefined],
    )
    const others = readdirSync(installed).filter((name) => !name.endsWith('.d.ts'))
    assert.deepEqual(others.sort(), [
      'LICENSE',
      'README.md',
      'admin.js',
      'client.js',
      'images.js',
      'package.json',
      'preview.js',
    ])
  })

  it('has declarations that name no file that is not there', () => {
    const declarations = readdirSync(installed).filter((name) => name.endsWith('.d.ts'))
    assert.ok(declarations.length > 0)
    for (const name of declarations) {
      const text = readFileSync(join(installed, name), 'utf8')
      for (const [, imported = ''] of text.matchAll(/from '(.+)'/g))
        assert.ok(
          declarations.includes(imported.replace(/^\.\/(.+)\.js$/, '$1.d.ts')),
          `${name}: ${imported}`,
        )
    }
  })

  for (const [platform, options] of Object.entries(platforms)) {
    for (const [name, compiler] of Object.entries(compilers)) {
      it(`compiles strictly beside the types ${platform}, by ${name}`, slow, () => compile(compiler, options))
    }
  }

  async function compile(compiler: string, platform: object): Promise<void> {
    const strict = { strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true }
    const modules = { module: 'nodenext', target: 'es2022', noEmit: true }
    const compilerOptions = { ...strict, ...modules, ...platform }
    const config = join(installed, '../../tsconfig.json')
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    const output = await run(process.execPath, [compiler, '-p', config]).catch((error) => error)
    assert.deepEqual([output.stdout, output.stderr], ['', ''])
  }

  it('talks to a service from Node', slow, async (test) => {
    const service = await startService()
    test.after(() => service.stop())
    const { token } = await newApiToken(service, ['admin:*'])
    const { code } = await transform(program, { loader: 'ts' })
    const settings = `globalThis.settings = ${JSON.stringify({ url: service.url, token })}`
    const script = `${settings}\n${code}\nconsole.log(JSON.stringify(await read()))`
    writeFileSync(join(installed, '../../program.js'), script)
    const { stdout } = await run(process.execPath, [join(installed, '../../program.js')])
    assert.deepEqual(JSON.parse(stdout), ['Engines by Ada', 'notes.txt', 'NOT_FOUND'])
  })

  it('is small when it is bundled, and nothing when it is not used', async () => {
    const size = (await bundle(`export * from 'mortise-client'`)).length
    assert.ok(size > 1000 && size <= 13_312, `${size} bytes`)
    const zipped = gzipSync(await bundle(`export * from 'mortise-client'`)).length
    assert.ok(zipped <= 5_376, `${zipped} bytes with gzip`)
    const bridge = (await bundle(`export * from 'mortise-client/preview'`)).length
    assert.ok(bridge > 1000 && bridge <= 2048, `${bridge} bytes of the bridge`)
    const images = (await bundle(`export * from 'mortise-client/images'`)).length
    assert.ok(images > 500 && images <= 1536, `${images} bytes for images`)
    assert.equal((await bundle(`import { createClient } from 'mortise-client'`)).length, 0)
  })

  async function bundle(contents: string): Promise<Uint8Array> {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: join(installed, '../..') },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      minify: true,
      logLevel: 'silent',
    })
    return outputFiles[0]?.contents ?? new Uint8Array()
  }
})

describe('mortise/client', () => {
  it('is the same code', async () => {
    assert.deepEqual(await import('mortise/client'), await import('mortise-client'))
  })
})
