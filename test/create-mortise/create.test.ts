import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { ensureDotEnv } from '../../core-plugins/foundation/config/config.ts'

const root = join(import.meta.dirname, '../..')
const ownPackage = join(root, 'create-mortise')

let folder: string

/** Runs create-mortise, without a terminal, in the test's folder or one below it. */
async function create(args: readonly string[], { from = ownPackage, cwd = folder, env = {} } = {}) {
  const options = { cwd, env: { PATH: process.env.PATH, ...env } }
  return promisify(execFile)(process.execPath, [join(from, 'bin.js'), ...args], options).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const readJson = (path: string) => JSON.parse(read(path))

const projectFiles = [
  '.dockerignore',
  '.env',
  '.gitignore',
  'Dockerfile',
  'README.md',
  'docker-compose.yml',
  'mortise.config.ts',
  'package.json',
  'plugins',
  'schemas',
  'test',
  'themes',
  'tsconfig.json',
]

/** A copy of the package whose last template cannot be filled in. */
function brokenPackage() {
  const copy = join(folder, 'broken')
  cpSync(ownPackage, copy, { recursive: true })
  cpSync(join(root, 'node_modules/@clack'), join(copy, 'node_modules/@clack'), { recursive: true })
  for (const name of ['fast-string-width', 'fast-wrap-ansi', 'fast-string-truncated-width', 'sisteransi']) {
    cpSync(join(root, 'node_modules', name), join(copy, 'node_modules', name), { recursive: true })
  }
  writeFileSync(join(copy, 'templates/compose/sqlite.yml'), '{{nothing}}')
  return copy
}

describe('create-mortise', () => {
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'mortise-create-')))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('writes a project', async () => {
    const { code, stdout } = await create(['my-site', '--no-install'])
    assert.equal(code, 0)
    assert.match(stdout, /cd my-site\n {2}npm install\n {2}npm run dev\n/)
    assert.deepEqual(readdirSync(join(folder, 'my-site')).sort(), projectFiles)
    const { name, private: isPrivate, dependencies } = readJson('my-site/package.json')
    const { version } = JSON.parse(readFileSync(join(ownPackage, 'package.json'), 'utf8'))
    assert.deepEqual([name, isPrivate, dependencies], ['my-site', true, { mortise: `^${version}` }])
    for (const entry of readdirSync(join(folder, 'my-site'), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      assert.doesNotMatch(readFileSync(join(entry.parentPath, entry.name), 'utf8'), /\{\{/, entry.name)
    }
  })

  it('gives each project a secret of its own, which only its owner can read and Git does not see', async () => {
    await create(['one', '--no-install'])
    await create(['two', '--no-install'])
    const secretOf = (project: string) => /^JWT_SECRET=([\w-]{64})$/m.exec(read(`${project}/.env`))?.[1]
    assert.ok(secretOf('one'))
    assert.notEqual(secretOf('one'), secretOf('two'))
    assert.equal(statSync(join(folder, 'one/.env')).mode & 0o777, 0o600)
    for (const list of ['.gitignore', '.dockerignore']) {
      assert.match(read(`one/${list}`), /^\.env$/m)
      assert.match(read(`one/${list}`), /^node_modules\/$/m)
    }
    // `mortise dev` would write one otherwise.
    assert.equal(await ensureDotEnv({ workingDirectory: join(folder, 'one') }), false)
  })

  it('asks for the versions of TypeScript, tsx and Node types that Mortise itself is built with', async () => {
    await create(['my-site', '--no-install'])
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const used = { ...dependencies, ...devDependencies }
    const asked: Record<string, string> = readJson('my-site/package.json').devDependencies
    for (const [name, version] of Object.entries(asked)) assert.equal(version, used[name], name)
  })

  const databases: [string, RegExp, RegExp][] = [
    ['sqlite', /^DATABASE_URL=sqlite:\.\/data\/content\.db$/m, /DATABASE_URL: sqlite:/],
    [
      'postgres',
      /^DATABASE_URL=postgres:\/\/mortise:mortise@127\.0\.0\.1:5432\/mortise$/m,
      /image: postgres:/,
    ],
    ['mysql', /^DATABASE_URL=mysql:\/\/mortise:mortise@127\.0\.0\.1:3306\/mortise$/m, /image: mysql:/],
  ]
  for (const [database, inEnv, inCompose] of databases) {
    it(`sets up ${database}`, async () => {
      const { stdout } = await create(['my-site', '--no-install', '--database', database])
      assert.match(read('my-site/.env'), inEnv)
      const compose = read('my-site/docker-compose.yml')
      assert.match(compose, inCompose)
      for (const mount of ['./schemas:/site/schemas:ro', 'data:/site/data', 'uploads:/site/uploads']) {
        assert.ok(compose.includes(`- ${mount}`), mount)
      }
      const step = `docker compose up -d --wait ${database}`
      const isNamed = database !== 'sqlite'
      assert.deepEqual([stdout.includes(step), read('my-site/README.md').includes(step)], [isNamed, isNamed])
    })
  }

  it('writes into the folder that it runs in, beside a repository', async () => {
    const site = join(folder, 'site')
    mkdirSync(join(site, '.git'), { recursive: true })
    const { code, stdout } = await create(['.', '--no-install', '--git'], { cwd: site })
    assert.equal(code, 0)
    assert.doesNotMatch(stdout, /cd /)
    assert.deepEqual(readdirSync(site).sort(), ['.git', ...projectFiles].sort())
    assert.deepEqual(readdirSync(join(site, '.git')), [])
    assert.equal(readJson('site/package.json').name, 'site')
  })

  it('makes a repository where that is asked for', async () => {
    await create(['sites/my-site', '--no-install', '--git'])
    assert.ok(existsSync(join(folder, 'sites/my-site/.git/HEAD')))
    await create(['sites/other', '--no-install'])
    assert.ok(!existsSync(join(folder, 'sites/other/.git')))
  })

  it('depends on another version, or on a tarball, where one is named', async () => {
    await create(['one', '--no-install', '--mortise', 'next'])
    assert.equal(readJson('one/package.json').dependencies.mortise, 'next')
    writeFileSync(join(folder, 'mortise.tgz'), '')
    await create(['two', '--no-install', '--mortise', './mortise.tgz'])
    assert.equal(readJson('two/package.json').dependencies.mortise, `file:${join(folder, 'mortise.tgz')}`)
  })

  const names: [string, RegExp][] = [
    ['My Site', /has capital letters, has other characters than .*; call it my-site/],
    ['_site', /begins with a dot, an underscore or a hyphen; call it site/],
    ['sité', /has other characters than/],
    ['mortise', /it is taken/],
    ['node_modules', /it is taken/],
    ['a'.repeat(215), /has more than 214 characters/],
    ['/', /it is empty/],
  ]
  for (const [name, problem] of names) {
    it(`refuses the name ${name.slice(0, 20)}`, async () => {
      const { code, stderr } = await create([name, '--no-install'])
      assert.equal(code, 1)
      assert.match(stderr, problem)
      assert.deepEqual(readdirSync(folder), [])
    })
  }

  it('refuses a folder in use, naming what is in it, and a file', async () => {
    mkdirSync(join(folder, 'used'))
    for (let index = 10; index < 23; index++) writeFileSync(join(folder, `used/file-${index}`), '')
    writeFileSync(join(folder, 'file'), '')
    const used = await create(['used', '--no-install'])
    assert.equal(used.code, 1)
    assert.match(used.stderr, /used is not empty: it holds file-10, .*, file-19 and 3 more\. Choose another/)
    assert.equal(readdirSync(join(folder, 'used')).length, 13)
    assert.match((await create(['file', '--no-install'])).stderr, /file is a file; choose another name/)
  })

  const misuses: [string, string[], RegExp][] = [
    ['without a folder', [], /^name the folder of the project\n\nUsage: /],
    ['with two folders', ['a', 'b'], /name one folder, not a and b/],
    [
      'with an option that there is not',
      ['a', '--databse', 'mysql'],
      /Unknown option '--databse'[\s\S]*Usage: /,
    ],
    [
      'with a database that there is not',
      ['a', '--database', 'oracle'],
      /sqlite, postgres, mysql, not "oracle"/,
    ],
    ['with an empty version', ['a', '--mortise', ''], /--mortise needs a version/],
  ]
  for (const [what, args, message] of misuses) {
    it(`refuses to run ${what}`, async () => {
      const { code, stderr } = await create(args)
      assert.equal(code, 1)
      assert.match(stderr, message)
      assert.deepEqual(readdirSync(folder), [])
    })
  }

  it('says how it is used', async () => {
    const { code, stdout } = await create(['--help'])
    assert.equal(code, 0)
    assert.match(stdout, /^Usage: npm create mortise@latest \[folder\] -- \[options\]/)
  })

  it('removes what it wrote where it cannot write everything', async () => {
    const from = brokenPackage()
    mkdirSync(join(folder, 'empty/.git'), { recursive: true })
    for (const target of ['new/site', 'empty']) {
      const { code, stderr } = await create([target, '--no-install'], { from })
      assert.equal(code, 1)
      assert.match(stderr, /sqlite\.yml has no value for \{\{nothing\}\}/)
    }
    assert.deepEqual(readdirSync(folder).sort(), ['broken', 'empty'])
    assert.deepEqual(readdirSync(join(folder, 'empty')), ['.git'])
  })

  it('has the JSON Schemas written that its schema files name', async () => {
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\necho "$PWD $*" >> ${join(folder, 'calls')}\n`)
    chmodSync(join(folder, 'bin/npm'), 0o755)
    const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
    assert.equal((await create(['my-site'], { env })).code, 0)
    const site = join(folder, 'my-site')
    assert.deepEqual(read('calls').trim().split('\n'), [
      `${site} install --no-audit --no-fund`,
      `${site} exec --no -- mortise schema-files`,
    ])
    for (const path of readdirSync(join(site, 'schemas'), { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.json')) continue
      const kind = path.startsWith('components') ? '../.schema/component.json' : './.schema/content-type.json'
      assert.equal(readJson(`my-site/schemas/${path}`).$schema, kind)
    }
  })

  it('keeps the project where packages cannot be installed, and says what to do', async () => {
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin/npm'), '#!/bin/sh\nexit 1\n')
    chmodSync(join(folder, 'bin/npm'), 0o755)
    const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
    const { code, stdout, stderr } = await create(['my-site'], { env })
    assert.equal(code, 1)
    assert.match(stderr, /npm install failed\. The project is written; run npm install in it again/)
    assert.match(stdout, /npm install\n {2}npm run dev/)
    assert.deepEqual(readdirSync(join(folder, 'my-site')).sort(), projectFiles)
  })
})
