import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { compareCounts, compareEntries, Here, type Truth } from './compare.ts'

/* A real Strapi, filled, exported, imported and compared: see README.md. */

const root = resolve(import.meta.dirname, '../..')
const compared = 100

/** One version of all packages of Strapi; npm finds the rest. */
const strapiVersion = '5.54.0'
const manifest = {
  name: 'strapi-to-be-exported',
  private: true,
  dependencies: {
    '@strapi/strapi': strapiVersion,
    '@strapi/plugin-users-permissions': strapiVersion,
    'better-sqlite3': '12.8.0',
    react: '^18.0.0',
    'react-dom': '^18.0.0',
    'react-router-dom': '^6.0.0',
    'styled-components': '^6.0.0',
  },
}

const password = 'Only-for-this-example-1'
const quiet = { STRAPI_TELEMETRY_DISABLED: 'true' }

async function run(command: string, args: readonly string[], options: SpawnOptions): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
}

/** Fills a new Strapi in a folder, and has it exported to `export.tar.gz`. */
async function makeExport(folder: string, articles: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const left of ['.tmp', 'export.tar.gz', 'truth.json'])
    rmSync(join(folder, left), { recursive: true, force: true })
  cpSync(join(import.meta.dirname, 'project'), folder, { recursive: true })
  mkdirSync(join(folder, 'public/uploads'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const options = { cwd: folder, env: { ...process.env, ...quiet, ARTICLES: articles } }
  if (!existsSync(join(folder, 'node_modules/@strapi/strapi'))) {
    await run('npm', ['install', '--no-audit', '--no-fund'], options)
  }
  await run(process.execPath, ['fill.js'], options)
  await run('npx', ['strapi', 'export', '--no-encrypt', '--file', 'export'], options)
}

/** Imports into an empty project, starts its service, and calls `work` with what asks it. */
async function withImported(
  folder: string,
  exported: string,
  work: (here: Here) => Promise<void>,
): Promise<void> {
  const database = {
    DATABASE_URL: 'sqlite:./content.db',
    JWT_SECRET: 'only-for-this-example-0123456789abcdef',
  }
  const env = {
    PATH: process.env.PATH,
    ...database,
    DEFAULT_ADMIN_PASSWORD: password,
    PORT: '0',
    NODE_ENV: 'development',
  }
  const tsx = ['--import', import.meta.resolve('tsx')]
  const options = { cwd: folder, env }
  const began = Date.now()
  await run(process.execPath, [...tsx, join(root, 'cli/mortise.ts'), 'import', 'strapi', exported], options)
  console.log(`The import took ${((Date.now() - began) / 1000).toFixed(1)} s`)
  const service = spawn(process.execPath, [join(root, 'launch/start.mjs')], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await work(new Here(await signedIn(await addressOf(service))))
  } finally {
    service.kill()
    await once(service, 'exit')
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the service has no output')
  for await (const line of createInterface({ input: stdout })) {
    const [, url] = /Mortise is up at (http[^\s"]+)/.exec(line) ?? []
    if (url !== undefined) {
      stdout.resume()
      return url
    }
  }
  throw new Error('the service did not start')
}

async function signedIn(url: string): Promise<ConstructorParameters<typeof Here>[0]> {
  const body = JSON.stringify({ identifier: 'admin@example.com', password })
  const login = await fetch(`${url}/api/admin/auth/login`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  const { data } = (await login.json()) as { data: { token: string } }
  return async (path) => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${data.token}` } })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json() as never
  }
}

/** Different ones each time. */
function chosen(entries: Truth['entries']): Truth['entries'] {
  return entries
    .map((entry) => ({ entry, order: Math.random() }))
    .sort((left, right) => left.order - right.order)
    .slice(0, compared)
    .map(({ entry }) => entry)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      strapi: { type: 'string' },
      articles: { type: 'string', default: '90' },
      keep: { type: 'string' },
    },
  })
  const temporary = mkdtempSync(join(tmpdir(), 'strapi-import-'))
  const strapi = resolve(values.strapi ?? join(temporary, 'strapi'))
  try {
    await makeExport(strapi, values.articles)
    if (values.keep !== undefined) {
      mkdirSync(values.keep, { recursive: true })
      for (const file of ['export.tar.gz', 'truth.json']) cpSync(join(strapi, file), join(values.keep, file))
    }
    const truth: Truth = JSON.parse(readFileSync(join(strapi, 'truth.json'), 'utf8'))
    const folder = join(temporary, 'mortise')
    mkdirSync(folder)
    await withImported(folder, join(strapi, 'export.tar.gz'), async (here) => {
      const entries = chosen(truth.entries)
      const differences = await compareEntries(truth, entries, here)
      for (const difference of differences) console.log(difference)
      const counts = await compareCounts(truth, here)
      console.table(counts)
      console.log(`Compared ${entries.length} entries field by field: ${differences.length} differences`)
      const isEqual = Object.values(counts).every(({ strapi: there, mortise }) => there === mortise)
      if (differences.length > 0 || !isEqual) process.exitCode = 1
    })
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

await main()
