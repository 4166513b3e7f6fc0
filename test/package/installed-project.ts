import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Client, signIn } from '../support/client.ts'
import { addressIn, watchOutput } from '../support/process.ts'
import { until } from '../support/until.ts'
import { buildScript } from './build-script.ts'

const run = promisify(execFile)
const repository = join(import.meta.dirname, '../..')
const password = 'a long password for tests'

/** A new folder outside the repository, with the tarballs of two versions of the package. */
export async function packVersions(versions: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-package-'))
  const built = join(folder, 'built')
  await run(process.execPath, buildScript('build.ts', '--out', built))
  for (const version of versions) {
    const manifest = join(built, 'package.json')
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), version }))
    await run('npm', ['pack', '--silent', '--pack-destination', folder, built])
  }
  return folder
}

/** Writes a file, and the folders that it is in. */
export function write(folder: string, path: string, text: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Installs packages into a project as its user would. */
export async function install(project: string, ...packages: readonly string[]) {
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--no-progress']
  // Otherwise SQLite's driver is compiled, for minutes, where no binary of it can be fetched.
  await run('npm', ['install', '--ignore-scripts', ...options, ...packages], { cwd: project })
  const driver = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'
  mkdirSync(dirname(join(project, driver)), { recursive: true })
  cpSync(join(repository, driver), join(project, driver))
}

/** Runs npm in a folder, without the marks by which Node's test runner knows its own processes. */
export async function npm(folder: string, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME }
  const { stdout } = await run('npm', args, { cwd: folder, env }).catch((error) => {
    throw new Error(`npm ${args.join(' ')} failed:\n${error.stdout}${error.stderr}`)
  })
  return stdout
}

/** Runs a script of a package that the project has installed; returns what it prints. */
export async function runScript(project: string, file: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(project, 'node_modules', file), ...args], {
    cwd: project,
  }).catch((error) => {
    throw new Error(`${file} failed:\n${error.stdout}${error.stderr}`)
  })
  return stdout
}

/** Runs `mortise dev` in a project until it prints what is looked for. @throws Error with its output if it does not for a minute */
export async function developUntilPrinted(project: string, wanted: RegExp): Promise<void> {
  const child = spawn(process.execPath, [join(project, 'node_modules', cli), 'dev'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const output = watchOutput(child)
  try {
    await until(() => wanted.test(output.text())).catch((error) => {
      throw new Error(`${error.message}\n${output.text()}`)
    })
  } finally {
    child.kill('SIGINT')
    await exited
  }
}

/** The files of scripts that `mortise start` loads in a project before it answers. */
export async function scriptsLoadedAtStart(project: string): Promise<string[]> {
  const folder = join(project, 'loaded')
  // Node writes there which scripts have run at all.
  await whileRunning(project, () => Promise.resolve(), { env: { NODE_V8_COVERAGE: folder } })
  const urls = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] }
    return result.map(({ url }) => url)
  })
  rmSync(folder, { recursive: true })
  return [...new Set(urls)].filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url))
}

export const cli = 'mortise/launch/bin.js'

/** What a test needs of a service that runs. */
export interface Running {
  readonly url: string
  readonly admin: Client
  output(): string
}

/** Runs `mortise start` or `dev` in a project for as long as something works with it. */
export async function whileRunning<T>(
  project: string,
  work: (running: Running) => Promise<T>,
  { command = 'start', env = {} }: { command?: 'start' | 'dev'; env?: NodeJS.ProcessEnv } = {},
): Promise<T> {
  const child = spawn(process.execPath, [join(project, 'node_modules', cli), command], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      ...(command === 'start' && { NODE_ENV: 'production' }),
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: 'sqlite:./data/content.db',
      JWT_SECRET: 'a secret that only tests know, 32+',
      DEFAULT_ADMIN_EMAIL: 'admin@example.com',
      DEFAULT_ADMIN_PASSWORD: password,
      ...env,
    },
  })
  const exited = once(child, 'exit')
  const output = watchOutput(child)
  try {
    const ended = exited.then((): never => {
      throw new Error(`the service ended:\n${output.text()}`)
    })
    const url = await Promise.race([output.finds(addressIn), ended])
    ended.catch(() => undefined)
    const admin = await signIn(url, 'admin@example.com', password)
    return await work({ url, admin, output: output.text })
  } finally {
    child.kill('SIGINT')
    await exited
  }
}
